package io.rotamq.core.session;

import io.rotamq.core.durable.Keep;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.session.Outbound.Stage;
import io.rotamq.core.session.SendQueue.Waiting;
import io.rotamq.core.share.Archive;
import io.rotamq.core.share.Hold;
import io.rotamq.core.share.Member;
import io.rotamq.core.share.Offer;
import io.rotamq.core.share.Pending;
import io.rotamq.core.strategy.Message;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of deliveries that their session does not finish: when its connection breaks, when
 * it leaves a group, when it ends. Owned by the session's shard.
 */
final class Leftovers {
    private final Session session;
    private final SessionPort port;
    private final Inflight inflight;
    private final SendQueue queue;

    Leftovers(Session session, SessionPort port, Inflight inflight, SendQueue queue) {
        this.session = session;
        this.port = port;
        this.inflight = inflight;
        this.queue = queue;
    }

    /** After the connection broke: unacknowledged QoS 1 of groups may go to other members. */
    void offerToGroups() {
        Returns returns = new Returns(port);
        for (Outbound o = inflight.first(); o != null; o = o.next) {
            Member member = o.member;
            if (member != null && o.qos == 1 && o.offer == null && mayGoToOthers(o, member)) {
                offer(o, member, returns);
            }
        }
        // What was kept until the rules changed, and did not find credit since.
        returnQueued(member -> !member.keepsTurn(), returns);
        returns.send();
    }

    /** A key waits for its delivery, so that one whose member left does not stay with it. */
    private static boolean mayGoToOthers(Outbound outbound, Member member) {
        return member.hasLeft() ? outbound.hold != null : !member.keepsTurn();
    }

    private void offer(Outbound outbound, Member member, Returns returns) {
        Offer offer = new Offer(session, outbound.packetId);
        outbound.offer = offer;
        returns.add(member, new Pending(outbound.message, offer, outbound.hold, outbound.keep));
    }

    /** What was kept for a member whose client is away goes to its group after all. */
    void reconsider(Member member) {
        Returns returns = new Returns(port);
        for (Outbound o = inflight.first(); o != null; o = o.next) {
            if (o.member == member && o.qos == 1 && o.offer == null) {
                offer(o, member, returns);
            }
        }
        returnQueued(other -> other == member, returns);
        returns.send();
    }

    private void returnQueued(Predicate<Member> whose, Returns returns) {
        if (!queue.hasShares()) {
            return;
        }
        for (Waiting waiting : queue.removeAll(w -> w.member() != null && whose.test(w.member()))) {
            Member member = Objects.requireNonNull(waiting.member());
            returns.add(member, pending(waiting));
        }
    }

    /** The member unsubscribed: what it was not sent goes back to the group. */
    void leave(Member member) {
        Returns returns = new Returns(port);
        returnQueued(other -> other == member, returns);
        returns.send();
    }

    /** The session is over. */
    void end() {
        Returns returns = new Returns(port);
        takeBackOffers();
        for (Outbound o = inflight.first(); o != null; o = o.next) {
            end(o, returns);
        }
        inflight.clear();
        for (Waiting waiting : queue.removeAll(w -> true)) {
            if (waiting.member() != null) {
                returns.add(waiting.member(), pending(waiting));
            } else {
                port.meter().drop(DropReason.SESSION_ENDED);
                letGo(waiting.keep());
            }
        }
        returns.send();
    }

    /**
     * What was offered rests on the record of this session's delivery. If nobody has taken it yet
     * it is given back anew; else whoever has taken it removes that record, once it has its own.
     */
    private void takeBackOffers() {
        for (Outbound o = inflight.first(); o != null; o = o.next) {
            Offer offer = o.offer;
            if (offer == null || o.keep == null) {
                continue;
            }
            Diary diary = session.diary();
            if (offer.reclaim()) {
                o.offer = null;
            } else if (diary != null) {
                diary.sparesDeliveries();
            }
        }
    }

    private void letGo(@Nullable Keep keep) {
        Diary diary = session.diary();
        if (keep != null && diary != null && !keep.isBacklog()) {
            diary.letGo(keep);
        } else {
            port.drop(keep);
        }
    }

    private Pending pending(Waiting waiting) {
        return pending(waiting.message(), waiting.hold(), waiting.keep());
    }

    /** What goes back to its group is kept in the store by the group from now on. */
    private Pending pending(Message message, @Nullable Hold hold, @Nullable Keep keep) {
        Archive archive = port.archive();
        return new Pending(message, null, hold, archive == null ? null : archive.toBacklog(keep));
    }

    /** A message that reached a member which cannot have it. */
    void giveBack(Member member, Waiting waiting) {
        member.tally().countRedispatched();
        port.giveBack(member.group(), List.of(pending(waiting)));
    }

    private void end(Outbound outbound, Returns returns) {
        Member member = outbound.member;
        if (outbound.stage == Stage.RELEASED) {
            over(outbound);
        } else if (member == null) {
            port.meter().drop(DropReason.SESSION_ENDED);
            letGo(outbound.keep);
        } else if (outbound.qos == 2) {
            // [MQTT-4.8.2-5]: it may have reached the client.
            member.group().drop(DropReason.QOS2_SESSION_ENDED, port.meter());
            over(outbound);
        } else if (outbound.offer == null) {
            returns.add(member, pending(outbound.message, outbound.hold, outbound.keep));
        }
    }

    private void over(Outbound outbound) {
        letGo(outbound.keep);
        Hold hold = outbound.hold;
        if (hold != null) {
            port.over(hold);
        }
    }
}
