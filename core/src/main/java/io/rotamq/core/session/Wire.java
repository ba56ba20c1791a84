package io.rotamq.core.session;

import io.rotamq.core.durable.DeliveryRecord;
import io.rotamq.core.durable.Keep;
import io.rotamq.core.port.Connection;
import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.session.Outbound.Stage;
import io.rotamq.core.session.SendQueue.Waiting;
import io.rotamq.core.share.Archive;
import io.rotamq.core.share.Hold;
import io.rotamq.core.share.Member;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.Message;
import io.rotamq.core.strategy.Window;
import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.Pubrel;
import io.rotamq.mqtt.ReasonCode;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * How one delivery goes out on the present connection of a session: first or again, whether it may,
 * and whether the socket has room for more. Owned by the session's shard.
 */
final class Wire {
    private static final long HELD_WHEN_SHORT = 512 * 1024;

    private final Session session;
    private final SessionPort port;
    private final Inflight inflight;
    private final Credit credit;
    private final Window window;

    /** What may be sent when something else is safe, and what has to stay behind it. */
    private final Deque<Outbound> gate = new ArrayDeque<>(0);

    private @Nullable Connection connection;
    private boolean blocked;

    Wire(Session session, SessionPort port, Inflight inflight, Credit credit) {
        this.session = session;
        this.port = port;
        this.inflight = inflight;
        this.credit = credit;
        this.window = credit.window();
    }

    /** The connection; null while the client is away. */
    @Nullable Connection connection() {
        return connection;
    }

    void attach(Connection to) {
        connection = to;
    }

    void detach() {
        connection = null;
        gate.clear();
    }

    /** The window was opened anew, as one with room. */
    void opened(Connection to) {
        blocked = false;
        block(to);
    }

    /** The socket has room again, or the client has acknowledged enough. */
    void unblock() {
        blocked = false;
        window.block(false);
        Connection to = connection;
        if (to != null) {
            block(to);
        }
    }

    /** Whether what groups were told, that there is no room, is not true any more. */
    boolean isWronglyBlocked() {
        Connection to = connection;
        return blocked && to != null && hasRoom(to);
    }

    /**
     * Sends a message for the first time; with QoS 1 and 2 its credit is taken already.
     *
     * @param replayed whether it is a retained message that a new subscription gets
     */
    void send(Connection to, Waiting next, boolean replayed) {
        int qos = next.qos();
        Member member = next.member();
        DropReason obstacle = obstacle(to, next.message(), next.grant());
        if (obstacle != null) {
            drop(obstacle, member);
            if (qos > 0) {
                credit.addSpare();
            }
            over(next.hold(), next.keep());
            return;
        }
        int packetId = qos == 0 ? 0 : inflight.nextId();
        Outbound outbound = new Outbound(next, packetId, replayed);
        if (qos > 0) {
            inflight.add(outbound);
        }
        if (member != null) {
            member.tally().countDelivered();
        }
        if (qos == 2) {
            begin(outbound);
        }
        pass(to, outbound);
        if (qos == 0) {
            over(next.hold(), next.keep());
        }
    }

    /** That it may have been sent is written down before it is. */
    private void begin(Outbound outbound) {
        Keep keep = outbound.keep;
        Diary diary = session.diary();
        Archive archive = port.archive();
        if (keep != null && diary != null) {
            diary.exchange(outbound, DeliveryRecord.Stage.PUBLISHED);
        } else if (keep != null && archive != null) {
            archive.begun(keep);
        }
    }

    /** Sends a retained message to a new subscription. */
    void replay(Connection to, Message message, Grant grant) {
        Diary diary = session.diary();
        Keep keep =
                diary == null || grant.qosOf(message) == 0
                        ? null
                        : diary.keep(message, grant, true);
        send(to, new Waiting(message, grant, null, null, keep), true);
    }

    /** PUBREC was received: PUBREL leaves when that is safe. */
    void release(Connection to, Outbound outbound) {
        outbound.stage = Stage.RELEASED;
        Pubrel pubrel = new Pubrel(outbound.packetId, ReasonCode.SUCCESS, Details.NONE);
        Diary diary = session.diary();
        if (diary == null || outbound.keep == null) {
            to.send(pubrel);
            return;
        }
        diary.exchange(outbound, DeliveryRecord.Stage.RELEASED);
        diary.journal()
                .afterCommit(
                        () -> {
                            if (isCurrent(to)) {
                                to.send(pubrel);
                            }
                        });
    }

    @SuppressWarnings("ReferenceEquality") // connections are told apart, not compared
    private boolean isCurrent(Connection to) {
        return connection == to;
    }

    /** A delivery has ended: nothing more of it is sent or waited for. */
    void over(@Nullable Hold hold, @Nullable Keep keep) {
        port.drop(keep);
        if (hold != null) {
            port.over(hold);
        }
    }

    /**
     * A QoS 2 PUBLISH of a durable session leaves when it is safe that it may have been sent, and
     * that its message was published: else a crash could make two of it. Those of QoS 1 and 2
     * behind it stay in order.
     */
    private void pass(Connection to, Outbound outbound) {
        Archive archive = port.archive();
        boolean waits = outbound.qos == 2 && outbound.keep != null;
        if (archive == null || outbound.qos == 0 || (gate.isEmpty() && !waits)) {
            transmit(to, outbound, outbound.sent);
            return;
        }
        outbound.safeAt = archive.journal().written();
        gate.add(outbound);
        archive.journal().afterCommit(this::proceed);
    }

    /** Something has become safe. */
    void proceed() {
        Connection to = connection;
        Archive archive = port.archive();
        if (to == null || archive == null) {
            return;
        }
        for (Outbound first = gate.peek(); first != null; first = gate.peek()) {
            Keep keep = first.keep;
            if (first.safeAt > archive.journal().committed()) {
                return;
            }
            if (first.qos == 2 && keep != null && !keep.stored().isConfirmed()) {
                port.awaits(session, keep.stored());
                return;
            }
            gate.remove();
            if (inflight.get(first.packetId) == first) {
                transmit(to, first, first.sent);
            }
        }
    }

    /** Sends again with the original identifier and DUP 1 [MQTT-3.3.1-1]; expiry has no say. */
    void resend(Connection to, Outbound outbound) {
        boolean done = inflight.get(outbound.packetId) != outbound;
        if (done || outbound.stage == Stage.RELEASED) {
            // Acknowledged on this connection before its turn came.
            credit.addSpare();
            return;
        }
        outbound.credited = true;
        Message message = outbound.message;
        long expiry = remainingExpiry(message);
        if (!to.fits(message.publish(), expiry, outbound.grant.identifiers())) {
            inflight.remove(outbound);
            drop(DropReason.TOO_LARGE, outbound.member);
            credit.addSpare();
            over(outbound.hold, outbound.keep);
            return;
        }
        port.meter().count(Counter.PUBLISHES_RESENT);
        pass(to, outbound);
    }

    /** Lets groups know when the client takes no more, whatever its credit. */
    void block(Connection to) {
        if (!blocked && !hasRoom(to)) {
            blocked = true;
            window.block(true);
        }
    }

    private void drop(DropReason reason, @Nullable Member member) {
        if (member == null) {
            port.meter().drop(reason);
        } else {
            member.group().drop(reason, port.meter());
        }
    }

    private @Nullable DropReason obstacle(Connection to, Message message, Grant grant) {
        if (message.expires() && message.isExpired(port.now())) {
            return DropReason.EXPIRED;
        }
        boolean fits = to.fits(message.publish(), remainingExpiry(message), grant.identifiers());
        return fits ? null : DropReason.TOO_LARGE;
    }

    /** Most messages never expire: then the clock is not asked. */
    private long remainingExpiry(Message message) {
        return message.expires() ? message.remainingExpiry(port.now()) : -1;
    }

    private void transmit(Connection to, Outbound outbound, boolean dup) {
        outbound.sent = true;
        Message message = outbound.message;
        to.publish(
                message.publish(),
                outbound.packetId,
                outbound.qos,
                dup,
                outbound.retain,
                remainingExpiry(message),
                outbound.grant.identifiers());
        port.meter().count(Counter.PUBLISHES_SENT);
        port.meter().add(Counter.BYTES_SENT, message.publish().payload().length);
        block(to);
    }

    /**
     * Whether there is room in the socket, and little enough unacknowledged: a client that never
     * acknowledges large messages holds no more bytes than one that is away, and hardly any when
     * memory is short.
     */
    private boolean hasRoom(Connection to) {
        long held = inflight.bytes();
        long most = port.settings().sessions().maximumQueuedBytes();
        return to.isWritable()
                && (held <= HELD_WHEN_SHORT || (held <= most && !port.memory().isExhausted()));
    }
}
