package io.rotamq.core.durable;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers that nothing on this store had before: sessions, messages and subscription generations
 * share them. The upper bits count the starts of the broker. Shared by all shards.
 */
public final class Numbers {
    private static final int BITS = 40;

    private final AtomicLong last = new AtomicLong();

    /** Numbers of the so many-th start, before any is given. */
    public void start(long starts) {
        last.set(starts << BITS);
    }

    public long next() {
        return last.incrementAndGet();
    }
}
