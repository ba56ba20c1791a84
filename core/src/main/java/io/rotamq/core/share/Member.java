package io.rotamq.core.share;

import io.rotamq.core.index.Ranked;
import io.rotamq.core.port.GroupSettings.OfflineMembers;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One session's subscription in a group. The grant is replaced when the client subscribes again.
 */
public final class Member implements Ranked {
    private final Group group;
    private final Recipient recipient;
    private final Window window;
    private final long hash;
    private final Tally tally = new Tally();
    private volatile Grant grant;
    private volatile KeyFilter keys = KeyFilter.EVERY_KEY;
    private volatile boolean left;

    /** Set by the group before others see the member. */
    private long place;

    /** The lines of the group's backlog that wait for it; the group's owner shard only. */
    private @Nullable NavigableSet<Line> lines;

    private final AtomicBoolean drainRequested = new AtomicBoolean();

    public Member(Group group, Recipient recipient, Grant grant) {
        this.group = group;
        this.recipient = recipient;
        this.grant = grant;
        this.window = recipient.window();
        this.hash = Rendezvous.hash(recipient.clientId());
    }

    public Group group() {
        return group;
    }

    public Recipient recipient() {
        return recipient;
    }

    /** Counts for operators; written by the shard of the session. */
    public Tally tally() {
        return tally;
    }

    /** The session's window, the same for its whole life. */
    Window window() {
        return window;
    }

    public Grant grant() {
        return grant;
    }

    public void grant(Grant replaced) {
        grant = replaced;
    }

    /** Which routing keys it takes, in a {@code key_shared} group. */
    public KeyFilter keys() {
        return keys;
    }

    /** Replaced when the client subscribes again; the group has to hear of it. */
    public void keys(KeyFilter replaced) {
        keys = replaced;
    }

    /** Orders the members of a group by when they joined; from 1. */
    @Override
    public long place() {
        return place;
    }

    void place(long given) {
        place = given;
    }

    /** Of the client identifier, 64 bits: what {@link Rendezvous} weighs. */
    long hash() {
        return hash;
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

    /** By the group's owner: whether others wait for the member that are not behind this line. */
    boolean isAwaitedBefore(Line line) {
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
