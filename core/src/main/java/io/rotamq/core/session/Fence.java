package io.rotamq.core.session;

import io.rotamq.core.share.Group;
import java.util.List;

/**
 * Keeps groups from turning to a successor while messages that were chosen for a lost connection
 * are still on their way to its session, which gives them back. Owned by the session's shard.
 */
final class Fence {
    /** Of one that waits for nothing that is under way. */
    static final long NO_EPOCH = Long.MIN_VALUE;

    private final SessionPort port;
    private final List<Group> groups;
    private final long epoch;
    private int underWay;

    /**
     * @param epoch of the window of the lost connection
     * @param underWay claims under it whose messages have not arrived
     */
    Fence(SessionPort port, List<Group> groups, long epoch, int underWay) {
        this.port = port;
        this.groups = groups;
        this.epoch = epoch;
        this.underWay = underWay;
        groups.forEach(Group::awaitReturns);
    }

    /** A claim has arrived, and what it was for has been given back; true if it was the last. */
    boolean arrived(long claimed) {
        if (claimed != epoch || --underWay > 0) {
            return false;
        }
        lift();
        return true;
    }

    /** All is on its way back. */
    void lift() {
        groups.forEach(port::returned);
    }
}
