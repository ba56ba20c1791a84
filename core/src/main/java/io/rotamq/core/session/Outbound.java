package io.rotamq.core.session;

import io.rotamq.core.durable.Keep;
import io.rotamq.core.session.SendQueue.Waiting;
import io.rotamq.core.share.Hold;
import io.rotamq.core.share.Member;
import io.rotamq.core.share.Offer;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.Message;
import org.jspecify.annotations.Nullable;

/** A delivery of QoS 1 or 2 that the client has not finished: one packet identifier in use. */
final class Outbound {
    /** Where the exchange stands. */
    enum Stage {
        /** PUBLISH was sent, or is to be sent again on this connection. */
        PUBLISHED,
        /** PUBREC was received: only PUBREL is ever sent again [MQTT-4.3.3-6]. */
        RELEASED
    }

    final Message message;
    final Grant grant;
    final int qos;
    final int packetId;

    final boolean retain;

    /** Whether it is a retained message that a new subscription gets. */
    final boolean replayed;

    /** The member of the group that the message came through; null for a plain subscription. */
    final @Nullable Member member;

    /** What the delivery holds until it is over: its routing key in a group; null for nothing. */
    final @Nullable Hold hold;

    /** What keeps the message for a durable session; null for nothing. */
    final @Nullable Keep keep;

    Stage stage = Stage.PUBLISHED;

    /** Whether a PUBLISH was sent, on any connection. */
    boolean sent;

    /** Position of the journal that has to be safe before it is sent. */
    long safeAt;

    /** Whether finishing it gives a credit back to the window of the present connection. */
    boolean credited = true;

    /** Set while the client is away and the group may give the message to another member. */
    @Nullable Offer offer;

    /** Neighbours in the order of first sending; owned by {@link Inflight}. */
    @Nullable Outbound previous;

    @Nullable Outbound next;

    Outbound(Waiting waiting, int packetId, boolean replayed) {
        this.message = waiting.message();
        this.grant = waiting.grant();
        this.member = waiting.member();
        this.hold = waiting.hold();
        this.keep = waiting.keep();
        this.qos = waiting.qos();
        this.packetId = packetId;
        this.replayed = replayed;
        this.retain = replayed || (grant.retainAsPublished() && message.publish().retain());
    }
}
