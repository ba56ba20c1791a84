package io.rotamq.core;

import io.rotamq.core.durable.SessionRecord;
import io.rotamq.core.port.Counter;
import io.rotamq.core.session.Footprint;
import io.rotamq.core.session.PlainRoutes;
import io.rotamq.core.session.Session;
import io.rotamq.core.session.Timers;
import io.rotamq.core.strategy.Publisher;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.Will;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one shard: creation, takeover, loss of the connection, will delay, expiry, end.
 * Owned by the shard.
 */
final class Residences {
    private final Shard shard;
    private final Node node;
    private final PlainRoutes plain;
    private final Timers timers;
    private final Map<String, Residence> byClientId = new HashMap<>();

    Residences(Shard shard, Node node, PlainRoutes plain, Timers timers) {
        this.shard = shard;
        this.node = node;
        this.plain = plain;
        this.timers = timers;
    }

    /** What a CONNECT found. */
    record Entry(Residence residence, boolean present) {}

    /** The session of a client on this shard. */
    @Nullable Residence find(String clientId) {
        return byClientId.get(clientId);
    }

    int size() {
        return byClientId.size();
    }

    /**
     * Gives the client its session: the stored one, or with clean start, or when there is none, a
     * new one. A live connection of the same client identifier is closed [MQTT-3.1.4-3]. Null if
     * there is no memory for a session, or for the will.
     */
    @Nullable Entry enter(String clientId, boolean cleanStart, @Nullable Will will, Client client) {
        Residence residence = byClientId.get(clientId);
        if (residence != null) {
            // The name stays with this shard, whatever becomes of the old session.
            residence.nameKept = true;
            displace(residence);
            if (cleanStart) {
                end(residence);
            }
            residence.nameKept = false;
            residence = byClientId.get(clientId);
        }
        boolean present = residence != null;
        Residence entered = residence != null ? residence : create(clientId);
        if (entered == null) {
            node.release(clientId);
            return null;
        }
        if (!entered.session.footprint().replaceWill(will)) {
            if (present) {
                entered.session.abandon();
            } else {
                end(entered);
            }
            return null;
        }
        entered.client = client;
        entered.cancelExpiry();
        entered.takePendingWill();
        if (present) {
            shard.meter().count(Counter.SESSIONS_RESUMED);
        }
        return new Entry(entered, present);
    }

    private void displace(Residence residence) {
        if (residence.client != null) {
            shard.meter().count(Counter.TAKEOVERS);
            residence.client.displaced();
        }
    }

    private @Nullable Residence create(String clientId) {
        Footprint footprint = Footprint.of(clientId, node.sessionMemory());
        if (footprint == null) {
            return null;
        }
        Residence created =
                new Residence(new Session(clientId, shard.port(), node.routes(), plain, footprint));
        byClientId.put(clientId, created);
        shard.meter().count(Counter.SESSIONS_CREATED);
        return created;
    }

    /**
     * The connection of a client is gone.
     *
     * @param will what is to be published for it; null after a normal disconnection
     * @param takenOver whether the same client is connecting again: nothing is redispatched
     */
    void leave(Residence residence, @Nullable Will will, boolean takenOver) {
        Session session = residence.session;
        residence.client = null;
        if (will == null) {
            session.footprint().replaceWill(null);
        }
        if (session.expiryInterval() == 0) {
            residence.pendingWill = will;
            end(residence);
            return;
        }
        if (takenOver) {
            session.suspend();
        } else if (session.isOnline()) {
            session.detach();
        } else {
            // Its CONNACK was never sent; the one before it was taken over.
            session.abandon();
        }
        residence.away = shard.wallMillis();
        scheduleWill(residence, will);
        session.record(residence.away, residence.pendingWill);
        scheduleExpiry(residence, 0);
    }

    private void scheduleExpiry(Residence residence, long elapsed) {
        long expiry = residence.session.expiryInterval();
        if (expiry != Session.NEVER) {
            long at = shard.now() + expiry * 1_000 - elapsed;
            residence.expiryTimer = timers.schedule(at, () -> end(residence));
        }
    }

    /** The client of a durable session is there, and that is written down. */
    void entered(Residence residence, @Nullable Will will) {
        residence.away = SessionRecord.CONNECTED;
        residence.session.record(SessionRecord.CONNECTED, will);
    }

    /** A session that was stored; its client is away. */
    Residence restore(SessionRecord record) {
        String clientId = record.clientId();
        Footprint footprint = Footprint.restored(clientId, node.sessionMemory());
        Residence restored =
                new Residence(new Session(clientId, shard.port(), node.routes(), plain, footprint));
        restored.session.restore(record);
        restored.away = record.away();
        byClientId.put(clientId, restored);
        Will will = record.will();
        if (will != null) {
            footprint.restore(will);
            restored.pendingWill = will;
        }
        return restored;
    }

    /**
     * Time goes on for a restored session: what passed since its client went away counts, and a
     * client that was there when the process ended has gone now.
     */
    void resume(Residence residence) {
        Session session = residence.session;
        boolean wasThere = residence.away == SessionRecord.CONNECTED;
        long wall = shard.wallMillis();
        long elapsed = wasThere ? 0 : Math.max(0, wall - residence.away);
        long expiry = session.expiryInterval();
        if (expiry != Session.NEVER && expiry * 1_000 <= elapsed) {
            end(residence);
            return;
        }
        session.redispatch();
        Will will = residence.pendingWill;
        if (will != null && will.delay() * 1_000 <= elapsed) {
            publishPendingWill(residence);
        } else if (will != null) {
            long at = shard.now() + will.delay() * 1_000 - elapsed;
            residence.willTimer = timers.schedule(at, () -> publishPendingWill(residence));
        }
        if (wasThere) {
            residence.away = wall;
            session.record(wall, residence.pendingWill);
        }
        scheduleExpiry(residence, elapsed);
    }

    private void scheduleWill(Residence residence, @Nullable Will will) {
        if (will == null) {
            return;
        }
        residence.pendingWill = will;
        if (will.delay() == 0) {
            publishPendingWill(residence);
        } else {
            long at = shard.now() + will.delay() * 1_000;
            residence.willTimer = timers.schedule(at, () -> publishPendingWill(residence));
        }
    }

    /** Ends a session, whoever wants it; a will that waits is published now. */
    void end(Residence residence) {
        Session session = residence.session;
        if (session.hasEnded()) {
            return;
        }
        byClientId.remove(session.clientId());
        residence.cancelExpiry();
        session.end();
        if (!residence.nameKept) {
            node.release(session.clientId());
        }
        publishPendingWill(residence);
        session.footprint().replaceWill(null);
        session.erase();
    }

    /** An operator removes a session. */
    void kick(String clientId) {
        Residence residence = byClientId.get(clientId);
        if (residence == null) {
            return;
        }
        if (residence.client != null) {
            residence.client.shut(
                    ReasonCode.ADMINISTRATIVE_ACTION, "the session was removed by an operator");
        }
        end(residence);
    }

    private void publishPendingWill(Residence residence) {
        Will will = residence.takePendingWill();
        if (will != null) {
            Session session = residence.session;
            session.footprint().replaceWill(null);
            shard.publishWill(will, new Publisher(session.clientId()));
            if (!session.hasEnded() && residence.away != SessionRecord.CONNECTED) {
                session.record(residence.away, null);
            }
        }
    }
}
