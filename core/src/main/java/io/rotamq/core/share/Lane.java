package io.rotamq.core.share;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Messages of a backlog in their order: first those that members gave back, oldest first, then the
 * others as they came.
 */
final class Lane {
    private final Queue<Pending> returned =
            new PriorityQueue<>(
                    (a, b) -> Long.compare(a.message().arrival(), b.message().arrival()));
    private final Deque<Pending> fresh = new ArrayDeque<>();

    void add(Pending pending) {
        fresh.add(pending);
    }

    void addReturned(Pending pending) {
        returned.add(pending);
    }

    @Nullable Pending peek() {
        Pending first = returned.peek();
        return first != null ? first : fresh.peek();
    }

    @Nullable Pending poll() {
        Pending first = returned.poll();
        return first != null ? first : fresh.poll();
    }

    void removeIf(Predicate<Pending> goes) {
        returned.removeIf(goes);
        fresh.removeIf(goes);
    }

    int size() {
        return returned.size() + fresh.size();
    }
}
