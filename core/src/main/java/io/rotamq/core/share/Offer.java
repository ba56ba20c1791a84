package io.rotamq.core.share;

import io.rotamq.core.strategy.Recipient;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An unacknowledged QoS 1 delivery of a member that lost its connection, offered to the rest of the
 * group. Exactly one side gets it: the group's owner for another member, or the first holder when
 * its client comes back first. The state is one atomic word that both shards step on.
 */
public final class Offer {
    private static final int OPEN = 0;
    private static final int TAKEN = 1;
    private static final int RECLAIMED = 2;

    private final Recipient holder;
    private final int packetId;
    private final AtomicInteger state = new AtomicInteger(OPEN);

    public Offer(Recipient holder, int packetId) {
        this.holder = holder;
        this.packetId = packetId;
    }

    public Recipient holder() {
        return holder;
    }

    public int packetId() {
        return packetId;
    }

    /** By the group's owner: the message goes to somebody else. */
    boolean take() {
        return state.compareAndSet(OPEN, TAKEN);
    }

    /** By the holder's shard: its client is back and nobody else has the message. */
    public boolean reclaim() {
        return state.compareAndSet(OPEN, RECLAIMED);
    }

    boolean isOpen() {
        return state.get() == OPEN;
    }
}
