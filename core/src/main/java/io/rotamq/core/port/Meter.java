package io.rotamq.core.port;

import io.rotamq.core.port.GroupSettings.StrategyName;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The counters of one shard. Written by the shard's loop alone, without a locked instruction; read
 * by anybody, a moment late.
 */
@SuppressWarnings("EnumOrdinal") // indexes of arrays that live as long as the process
public final class Meter {
    private final AtomicLongArray counters = new AtomicLongArray(Counter.values().length);
    private final AtomicLongArray dispatched = new AtomicLongArray(StrategyName.values().length);
    private final AtomicLongArray drops = new AtomicLongArray(DropReason.values().length);

    public void count(Counter counter) {
        add(counter, 1);
    }

    public void add(Counter counter, long n) {
        int i = counter.ordinal();
        counters.setOpaque(i, counters.getPlain(i) + n);
    }

    /** A member was chosen by this strategy. */
    public void dispatched(StrategyName strategy) {
        int i = strategy.ordinal();
        dispatched.setOpaque(i, dispatched.getPlain(i) + 1);
    }

    public void drop(DropReason reason) {
        drop(reason, 1);
    }

    public void drop(DropReason reason, long n) {
        int i = reason.ordinal();
        drops.setOpaque(i, drops.getPlain(i) + n);
    }

    public long value(StrategyName strategy) {
        return dispatched.getOpaque(strategy.ordinal());
    }

    public long value(Counter counter) {
        return counters.getOpaque(counter.ordinal());
    }

    public long dropped(DropReason reason) {
        return drops.getOpaque(reason.ordinal());
    }
}
