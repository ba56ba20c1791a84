package io.rotamq.core.session;

import io.rotamq.core.port.DropReason;
import io.rotamq.core.session.Outbound.Stage;
import io.rotamq.core.session.SendQueue.Waiting;
import io.rotamq.core.share.Member;
import io.rotamq.core.share.Message;
import io.rotamq.core.share.Offer;
import io.rotamq.core.share.Pending;
import java.util.List;

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
    }

    /** A message that reached a member which cannot have it. */
    void giveBack(Member member, Message message) {
        member.tally().countRedispatched();
        port.giveBack(member.group(), List.of(new Pending(message, null)));
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
            member.group().drop(DropReason.QOS2_SESSION_ENDED, port.meter());
        } else if (outbound.offer == null) {
            returns.add(member, new Pending(outbound.message, null));
        }
    }
}
