package io.rotamq.core.share;

import io.rotamq.core.port.GroupSettings.OfflineMembers;
import io.rotamq.core.strategy.Candidate;
import io.rotamq.core.strategy.Claim;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.Recipient;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One session's subscription in a group. The grant is replaced when the client subscribes again.
 */
public final class Member extends Candidate {
    private final Group group;
    private final Tally tally = new Tally();
    private volatile boolean left;

    /** The lines of the group's backlog that wait for it; the group's owner shard only. */
    private @Nullable NavigableSet<Line> lines;

    private final AtomicBoolean drainRequested = new AtomicBoolean();

    public Member(Group group, Recipient recipient, Grant grant) {
        super(recipient, grant);
        this.group = group;
    }

    /** What a strategy chose among is members. */
    public static Member of(Candidate chosen) {
        return (Member) chosen;
    }

    public Group group() {
        return group;
    }

    /** Counts for operators; written by the shard of the session. */
    public Tally tally() {
        return tally;
    }

    /** By the group's owner: the lines that wait for this member. */
    NavigableSet<Line> lines() {
        NavigableSet<Line> waiting = lines;
        if (waiting == null) {
            waiting = new TreeSet<>(Line.BY_AGE);
            lines = waiting;
        }
        return waiting;
    }

    @Override
    public boolean isAwaitedBefore(Claim.Queued line) {
        NavigableSet<Line> waiting = lines;
        return waiting != null && !waiting.isEmpty() && !line.waitsIn(waiting);
    }

    /** True for the first who asks since the owner last began to serve the member's lines. */
    public boolean requestsDrain() {
        return !drainRequested.get() && drainRequested.compareAndSet(false, true);
    }

    /** By the group's owner, before it looks at the lines. */
    public void drainBegins() {
        drainRequested.set(false);
    }

    /** Whether the member unsubscribed or its session ended. */
    public boolean hasLeft() {
        return left;
    }

    void leave() {
        left = true;
    }

    @Override
    public boolean keepsTurn() {
        return mayBeKeptFor() && recipient().isPersistent();
    }

    /** Whether messages may have been kept for it while its client was away. */
    public boolean mayBeKeptFor() {
        return group.settings().offlineMembers() == OfflineMembers.KEEP;
    }
}
