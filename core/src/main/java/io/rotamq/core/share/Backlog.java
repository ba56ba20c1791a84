package io.rotamq.core.share;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The messages a group holds because no member can take them now. QoS 0 waits apart, as it waits
 * only for room in a socket. Owned by the shard that owns the group.
 */
final class Backlog {
    private final Lane acknowledged = new Lane();
    private final Lane atMostOnce = new Lane();

    void add(Pending pending) {
        laneOf(pending).add(pending);
    }

    void addReturned(Pending pending) {
        laneOf(pending).addReturned(pending);
    }

    private Lane laneOf(Pending pending) {
        return pending.message().qos() == 0 ? atMostOnce : acknowledged;
    }

    /** The next message of QoS 1 and 2. */
    @Nullable Pending peek() {
        return acknowledged.peek();
    }

    @Nullable Pending poll() {
        return acknowledged.poll();
    }

    @Nullable Pending peekAtMostOnce() {
        return atMostOnce.peek();
    }

    @Nullable Pending pollAtMostOnce() {
        return atMostOnce.poll();
    }

    /** Takes the next message of any kind, the one to go when there is no room. */
    @Nullable Pending pollOldest() {
        Pending oldest = atMostOnce.poll();
        return oldest != null ? oldest : acknowledged.poll();
    }

    void removeIf(Predicate<Pending> goes) {
        acknowledged.removeIf(goes);
        atMostOnce.removeIf(goes);
    }

    boolean isEmpty() {
        return size() == 0;
    }

    int size() {
        return acknowledged.size() + atMostOnce.size();
    }
}
