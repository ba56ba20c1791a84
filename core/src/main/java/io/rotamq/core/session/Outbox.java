package io.rotamq.core.session;

import io.rotamq.core.index.Replay;
import io.rotamq.core.port.Connection;
import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.session.Outbound.Stage;
import io.rotamq.core.session.SendQueue.Waiting;
import io.rotamq.core.share.Grant;
import io.rotamq.core.share.Member;
import io.rotamq.core.share.Message;
import io.rotamq.core.share.Offer;
import io.rotamq.core.share.Pending;
import io.rotamq.core.share.Window;
import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.Pubrel;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a session sends: deliveries in flight, those to be sent again on resume, those that wait,
 * and retained messages being replayed – in this order of precedence. A credit that comes back
 * serves what waits here before it returns to the {@link Window}, from which groups on any shard
 * claim. Owned by the session's shard.
 */
final class Outbox {
    /** Unfinished replays of retained messages beyond which a filter has only its latest. */
    private static final int MANY_REPLAYS = 1_000;

    private static final long HELD_WHEN_SHORT = 512 * 1024;

    private final Session session;
    private final SessionPort port;
    private final Window window = new Window();
    private final Inflight inflight;
    private final Deque<Outbound> resends = new ArrayDeque<>(0);
    private final Deque<RetainedReplay> replays = new ArrayDeque<>(0);
    private final SendQueue queue;

    private @Nullable Connection connection;

    /** Credits of the present connection that are neither in use nor in the window. */
    private int spare;

    private boolean blocked;

    Outbox(Session session, SessionPort port) {
        this.session = session;
        this.port = port;
        this.inflight = new Inflight(port.memory());
        this.queue = new SendQueue(port.settings().sessions(), port.memory(), port.meter());
    }

    Window window() {
        return window;
    }

    int inflight() {
        return inflight.size();
    }

    int queued() {
        return queue.size();
    }

    void attach(Connection to, int credit) {
        connection = to;
        spare = credit;
        prepareResends(to);
        pump();
        window.open(spare);
        spare = 0;
        blocked = false;
        block(to);
    }

    void detach() {
        connection = null;
        window.close();
        spare = 0;
        resends.clear();
    }

    /** A message for plain subscriptions. */
    void plain(Message message, Grant grant) {
        Connection to = connection;
        if (grant.qosOf(message) == 0) {
            plainAtMostOnce(to, message, grant);
        } else if (to != null && !isWaiting() && window.claim() >= 0) {
            send(to, message, grant, null, false);
            pump();
        } else if (to != null || session.isPersistent()) {
            queue.add(new Waiting(message, grant, null));
        } else {
            port.meter().drop(DropReason.OFFLINE);
        }
    }

    private void plainAtMostOnce(@Nullable Connection to, Message message, Grant grant) {
        if (to == null) {
            port.meter().drop(DropReason.OFFLINE);
        } else if (!to.isWritable()) {
            port.meter().drop(DropReason.SLOW_READER);
        } else {
            send(to, message, grant, null, false);
        }
    }

    /** A message that a group chose this member for, under a grant that may be replaced by now. */
    void shared(Member member, Grant grant, Message message, long epoch) {
        Connection to = connection;
        boolean counted = grant.qosOf(message) > 0;
        if (member.hasLeft()) {
            giveBack(member, message);
            if (counted) {
                unclaim(epoch);
            }
        } else if (to != null && epoch == window.epoch()) {
            sendShared(to, new Waiting(message, grant, member));
        } else if (counted && (to != null ? member.mayBeKeptFor() : member.keepsTurn())) {
            // Its client is away, or came back just now, be it for a session that ends with it.
            queue.add(new Waiting(message, grant, member));
            pump();
        } else {
            giveBack(member, message);
        }
    }

    private void sendShared(Connection to, Waiting next) {
        Member member = Objects.requireNonNull(next.member());
        // QoS 0 also when the socket filled meanwhile: what was chosen before stays in order, and
        // its
        // number is bounded by the mailbox.
        if (next.qos() > 0 && member.mayBeKeptFor() && isWaiting()) {
            // Behind what waits for this member already; its credit serves that.
            queue.add(next);
            credit();
        } else {
            send(to, next.message(), next.grant(), member, false);
            pump();
        }
    }

    void unclaim(long epoch) {
        if (connection != null && epoch == window.epoch()) {
            credit();
        }
    }

    void taken(Offer offer) {
        Outbound outbound = inflight.get(offer.packetId());
        if (outbound != null && outbound.offer == offer) {
            inflight.remove(outbound);
        }
    }

    void puback(int packetId, ReasonCode reasonCode) {
        Outbound outbound = inflight.get(packetId);
        if (outbound == null || outbound.qos != 1) {
            port.meter().count(Counter.LATE_ACKS);
        } else {
            finish(outbound, reasonCode);
        }
    }

    void pubrec(int packetId, ReasonCode reasonCode) {
        Outbound outbound = inflight.get(packetId);
        Connection to = connection;
        if (to == null) {
            return;
        }
        if (outbound == null || outbound.qos != 2) {
            port.meter().count(Counter.LATE_ACKS);
            to.send(new Pubrel(packetId, ReasonCode.PACKET_IDENTIFIER_NOT_FOUND, Details.NONE));
        } else if (reasonCode.isError() && outbound.stage == Stage.PUBLISHED) {
            finish(outbound, reasonCode);
        } else {
            outbound.stage = Stage.RELEASED;
            to.send(new Pubrel(packetId, ReasonCode.SUCCESS, Details.NONE));
        }
    }

    void pubcomp(int packetId) {
        Outbound outbound = inflight.get(packetId);
        if (outbound == null || outbound.stage != Stage.RELEASED) {
            port.meter().count(Counter.LATE_ACKS);
        } else {
            finish(outbound, ReasonCode.SUCCESS);
        }
    }

    /** A negative acknowledgement discards the message, for the group too [MQTT-4.8.2-6]. */
    private void finish(Outbound outbound, ReasonCode reasonCode) {
        inflight.remove(outbound);
        if (reasonCode.isError()) {
            port.meter().drop(DropReason.NEGATIVE_ACK);
        }
        Connection to = connection;
        if (blocked && to != null && hasRoom(to)) {
            session.writable();
        }
        if (outbound.credited) {
            credit();
        }
    }

    void writable() {
        blocked = false;
        window.block(false);
        Connection to = connection;
        if (to != null) {
            block(to);
        }
        pump();
    }

    /**
     * Retained messages for a subscription. They begin anew if it asks again before it got all: who
     * asks often and takes nothing must not pile up more than one replay.
     */
    void replay(SubscriptionFilter filter, Replay<Message> retained, Grant grant) {
        if (replays.size() >= MANY_REPLAYS) {
            // A client that subscribes again and again and takes nothing: one for each filter.
            stopReplay(filter);
        }
        replays.add(new RetainedReplay(filter, retained, grant));
        pump();
    }

    /** Stops sending retained messages for a subscription that is no more [MQTT-3.10.4-2]. */
    void stopReplay(SubscriptionFilter filter) {
        replays.removeIf(replay -> replay.filter().equals(filter));
    }

    /** After the connection broke: unacknowledged QoS 1 of groups may go to other members. */
    void offerToGroups() {
        Returns returns = new Returns(port);
        for (Outbound o = inflight.first(); o != null; o = o.next) {
            Member member = o.member;
            if (member != null && o.qos == 1 && !member.hasLeft() && !member.keepsTurn()) {
                Offer offer = new Offer(session, o.packetId);
                o.offer = offer;
                returns.add(member, new Pending(o.message, offer));
            }
        }
        returns.send();
    }

    /** The member unsubscribed: what it was not sent goes back to the group. */
    void leave(Member member) {
        Returns returns = new Returns(port);
        for (Waiting waiting : queue.removeAll(w -> w.member() == member)) {
            returns.add(member, new Pending(waiting.message(), null));
        }
        returns.send();
    }

    /** The session is over. */
    void end() {
        Returns returns = new Returns(port);
        for (Outbound o = inflight.first(); o != null; o = o.next) {
            end(o, returns);
        }
        inflight.clear();
        for (Waiting waiting : queue.removeAll(w -> true)) {
            if (waiting.member() != null) {
                returns.add(waiting.member(), new Pending(waiting.message(), null));
            } else {
                port.meter().drop(DropReason.SESSION_ENDED);
            }
        }
        returns.send();
        replays.clear();
    }

    private void end(Outbound outbound, Returns returns) {
        Member member = outbound.member;
        if (outbound.stage == Stage.RELEASED) {
            return;
        }
        if (member == null) {
            port.meter().drop(DropReason.SESSION_ENDED);
        } else if (outbound.qos == 2) {
            // [MQTT-4.8.2-5]: it may have reached the client.
            port.meter().drop(DropReason.QOS2_SESSION_ENDED);
        } else if (outbound.offer == null) {
            returns.add(member, new Pending(outbound.message, null));
        }
    }

    private void giveBack(Member member, Message message) {
        port.giveBack(member.group(), List.of(new Pending(message, null)));
    }

    private boolean isWaiting() {
        return !resends.isEmpty() || !queue.isEmpty();
    }

    private void credit() {
        if (connection == null) {
            return;
        }
        if (isWaiting() || !replays.isEmpty()) {
            spare++;
            pump();
        } else {
            release();
        }
    }

    private void release() {
        if (window.release()) {
            session.wantWork();
        }
    }

    /** Takes a credit for something that waits here. */
    private boolean take() {
        if (spare > 0) {
            spare--;
            return true;
        }
        return window.claim() >= 0;
    }

    /** Sends what waits, as far as credit and socket allow; credit left over goes to the window. */
    private void pump() {
        Connection to = connection;
        if (to == null) {
            return;
        }
        while (!resends.isEmpty() && take()) {
            resend(to, resends.remove());
        }
        while (resends.isEmpty() && !queue.isEmpty() && take()) {
            Waiting waiting = queue.poll();
            if (waiting != null) {
                send(to, waiting.message(), waiting.grant(), waiting.member(), false);
            }
        }
        boolean replaying = true;
        while (replaying && !isWaiting() && !replays.isEmpty()) {
            replaying = replayNext(to, replays.getFirst());
        }
        releaseSpare();
    }

    private void releaseSpare() {
        if (session.isOnline()) {
            for (; spare > 0; spare--) {
                release();
            }
        }
    }

    /** False if the client cannot take more now. */
    private boolean replayNext(Connection to, RetainedReplay replay) {
        Message message = replay.peek(port.now());
        if (message == null) {
            replays.removeFirst();
            return true;
        }
        boolean counted = replay.grant().qosOf(message) > 0;
        if (!to.isWritable() || (counted && !take())) {
            block(to);
            return false;
        }
        replay.pass();
        send(to, message, replay.grant(), null, true);
        return true;
    }

    /** Sends a message for the first time; with QoS 1 and 2 its credit is taken already. */
    private void send(
            Connection to,
            Message message,
            Grant grant,
            @Nullable Member member,
            boolean replayed) {
        int qos = grant.qosOf(message);
        DropReason obstacle = obstacle(to, message, grant);
        int packetId = qos == 0 || obstacle != null ? 0 : inflight.nextId();
        if (obstacle != null) {
            port.meter().drop(obstacle);
            spare += qos > 0 ? 1 : 0;
            return;
        }
        boolean retain = replayed || (grant.retainAsPublished() && message.publish().retain());
        Outbound outbound = new Outbound(message, grant, member, qos, packetId, retain);
        if (qos > 0) {
            inflight.add(outbound);
        }
        transmit(to, outbound, false);
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

    private void prepareResends(Connection to) {
        for (Outbound o = inflight.first(); o != null; o = o.next) {
            Offer offer = o.offer;
            o.offer = null;
            if (offer != null && !offer.reclaim()) {
                inflight.remove(o);
            } else if (o.stage == Stage.RELEASED) {
                // It may go without credit, but as a rule it has one: else a client that never
                // completes would get new identifiers with each connection.
                o.credited = spare > 0;
                spare -= o.credited ? 1 : 0;
                to.send(new Pubrel(o.packetId, ReasonCode.SUCCESS, Details.NONE));
            } else {
                if (offer != null) {
                    port.meter().count(Counter.SHARED_RECLAIMED);
                }
                o.credited = false;
                resends.add(o);
            }
        }
    }

    /** Sends again with the original identifier and DUP 1 [MQTT-3.3.1-1]; expiry has no say. */
    private void resend(Connection to, Outbound outbound) {
        boolean done = inflight.get(outbound.packetId) != outbound;
        if (done || outbound.stage == Stage.RELEASED) {
            // Acknowledged on this connection before its turn came.
            spare++;
            return;
        }
        outbound.credited = true;
        Message message = outbound.message;
        long expiry = remainingExpiry(message);
        if (!to.fits(message.publish(), expiry, outbound.grant.identifiers())) {
            inflight.remove(outbound);
            port.meter().drop(DropReason.TOO_LARGE);
            spare++;
            return;
        }
        port.meter().count(Counter.PUBLISHES_RESENT);
        transmit(to, outbound, true);
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

    /** Lets groups know when the client takes no more, whatever its credit. */
    private void block(Connection to) {
        if (!blocked && !hasRoom(to)) {
            blocked = true;
            window.block(true);
        }
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
