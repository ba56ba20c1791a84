package io.rotamq.core.port;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of messages the node may hold in queues, backlogs and windows; shared by all
 * shards. Small messages are charged only while they wait, so the word is not touched on the fast
 * path.
 */
public final class MemoryBudget {
    private final long limit;
    private final AtomicLong used = new AtomicLong();

    public MemoryBudget(long limit) {
        this.limit = limit;
    }

    /** Whether so many bytes more may be held; charges them if so. */
    public boolean reserve(long bytes) {
        if (used.addAndGet(bytes) > limit) {
            used.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    /** Charges bytes of messages that are held already, whatever the limit. */
    public void charge(long bytes) {
        if (bytes != 0) {
            used.addAndGet(bytes);
        }
    }

    public void release(long bytes) {
        charge(-bytes);
    }

    /** Whether so little is left that what waits should not grow. */
    public boolean isExhausted() {
        return used.get() > limit - limit / 16;
    }

    /** Whether windows, which are charged without asking, hold far more than all should. */
    public boolean isOverdrawn() {
        return used.get() > limit + limit / 2;
    }

    public long used() {
        return used.get();
    }

    public long limit() {
        return limit;
    }
}
