package io.rotamq.core.share;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages a group holds because no member can take them now. Those given back by members come
 * first, oldest first, then the others in order of arrival; QoS 0 waits apart, as it waits only for
 * room in a socket. Owned by the shard that owns the group.
 */
final class Backlog {
    private final Queue<Pending> returned =
            new PriorityQueue<>(Comparator.comparingLong((Pending p) -> p.message().arrival()));
    private final Deque<Pending> fresh = new ArrayDeque<>();
    private final Deque<Pending> atMostOnce = new ArrayDeque<>();

    void add(Pending pending) {
        (pending.message().qos() == 0 ? atMostOnce : fresh).add(pending);
    }

    void addReturned(Pending pending) {
        if (pending.message().qos() == 0) {
            atMostOnce.addFirst(pending);
        } else {
            returned.add(pending);
        }
    }

    /** The next message of QoS 1 and 2. */
    @Nullable Pending peek() {
        Pending first = returned.peek();
        return first != null ? first : fresh.peek();
    }

    @Nullable Pending poll() {
        Pending first = returned.poll();
        return first != null ? first : fresh.poll();
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
        return oldest != null ? oldest : poll();
    }

    /** Takes every message that {@code isDead} at the front of each queue. */
    void purge(long now, Consumer<Pending> dead) {
        purge(returned, now, dead);
        purge(fresh, now, dead);
        purge(atMostOnce, now, dead);
    }

    private static void purge(Queue<Pending> queue, long now, Consumer<Pending> dead) {
        queue.removeIf(
                pending -> {
                    boolean gone = !pending.isOpen() || pending.message().isExpired(now);
                    if (gone) {
                        dead.accept(pending);
                    }
                    return gone;
                });
    }

    boolean isEmpty() {
        return returned.isEmpty() && fresh.isEmpty() && atMostOnce.isEmpty();
    }

    int size() {
        return returned.size() + fresh.size() + atMostOnce.size();
    }
}
