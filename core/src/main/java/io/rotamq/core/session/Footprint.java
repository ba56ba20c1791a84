package io.rotamq.core.session;

import io.rotamq.core.port.MemoryBudget;
import io.rotamq.mqtt.Will;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import org.jspecify.annotations.Nullable;

/**
 * What one session takes of the memory that all sessions may have, its messages aside: its
 * identifier, its subscriptions, its will. Rough figures, charged before the memory is taken. Owned
 * by the session's shard; the budget is shared by all.
 */
public final class Footprint {
    /** Session, client and what the transport keeps for it. */
    private static final int BASE = 2_048;

    /** A subscription lies in the indexes of the node and of the shard, and in the session. */
    private static final int SUBSCRIPTION = 256;

    private static final int COPIES = 4;

    /** Filters up to so many bytes are bounded by the number of subscriptions. */
    private static final int SHORT_FILTER = 256;

    /** What the longer ones of one session may have together. */
    private static final int LONG_FILTERS = 2 << 20;

    private final MemoryBudget budget;
    private long bytes;
    private long will;
    private int longFilters;

    private Footprint(MemoryBudget budget, long bytes) {
        this.budget = budget;
        this.bytes = bytes;
    }

    /** Of a new session; null if there is no memory for one. */
    public static @Nullable Footprint of(String clientId, MemoryBudget budget) {
        long bytes = BASE + (long) COPIES * clientId.length();
        return budget.reserve(bytes) ? new Footprint(budget, bytes) : null;
    }

    /** Of a session that was stored: it is there, whatever the budget says. */
    public static Footprint restored(String clientId, MemoryBudget budget) {
        long bytes = BASE + (long) COPIES * clientId.length();
        budget.charge(bytes);
        return new Footprint(budget, bytes);
    }

    /** A subscription that was stored. */
    void restore(SubscriptionFilter filter) {
        long size = size(filter);
        budget.charge(size);
        bytes += size;
        longFilters += longFilter(filter);
    }

    /** A will that was stored. */
    public void restore(Will stored) {
        will = size(stored);
        budget.charge(will);
    }

    /** Another will takes the place of the last one, or none; false if it is too large. */
    public boolean replaceWill(@Nullable Will next) {
        long size = next == null ? 0 : size(next);
        if (size > will && !budget.reserve(size - will)) {
            return false;
        }
        if (size < will) {
            budget.release(will - size);
        }
        will = size;
        return true;
    }

    boolean add(SubscriptionFilter filter) {
        long size = size(filter);
        int length = longFilter(filter);
        if (longFilters + length > LONG_FILTERS || !budget.reserve(size)) {
            return false;
        }
        bytes += size;
        longFilters += length;
        return true;
    }

    void remove(SubscriptionFilter filter) {
        long size = size(filter);
        bytes -= size;
        longFilters -= longFilter(filter);
        budget.release(size);
    }

    /** What a subscription keeps besides its filter. */
    boolean add(int size) {
        if (!budget.reserve(size)) {
            return false;
        }
        bytes += size;
        return true;
    }

    void remove(int size) {
        bytes -= size;
        budget.release(size);
    }

    private static int longFilter(SubscriptionFilter filter) {
        int length = length(filter);
        return length <= SHORT_FILTER ? 0 : length;
    }

    private static int length(SubscriptionFilter filter) {
        String share = filter.shareName();
        return filter.filter().length() + (share == null ? 0 : share.length());
    }

    /** The session is over; its will may still wait. */
    void end() {
        budget.release(bytes);
        bytes = 0;
    }

    private static long size(SubscriptionFilter filter) {
        return SUBSCRIPTION + (long) COPIES * length(filter);
    }

    private static long size(Will will) {
        return (long) will.payload().length + will.properties().length + will.topic().length();
    }
}
