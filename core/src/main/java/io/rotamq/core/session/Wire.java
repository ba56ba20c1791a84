package io.rotamq.core.session;

import io.rotamq.core.port.Connection;
import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.session.Outbound.Stage;
import io.rotamq.core.share.Hold;
import io.rotamq.core.share.Member;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.Message;
import io.rotamq.core.strategy.Window;
import org.jspecify.annotations.Nullable;

/**
 * How one delivery goes out on the present connection of a session: first or again, whether it may,
 * and whether the socket has room for more. Owned by the session's shard.
 */
final class Wire {
    private static final long HELD_WHEN_SHORT = 512 * 1024;

    private final SessionPort port;
    private final Inflight inflight;
    private final Credit credit;
    private final Window window;

    private @Nullable Connection connection;
    private boolean blocked;

    Wire(SessionPort port, Inflight inflight, Credit credit) {
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
     * @param member the member that a group chose; null for a plain subscription
     * @param hold what the delivery holds until it is over; null for nothing
     * @param replayed whether it is a retained message that a new subscription gets
     */
    void send(
            Connection to,
            Message message,
            Grant grant,
            @Nullable Member member,
            @Nullable Hold hold,
            boolean replayed) {
        int qos = grant.qosOf(message);
        DropReason obstacle = obstacle(to, message, grant);
        int packetId = qos == 0 || obstacle != null ? 0 : inflight.nextId();
        if (obstacle != null) {
            drop(obstacle, member);
            if (qos > 0) {
                credit.addSpare();
            }
            over(hold);
            return;
        }
        boolean retain = replayed || (grant.retainAsPublished() && message.publish().retain());
        Outbound outbound = new Outbound(message, grant, member, hold, qos, packetId, retain);
        if (qos > 0) {
            inflight.add(outbound);
        }
        if (member != null) {
            member.tally().countDelivered();
        }
        transmit(to, outbound, false);
        if (qos == 0) {
            over(hold);
        }
    }

    /** A delivery has ended: nothing more of it is sent or waited for. */
    void over(@Nullable Hold hold) {
        if (hold != null) {
            port.over(hold);
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
            over(outbound.hold);
            return;
        }
        port.meter().count(Counter.PUBLISHES_RESENT);
        transmit(to, outbound, true);
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
