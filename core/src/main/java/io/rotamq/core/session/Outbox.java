package io.rotamq.core.session;

import io.rotamq.core.durable.DeliveryRecord;
import io.rotamq.core.durable.Keep;
import io.rotamq.core.index.Replay;
import io.rotamq.core.port.Connection;
import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.session.Outbound.Stage;
import io.rotamq.core.session.SendQueue.Waiting;
import io.rotamq.core.share.Archive;
import io.rotamq.core.share.Group;
import io.rotamq.core.share.Hold;
import io.rotamq.core.share.Member;
import io.rotamq.core.share.Offer;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.Message;
import io.rotamq.core.strategy.Window;
import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.Pubrel;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
    private final Session session;
    private final SessionPort port;
    private final Credit credit;
    private final Inflight inflight;
    private final Wire wire;
    private final Deque<Outbound> resends = new ArrayDeque<>(0);
    private final Replays replays;
    private final SendQueue queue;
    private final Leftovers leftovers;

    /** Of connections that are gone, while messages chosen for them are under way. */
    private final List<Fence> fences = new ArrayList<>(0);

    Outbox(Session session, SessionPort port) {
        this.session = session;
        this.port = port;
        this.credit = new Credit(session);
        this.inflight = new Inflight(port.memory());
        this.wire = new Wire(session, port, inflight, credit);
        this.replays = new Replays(port, credit, wire);
        this.queue =
                new SendQueue(
                        port.settings().sessions(),
                        port.memory(),
                        port.meter(),
                        waiting -> wire.over(waiting.hold(), waiting.keep()));
        this.leftovers = new Leftovers(session, port, inflight, queue);
    }

    Window window() {
        return credit.window();
    }

    int inflight() {
        return inflight.size();
    }

    int queued() {
        return queue.size();
    }

    void attach(Connection to, int allowed) {
        wire.attach(to);
        credit.begin(allowed);
        prepareResends(to);
        pump();
        credit.open();
        wire.opened(to);
    }

    /**
     * The connection is gone, be it for another one to follow at once.
     *
     * @param groups those that must not turn to others before they have everything back
     */
    void suspend(List<Group> groups) {
        if (wire.connection() == null) {
            return;
        }
        wire.detach();
        resends.clear();
        int used = 0;
        for (Outbound o = inflight.first(); o != null; o = o.next) {
            used += o.credited ? 1 : 0;
        }
        int underWay = credit.suspend(used);
        if (underWay > 0 && !groups.isEmpty()) {
            fences.add(new Fence(port, groups, window().epoch(), underWay));
        }
    }

    /** Before anything is given back and others are chosen; to be lifted after both. */
    Fence announce(List<Group> groups) {
        boolean nothing = inflight.size() == 0 && queue.isEmpty();
        return new Fence(port, nothing ? List.of() : groups, Fence.NO_EPOCH, 0);
    }

    /** What was claimed has arrived, and has been dealt with. */
    private void arrived(long epoch) {
        if (!fences.isEmpty()) {
            fences.removeIf(fence -> fence.arrived(epoch));
        }
    }

    /** After what goes back to the groups went: from now on others are chosen. */
    void close() {
        credit.close();
    }

    /** A message for plain subscriptions. */
    void plain(Message message, Grant grant) {
        Connection to = wire.connection();
        if (grant.qosOf(message) == 0) {
            plainAtMostOnce(to, message, grant);
        } else if (to != null && !isWaiting() && window().claim() >= 0) {
            wire.send(to, new Waiting(message, grant, null, null, keep(message, grant)), false);
            pump();
        } else if (to != null || session.isPersistent()) {
            queue.add(new Waiting(message, grant, null, null, keep(message, grant)));
        } else {
            port.meter().drop(DropReason.OFFLINE);
        }
    }

    private @Nullable Keep keep(Message message, Grant grant) {
        Diary diary = session.diary();
        return diary == null ? null : diary.keep(message, grant, false);
    }

    private void plainAtMostOnce(@Nullable Connection to, Message message, Grant grant) {
        if (to == null) {
            port.meter().drop(DropReason.OFFLINE);
        } else if (!to.isWritable()) {
            port.meter().drop(DropReason.SLOW_READER);
        } else {
            wire.send(to, new Waiting(message, grant, null, null, null), false);
        }
    }

    /** A message that a group chose this member for, under a grant that may be replaced by now. */
    void shared(Member member, long epoch, Waiting next) {
        receive(next, member, epoch);
        if (next.qos() > 0) {
            arrived(epoch);
        }
    }

    private void receive(Waiting next, Member member, long epoch) {
        Connection to = wire.connection();
        boolean counted = next.qos() > 0;
        if (member.hasLeft()) {
            leftovers.giveBack(member, next);
            if (counted) {
                regain(epoch);
            }
        } else if (to != null && epoch == window().epoch()) {
            sendShared(to, adopted(member, next));
        } else if (counted && (to != null ? member.mayBeKeptFor() : member.keepsTurn())) {
            // Its client is away, or came back just now, be it for a session that ends with it.
            queue.add(adopted(member, next));
            pump();
        } else {
            leftovers.giveBack(member, next);
        }
    }

    /**
     * A durable session keeps the message from now on; for another the backlog of the group does.
     */
    private Waiting adopted(Member member, Waiting next) {
        Diary diary = session.diary();
        Archive archive = port.archive();
        if (archive == null || next.qos() == 0) {
            return next;
        }
        return next.keptBy(
                diary == null
                        ? archive.toBacklog(next.keep())
                        : diary.adopt(next, member.group().toString()));
    }

    private void sendShared(Connection to, Waiting next) {
        Member member = Objects.requireNonNull(next.member());
        // QoS 0 also when the socket filled meanwhile: what was chosen before stays in order, and
        // its number is bounded by the mailbox.
        boolean keeps = member.mayBeKeptFor() || queue.hasShares();
        if (next.qos() > 0 && keeps && isWaiting()) {
            // Behind what waits for this member already; its credit serves that.
            queue.add(next);
            credit();
        } else {
            sendFirst(to, next);
            pump();
        }
    }

    void unclaim(long epoch) {
        regain(epoch);
        arrived(epoch);
    }

    private void regain(long epoch) {
        if (wire.connection() != null && epoch == window().epoch()) {
            credit();
        }
    }

    void taken(Offer offer) {
        Outbound outbound = inflight.get(offer.packetId());
        if (outbound != null && outbound.offer == offer) {
            removeTaken(outbound);
        }
    }

    private void removeTaken(Outbound outbound) {
        inflight.remove(outbound);
        if (outbound.member != null) {
            outbound.member.tally().countRedispatched();
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
        Connection to = wire.connection();
        if (to == null) {
            return;
        }
        if (outbound == null || outbound.qos != 2) {
            port.meter().count(Counter.LATE_ACKS);
            to.send(new Pubrel(packetId, ReasonCode.PACKET_IDENTIFIER_NOT_FOUND, Details.NONE));
        } else if (reasonCode.isError() && outbound.stage == Stage.PUBLISHED) {
            finish(outbound, reasonCode);
        } else {
            wire.release(to, outbound);
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
        count(outbound.member, reasonCode);
        if (wire.isWronglyBlocked()) {
            session.writable();
        }
        if (outbound.credited) {
            credit();
        }
        wire.over(outbound.hold, outbound.keep);
    }

    private void count(@Nullable Member member, ReasonCode reasonCode) {
        if (member == null) {
            if (reasonCode.isError()) {
                port.meter().drop(DropReason.NEGATIVE_ACK);
            }
        } else if (reasonCode.isError()) {
            member.tally().countRefused();
            member.group().drop(DropReason.NEGATIVE_ACK, port.meter());
        } else {
            member.tally().countAcknowledged();
        }
    }

    void writable() {
        wire.unblock();
        pump();
    }

    /** Retained messages for a new subscription. */
    void replay(SubscriptionFilter filter, Replay<Message> retained, Grant grant) {
        replays.add(filter, retained, grant);
        pump();
    }

    /** Stops sending retained messages for a subscription that is no more. */
    void stopReplay(SubscriptionFilter filter) {
        replays.stop(filter);
    }

    /** After the connection broke: what other members of its groups may deliver. */
    void offerToGroups() {
        leftovers.offerToGroups();
    }

    /** A member's client is away, and its group does not keep anything for it any more. */
    void reconsider(Member member) {
        leftovers.reconsider(member);
    }

    /** The member unsubscribed. */
    void leave(Member member) {
        leftovers.leave(member);
    }

    /** The session is over. */
    void end() {
        leftovers.end();
        replays.clear();
    }

    private boolean isWaiting() {
        return !resends.isEmpty() || !queue.isEmpty();
    }

    private void credit() {
        if (wire.connection() == null) {
            return;
        }
        if (isWaiting() || !replays.isEmpty()) {
            credit.addSpare();
            pump();
        } else {
            credit.release();
        }
    }

    /** Sends what waits, as far as credit and socket allow; credit left over goes to the window. */
    private void pump() {
        Connection to = wire.connection();
        if (to == null) {
            return;
        }
        while (!resends.isEmpty() && credit.take()) {
            wire.resend(to, resends.remove());
        }
        while (resends.isEmpty() && !queue.isEmpty() && credit.take()) {
            Waiting waiting = queue.poll();
            if (waiting != null) {
                sendFirst(to, waiting);
            }
        }
        boolean replaying = true;
        while (replaying && !isWaiting() && !replays.isEmpty()) {
            replaying = replays.sendNext(to);
        }
        credit.releaseSpare();
    }

    private void sendFirst(Connection to, Waiting next) {
        wire.send(to, next, false);
    }

    /** A delivery as it was stored: in flight if it is a QoS 2 exchange that has begun. */
    void restore(DeliveryRecord record, Message message) {
        Diary diary = Objects.requireNonNull(session.diary());
        Keep keep = diary.found(record, Objects.requireNonNull(message.stored()));
        DeliveryRecord.Terms terms = record.terms();
        Grant grant =
                new Grant(
                        terms.qos(),
                        terms.noLocal(),
                        terms.retainAsPublished(),
                        terms.identifiers(),
                        terms.generations());
        Member member = member(record.group());
        Hold hold = member == null ? null : member.group().restoreHold(message);
        Waiting waiting = new Waiting(message, grant, member, hold, keep);
        if (record.stage() == DeliveryRecord.Stage.WAITING) {
            queue.restore(waiting);
            return;
        }
        Outbound outbound = new Outbound(waiting, record.packetId(), terms.replayed());
        outbound.sent = true;
        if (record.stage() == DeliveryRecord.Stage.RELEASED) {
            outbound.stage = Stage.RELEASED;
        }
        inflight.add(outbound);
    }

    /** Null for a plain delivery, and for one of a group that the session has left since. */
    private @Nullable Member member(String group) {
        SubscriptionFilter filter = group.isEmpty() ? null : SubscriptionFilter.parse(group);
        Subscription subscription = filter == null ? null : session.subscription(filter);
        return subscription == null ? null : subscription.member();
    }

    /** A message has become safe that something waits for. */
    void proceed() {
        wire.proceed();
    }

    private void prepareResends(Connection to) {
        for (Outbound o = inflight.first(); o != null; o = o.next) {
            Offer offer = o.offer;
            o.offer = null;
            if (offer != null && !offer.reclaim()) {
                removeTaken(o);
            } else if (o.stage == Stage.RELEASED) {
                // It may go without credit, but as a rule it has one: else a client that never
                // completes would get new identifiers with each connection.
                o.credited = credit.takeSpare();
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
}
