package io.rotamq.core.session;

import java.util.PriorityQueue;

/**
 * Deadlines of one shard. Cancelled entries stay until they are due or outnumber the others, so
 * that cancelling costs next to nothing; keep-alive deadlines are checked when due, not moved with
 * each packet.
 */
public final class Timers {
    private static final int SWEEP = 64;

    private final PriorityQueue<Timer> queue = new PriorityQueue<>();
    private long sequence;
    private int cancelled;

    /** Runs the action at the first tick at or after {@code at} milliseconds. */
    public Timer schedule(long at, Runnable action) {
        Timer timer = new Timer(at, sequence++, action);
        queue.add(timer);
        return timer;
    }

    /** Runs what is due. */
    public void run(long now) {
        for (Timer next = queue.peek(); next != null && next.at <= now; next = queue.peek()) {
            queue.remove();
            next.fire();
        }
    }

    /** Deadlines that are still to come, cancelled ones excluded. */
    public int size() {
        return queue.size() - cancelled;
    }

    private void sweep() {
        if (cancelled >= SWEEP && 2 * cancelled > queue.size()) {
            queue.removeIf(timer -> timer.over);
            cancelled = 0;
        }
    }

    /** One deadline. */
    public final class Timer implements Comparable<Timer> {
        private final long at;
        private final long sequence;
        private final Runnable action;
        private boolean over;

        private Timer(long at, long sequence, Runnable action) {
            this.at = at;
            this.sequence = sequence;
            this.action = action;
        }

        public void cancel() {
            if (!over) {
                over = true;
                cancelled++;
                sweep();
            }
        }

        private void fire() {
            if (over) {
                cancelled--;
            } else {
                over = true;
                action.run();
            }
        }

        @Override
        public int compareTo(Timer other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }
}
