package io.rotamq.core.strategy;

import io.rotamq.core.index.Ranked;

/**
 * A member of a group as far as a strategy cares: whose turn it is, what it is granted, whether it
 * has room. Read from any shard; the grant and the keys are replaced when the client subscribes
 * again.
 */
public abstract class Candidate implements Ranked {
    private final Recipient recipient;
    private final Window window;
    private final long hash;
    private volatile Grant grant;
    private volatile KeyFilter keys = KeyFilter.EVERY_KEY;

    /** Set by the group before others see the member. */
    private long place;

    protected Candidate(Recipient recipient, Grant grant) {
        this.recipient = recipient;
        this.grant = grant;
        this.window = recipient.window();
        this.hash = Rendezvous.hash(recipient.clientId());
    }

    public final Recipient recipient() {
        return recipient;
    }

    /** The session's window, the same for its whole life. */
    final Window window() {
        return window;
    }

    public final Grant grant() {
        return grant;
    }

    /** Replaced when the client subscribes again; the group has to hear of it. */
    public final void grant(Grant replaced) {
        grant = replaced;
    }

    /** Which routing keys it takes, in a {@code key_shared} group. */
    public final KeyFilter keys() {
        return keys;
    }

    /** Replaced when the client subscribes again; the group has to hear of it. */
    public final void keys(KeyFilter replaced) {
        keys = replaced;
    }

    /** Orders the members of a group by when they joined; from 1. */
    @Override
    public final long place() {
        return place;
    }

    /** By the group, once. */
    public final void place(long given) {
        place = given;
    }

    /** Of the client identifier, 64 bits: what {@link Rendezvous} weighs. */
    final long hash() {
        return hash;
    }

    /** Whether it keeps its turn while its client is away. */
    public abstract boolean keepsTurn();

    /** By the group's owner: whether others wait for the member that are not behind this line. */
    public abstract boolean isAwaitedBefore(Claim.Queued line);

    final boolean isInRotation() {
        return recipient.isOnline() || keepsTurn();
    }
}
