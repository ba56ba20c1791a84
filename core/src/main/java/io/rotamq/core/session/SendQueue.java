package io.rotamq.core.session;

import io.rotamq.core.durable.Keep;
import io.rotamq.core.port.CoreSettings;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.MemoryBudget;
import io.rotamq.core.port.Meter;
import io.rotamq.core.share.Hold;
import io.rotamq.core.share.Member;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Messages of QoS 1 and 2 that wait for a session: because its client is away, or its window full.
 * Bounded by messages and bytes; at the bound plain messages follow the configured policy, and of
 * the share that a group keeps for a member the oldest stay.
 */
final class SendQueue {
    private final Deque<Waiting> queue = new ArrayDeque<>(0);
    private final CoreSettings.Sessions bounds;
    private final MemoryBudget memory;
    private final Meter meter;
    private final Consumer<Waiting> over;
    private long bytes;

    /** Of these, those that a group chose the session for. */
    private int shares;

    /**
     * @param over told of each delivery that ends here
     */
    SendQueue(
            CoreSettings.Sessions bounds,
            MemoryBudget memory,
            Meter meter,
            Consumer<Waiting> over) {
        this.bounds = bounds;
        this.memory = memory;
        this.meter = meter;
        this.over = over;
    }

    /**
     * @param member the member that the group chose; null for a plain subscription
     * @param hold what the delivery holds until it is over; null for nothing
     * @param keep what keeps the message for a durable session; null for nothing
     */
    record Waiting(
            Message message,
            Grant grant,
            @Nullable Member member,
            @Nullable Hold hold,
            @Nullable Keep keep) {
        int qos() {
            return grant.qosOf(message);
        }

        Waiting keptBy(@Nullable Keep other) {
            return new Waiting(message, grant, member, hold, other);
        }
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Whether something waits that a group chose the session for. */
    boolean hasShares() {
        return shares > 0;
    }

    int size() {
        return queue.size();
    }

    void add(Waiting waiting) {
        if (!memory.reserve(waiting.message().size())) {
            drop(waiting, DropReason.MEMORY);
            return;
        }
        queue.add(waiting);
        shares += waiting.member() == null ? 0 : 1;
        bytes += waiting.message().size();
        boolean oldestGoes = bounds.dropOldest() && waiting.member() == null;
        while (queue.size() > bounds.maximumQueued() || bytes > bounds.maximumQueuedBytes()) {
            Waiting goes = oldestGoes ? queue.removeFirst() : queue.removeLast();
            forget(goes);
            drop(goes, DropReason.QUEUE_FULL);
        }
    }

    /** What waited when the process ended waits again, whatever the bounds are now. */
    void restore(Waiting waiting) {
        memory.charge(waiting.message().size());
        queue.add(waiting);
        shares += waiting.member() == null ? 0 : 1;
        bytes += waiting.message().size();
    }

    @Nullable Waiting poll() {
        Waiting first = queue.poll();
        if (first != null) {
            forget(first);
        }
        return first;
    }

    /** Takes out what a predicate says, in order. */
    List<Waiting> removeAll(Predicate<Waiting> which) {
        List<Waiting> removed = new ArrayList<>();
        queue.removeIf(
                waiting -> {
                    boolean goes = which.test(waiting);
                    if (goes) {
                        forget(waiting);
                        removed.add(waiting);
                    }
                    return goes;
                });
        return removed;
    }

    private void drop(Waiting waiting, DropReason reason) {
        if (waiting.member() == null) {
            meter.drop(reason);
        } else {
            waiting.member().group().drop(reason, meter);
        }
        over.accept(waiting);
    }

    private void forget(Waiting waiting) {
        shares -= waiting.member() == null ? 0 : 1;
        bytes -= waiting.message().size();
        memory.release(waiting.message().size());
    }
}
