package io.rotamq.core.share;

import io.rotamq.core.port.DropReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The messages that one group lost, by reason. Counted by the shards of publishers, members and
 * owner alike, and therefore with atomic steps: a loss is not what has to be fast. Most groups
 * never lose one and hold no counts.
 */
@SuppressWarnings("EnumOrdinal") // indexes of an array that lives as long as the process
final class Losses {
    private static final DropReason[] REASONS = DropReason.values();

    private volatile @Nullable AtomicLongArray counts;

    void count(DropReason reason) {
        AtomicLongArray array = counts;
        (array == null ? create() : array).getAndIncrement(reason.ordinal());
    }

    /** Only reasons that occurred. */
    Map<DropReason, Long> byReason() {
        AtomicLongArray array = counts;
        if (array == null) {
            return Map.of();
        }
        Map<DropReason, Long> map = new EnumMap<>(DropReason.class);
        for (DropReason reason : REASONS) {
            long count = array.get(reason.ordinal());
            if (count > 0) {
                map.put(reason, count);
            }
        }
        return map;
    }

    private synchronized AtomicLongArray create() {
        AtomicLongArray array = counts;
        if (array == null) {
            array = new AtomicLongArray(REASONS.length);
            counts = array;
        }
        return array;
    }
}
