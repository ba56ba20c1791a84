package io.rotamq.core.strategy;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The free delivery credit of one session, in one atomic word that every shard may claim from. One
 * of the few pieces of memory that shards share.
 *
 * <p>The word holds the credit (24 bits), a flag for a socket without room, a flag for a session
 * without connection, and an epoch that rises when the connection changes: a claim carries the
 * epoch under which it was made, so that a message that was under way when the connection broke
 * does not spend credit of the next one. Only the session's own shard opens, closes, blocks and
 * releases [MQTT-4.9.0-1].
 */
public final class Window {
    /** Results of {@link #claim()} below zero. */
    public static final long FULL = -1;

    public static final long BLOCKED = -2;
    public static final long OFFLINE = -3;

    private static final long CREDIT = (1L << 24) - 1;
    private static final long BLOCKED_FLAG = 1L << 24;
    private static final long OFFLINE_FLAG = 1L << 25;
    private static final int EPOCH_SHIFT = 26;

    private final AtomicLong word = new AtomicLong(OFFLINE_FLAG);

    /** Takes one credit: the epoch, not negative, or why not. */
    public long claim() {
        while (true) {
            long w = word.get();
            long refusal = refusal(w);
            if (refusal < 0) {
                return refusal;
            }
            if (word.compareAndSet(w, w - 1)) {
                return w >>> EPOCH_SHIFT;
            }
        }
    }

    /** Like {@link #claim()} without taking anything, for deliveries at QoS 0. */
    public long peek() {
        long w = word.get();
        long refusal = refusal(w);
        return refusal < 0 ? refusal : w >>> EPOCH_SHIFT;
    }

    /** Credit that may be claimed now, room in the socket aside; 0 without a connection. */
    public int free() {
        return (int) (word.get() & CREDIT);
    }

    /** Credit of which some can be claimed now; 0 if there is none, whatever the reason. */
    int room() {
        long w = word.get();
        return refusal(w) < 0 ? 0 : (int) (w & CREDIT);
    }

    public long epoch() {
        return word.get() >>> EPOCH_SHIFT;
    }

    /** Gives one credit back; true if there was none before, so that somebody may wait for it. */
    public boolean release() {
        return (word.getAndIncrement() & CREDIT) == 0;
    }

    /** A connection begins with so much credit. */
    public void open(int credit) {
        word.set((epoch() + 1) << EPOCH_SHIFT | credit);
    }

    /**
     * The connection is gone, but not yet for those who choose: until {@link #close} or {@link
     * #open} the session looks full, so that nothing passes by what it is about to give back.
     *
     * @return the credit that nobody has claimed
     */
    public int suspend() {
        return (int) (word.getAndUpdate(w -> w & ~CREDIT) & CREDIT);
    }

    /** The connection is gone; claims in flight belong to an old epoch from now on. */
    public void close() {
        word.set((epoch() + 1) << EPOCH_SHIFT | OFFLINE_FLAG);
    }

    /** Whether the socket has no room. */
    public void block(boolean blocked) {
        if (blocked) {
            word.getAndUpdate(w -> w | BLOCKED_FLAG);
        } else {
            word.getAndUpdate(w -> w & ~BLOCKED_FLAG);
        }
    }

    private static long refusal(long w) {
        if ((w & OFFLINE_FLAG) != 0) {
            return OFFLINE;
        }
        if ((w & BLOCKED_FLAG) != 0) {
            return BLOCKED;
        }
        return (w & CREDIT) == 0 ? FULL : 0;
    }
}
