package io.rotamq.core.share;

import io.rotamq.core.strategy.Claim;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.NavigableSet;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Messages of a backlog that keep their order: first those that members gave back, oldest first,
 * then the others as they came. For {@code key_shared} it is the lane of a routing key, which the
 * deliveries under way hold. Owned by the shard that owns the group.
 */
final class Line implements Claim.Queued {
    /** QoS 0 first: it is the first to go when there is no room. */
    static final Comparator<Line> BY_AGE = Line::byAge;

    static final Comparator<Pending> BY_ARRIVAL = Line::byArrival;

    private final Object key;
    private final boolean atMostOnce;
    private final long number;

    private @Nullable Queue<Pending> returned;
    private @Nullable Deque<Pending> fresh;
    private @Nullable Hold holds;

    /** Arrival of the first message when the line was put in its place by {@link Backlog}. */
    long age;

    /** The lines that it waits among: for an owner, or for anybody. */
    @Nullable NavigableSet<Line> queue;

    /** What slows those who publish to it; for lanes that have become long. */
    @Nullable Brake brake;

    /**
     * @param atMostOnce whether it has only messages of QoS 0
     * @param number tells apart lines of the same age
     */
    Line(Object key, boolean atMostOnce, long number) {
        this.key = key;
        this.atMostOnce = atMostOnce;
        this.number = number;
    }

    private static int byAge(Line a, Line b) {
        if (a.atMostOnce != b.atMostOnce) {
            return a.atMostOnce ? -1 : 1;
        }
        int older = Long.compare(a.age, b.age);
        return older != 0 ? older : Long.compare(a.number, b.number);
    }

    private static int byArrival(Pending a, Pending b) {
        return Long.compare(a.message().arrival(), b.message().arrival());
    }

    Object key() {
        return key;
    }

    boolean isAtMostOnce() {
        return atMostOnce;
    }

    void add(Pending pending) {
        Deque<Pending> queued = fresh == null ? new ArrayDeque<>(2) : fresh;
        fresh = queued;
        queued.add(pending);
    }

    void addReturned(Pending pending) {
        Queue<Pending> queued = returned == null ? new PriorityQueue<>(2, BY_ARRIVAL) : returned;
        returned = queued;
        queued.add(pending);
    }

    @Nullable Pending peek() {
        Pending first = returned == null ? null : returned.peek();
        return first != null || fresh == null ? first : fresh.peek();
    }

    @Nullable Pending poll() {
        Pending first = returned == null ? null : returned.poll();
        return first != null || fresh == null ? first : fresh.poll();
    }

    int size() {
        return (returned == null ? 0 : returned.size()) + (fresh == null ? 0 : fresh.size());
    }

    boolean isEmpty() {
        return peek() == null;
    }

    /** Takes out what a predicate says, in order. */
    List<Pending> removeAll(Predicate<Pending> goes) {
        List<Pending> removed = new ArrayList<>(0);
        take(returned, goes, removed);
        removed.sort(BY_ARRIVAL);
        take(fresh, goes, removed);
        return removed;
    }

    private static void take(
            @Nullable Queue<Pending> from, Predicate<Pending> goes, List<Pending> removed) {
        if (from != null) {
            from.removeIf(pending -> goes.test(pending) && removed.add(pending));
        }
    }

    /** What members gave back, in no order. */
    List<Pending> returned() {
        return returned == null ? List.of() : List.copyOf(returned);
    }

    List<Pending> fresh() {
        return fresh == null ? List.of() : List.copyOf(fresh);
    }

    boolean isHeld() {
        return holds != null;
    }

    /** Whether its first message may be given out. */
    boolean isReady() {
        return !isHeld() && !isEmpty();
    }

    /** Whether a message that arrives now may be given out at once. */
    boolean isFree() {
        return !isHeld() && isEmpty();
    }

    void hold(Hold hold) {
        hold.line = this;
        hold.next = holds;
        holds = hold;
    }

    void release(Hold hold) {
        if (holds == hold) {
            holds = hold.next;
        } else {
            for (Hold h = holds; h != null; h = h.next) {
                if (h.next == hold) {
                    h.next = hold.next;
                }
            }
        }
        hold.line = null;
        hold.next = null;
    }

    @SuppressWarnings("ReferenceEquality") // queues are told apart, not compared
    @Override
    public boolean waitsIn(NavigableSet<?> among) {
        return queue == among;
    }

    /** The deliveries that hold it. */
    List<Hold> holds() {
        List<Hold> all = new ArrayList<>(1);
        for (Hold h = holds; h != null; h = h.next) {
            all.add(h);
        }
        return all;
    }
}
