package io.rotamq.core.durable;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A message's place in the store: its number, and how many sessions and groups refer to it. The
 * last who lets go deletes it. Shared by all shards: every field is one atomic word.
 *
 * <p>When a publish is owed on several shards, each hands over its references, and then the
 * publisher's shard writes the message itself: so a crash leaves either the publish as a whole or
 * references to nothing, which recovery drops. What must not be told before, a QoS 2 PUBLISH, waits
 * until the message is confirmed.
 */
public final class Stored {
    private final long id;
    private final AtomicInteger references = new AtomicInteger(1);
    private final AtomicInteger open;
    private final AtomicLong awaiting = new AtomicLong();
    private final long shards;
    private final @Nullable Runnable handed;
    private volatile boolean written;
    private volatile boolean confirmed;

    /**
     * A message whose publish hands over its references on several shards.
     *
     * @param shards bit set of those who do so besides the publisher's own part
     * @param handed run once by whoever is the last to have handed over
     */
    public Stored(long id, long shards, Runnable handed) {
        this(id, shards, handed, 1 + Long.bitCount(shards));
    }

    private Stored(long id, long shards, @Nullable Runnable handed, int open) {
        this.id = id;
        this.shards = shards;
        this.handed = handed;
        this.open = new AtomicInteger(open);
    }

    /** A message that is written down by the first who refers to it. */
    public static Stored alone(long id) {
        return new Stored(id, 0, null, 0);
    }

    /** A message that was found in the store; nobody refers to it yet. */
    public static Stored found(long id) {
        Stored stored = alone(id);
        stored.references.set(0);
        stored.written = true;
        stored.confirmed = true;
        return stored;
    }

    public long id() {
        return id;
    }

    /** One who refers to it was found in the store. */
    public void restored() {
        references.incrementAndGet();
    }

    /** One more refers to it; false if the last has let go: then it has to be stored anew. */
    public boolean retain() {
        for (int now = references.get(); now > 0; now = references.get()) {
            if (references.compareAndSet(now, now + 1)) {
                return true;
            }
        }
        return false;
    }

    /** One refers to it no more; true if it has to be deleted. */
    public boolean release() {
        return references.decrementAndGet() == 0 && written;
    }

    /** Whether anybody refers to it besides its publish, which is not settled. */
    public boolean isReferredTo() {
        return references.get() > 1;
    }

    /** Whether nobody found in the store refers to it. */
    public boolean isOrphan() {
        return references.get() == 0;
    }

    public void written() {
        written = true;
    }

    /** Whether the publisher's acknowledgement waits for that shard. */
    public boolean expects(int shard) {
        return (shards & 1L << shard) != 0;
    }

    /** The publisher's shard has written its part; true if it was the last. */
    public boolean arrive() {
        return open.decrementAndGet() == 0;
    }

    /** Another shard has handed over what it owes. */
    public void handOver() {
        if (open.decrementAndGet() == 0 && handed != null) {
            handed.run();
        }
    }

    /** It is safe; returns the shards that are to hear of it. */
    public long confirm() {
        confirmed = true;
        return awaiting.get();
    }

    public boolean isConfirmed() {
        return confirmed;
    }

    /** A shard wants to hear when it is safe; false if it is. */
    public boolean isAwaitedBy(int shard) {
        awaiting.getAndUpdate(bits -> bits | 1L << shard);
        return !confirmed;
    }
}
