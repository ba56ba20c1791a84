package io.rotamq.core.session;

import io.rotamq.core.port.DropReason;
import io.rotamq.core.session.Outbound.Stage;
import io.rotamq.core.session.SendQueue.Waiting;
import io.rotamq.core.share.Hold;
import io.rotamq.core.share.Member;
import io.rotamq.core.share.Offer;
import io.rotamq.core.share.Pending;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

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
            if (member != null && o.qos == 1 && mayGoToOthers(o, member)) {
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
        returns.add(member, new Pending(outbound.message, offer, outbound.hold));
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
            returns.add(member, new Pending(waiting.message(), null, waiting.hold()));
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
        for (Outbound o = inflight.first(); o != null; o = o.next) {
            end(o, returns);
        }
        inflight.clear();
        for (Waiting waiting : queue.removeAll(w -> true)) {
            if (waiting.member() != null) {
                returns.add(waiting.member(), new Pending(waiting.message(), null, waiting.hold()));
            } else {
                port.meter().drop(DropReason.SESSION_ENDED);
            }
        }
        returns.send();
    }

    /** A message that reached a member which cannot have it. */
    void giveBack(Member member, Waiting next) {
        member.tally().countRedispatched();
        Pending pending = new Pending(next.message(), null, next.hold());
        port.giveBack(member.group(), List.of(pending));
    }

    private void end(Outbound outbound, Returns returns) {
        Member member = outbound.member;
        if (outbound.stage == Stage.RELEASED) {
            over(outbound);
        } else if (member == null) {
            port.meter().drop(DropReason.SESSION_ENDED);
        } else if (outbound.qos == 2) {
            // [MQTT-4.8.2-5]: it may have reached the client.
            member.group().drop(DropReason.QOS2_SESSION_ENDED, port.meter());
            over(outbound);
        } else if (outbound.offer == null) {
            returns.add(member, new Pending(outbound.message, null, outbound.hold));
        }
    }

    private void over(Outbound outbound) {
        Hold hold = outbound.hold;
        if (hold != null) {
            port.over(hold);
        }
    }
}
