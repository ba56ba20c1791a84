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

    /** Whether it keeps its turn while its client is away. */
    public boolean keepsTurn() {
        return mayBeKeptFor() && recipient.isPersistent();
    }

    /** Whether messages may have been kept for it while its client was away. */
    public boolean mayBeKeptFor() {
        return group.settings().offlineMembers() == OfflineMembers.KEEP;
    }

    boolean isInRotation() {
        return recipient.isOnline() || keepsTurn();
    }
}
