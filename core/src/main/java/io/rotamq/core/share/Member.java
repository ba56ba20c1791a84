package io.rotamq.core.share;

import io.rotamq.core.port.GroupSettings.OfflineMembers;

/**
 * One session's subscription in a group. The grant is replaced when the client subscribes again.
 */
public final class Member {
    private final Group group;
    private final Recipient recipient;
    private volatile Grant grant;
    private volatile boolean left;

    public Member(Group group, Recipient recipient, Grant grant) {
        this.group = group;
        this.recipient = recipient;
        this.grant = grant;
    }

    public Group group() {
        return group;
    }

    public Recipient recipient() {
        return recipient;
    }

    public Grant grant() {
        return grant;
    }

    public void grant(Grant replaced) {
        grant = replaced;
    }

    /** Whether the member unsubscribed or its session ended. */
    public boolean hasLeft() {
        return left;
    }

    void leave() {
        left = true;
    }

    /** QoS of a delivery to this member [MQTT-4.8.2-3]. */
    public int qosOf(Message message) {
        return Math.min(message.qos(), grant.qos());
    }

    /** Whether it keeps its turn while its client is away. */
    public boolean keepsTurn() {
        return group.settings().offlineMembers() == OfflineMembers.KEEP && recipient.isPersistent();
    }

    boolean isInRotation() {
        return recipient.isOnline() || keepsTurn();
    }
}
