package io.rotamq.core.durable;

import io.rotamq.core.port.Batch;
import io.rotamq.core.port.Store;
import io.rotamq.core.port.Store.Failure;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The records of one shard on their way to the store. They are collected while the shard works and
 * handed over in one piece at the end of its turn, and before it tells another shard anything that
 * rests on them: what is handed over first is committed first, whichever shard it comes from. Owned
 * by the shard.
 *
 * <p>Records are essential to the store ({@link Batch#essential}): whether it has room is asked
 * before something new is accepted, not when its consequences are written down. So a commit fails
 * only with the store as a whole, and then everything fails that waits for one.
 */
public final class Journal {
    /** Batches at the store beyond which the end of a turn hands over no more. */
    private static final int MAXIMUM_FLIGHTS = 4;

    private final Store store;
    private final Home home;
    private final Deque<Batch> pool = new ArrayDeque<>();
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final Deque<Runnable> handing = new ArrayDeque<>();
    private Batch open = new Batch();
    private long written;
    private long committed;
    private int flights;
    private @Nullable Failure failure;

    /** The shard, as its journal sees it. */
    public interface Home {
        /** Lets the shard have a turn soon. */
        void wake();

        /** Brings the flight to {@link #settle} on the shard; called by threads of the store. */
        void landed(Flight flight);
    }

    /** What waits for the commit of all that was written before. */
    public interface Action {
        void committed();

        /** The store has failed: nothing is known of what was written. */
        default void failed() {}
    }

    private record Waiting(long position, Action action) {}

    public Journal(Store store, Home home) {
        this.store = store;
        this.home = home;
    }

    /** One batch from the store's hands back to the shard. */
    public final class Flight implements Store.Commit {
        private final Batch batch;
        private final long position;
        private @Nullable Failure failure;

        private Flight(Batch batch, long position) {
            this.batch = batch;
            this.position = position;
        }

        @Override
        public void committed() {
            home.landed(this);
        }

        @Override
        public void failed(Failure why) {
            failure = why;
            home.landed(this);
        }

        /** On the shard: what waited for it goes on. */
        public void settle() {
            Journal.this.settle(this);
        }
    }

    /** Whether something new may be accepted that would have to be stored. */
    public boolean accepts() {
        return failure == null && store.state() instanceof Store.State.Accepting;
    }

    /** Where the next record is written; one at a time. */
    public Batch record() {
        if (open.isEmpty()) {
            home.wake();
        }
        written++;
        return open;
    }

    /** Does something once all that was written so far is safe: now, if it is. */
    public void afterCommit(Action action) {
        if (failure != null) {
            action.failed();
        } else if (committed == written) {
            action.committed();
        } else {
            waiting.add(new Waiting(written, action));
        }
    }

    /** Position of the latest record. */
    public long written() {
        return written;
    }

    /** Position up to which all is safe. */
    public long committed() {
        return committed;
    }

    /** Does something once all that was written so far is in the store's hands. */
    public void afterHanding(Runnable action) {
        if (open.isEmpty()) {
            action.run();
        } else {
            handing.add(action);
        }
    }

    /** At the end of a turn: hands over what was written, unless much is under way. */
    public void endTurn() {
        if (flights < MAXIMUM_FLIGHTS) {
            flush();
        }
    }

    /** Hands over what was written. */
    public void flush() {
        if (open.isEmpty()) {
            return;
        }
        Batch batch = open;
        if (failure == null) {
            Batch next = pool.poll();
            open = next == null ? new Batch() : next;
            flights++;
            store.write(batch.essential(), new Flight(batch, written));
        } else {
            batch.clear();
        }
        for (Runnable action = handing.poll(); action != null; action = handing.poll()) {
            action.run();
        }
    }

    private void settle(Flight flight) {
        flights--;
        flight.batch.clear();
        if (pool.size() < MAXIMUM_FLIGHTS) {
            pool.add(flight.batch);
        }
        if (flight.failure != null) {
            failure = flight.failure;
        } else if (failure == null) {
            committed = flight.position;
        }
        proceed();
        endTurn();
    }

    private void proceed() {
        boolean failed = failure != null;
        while (!waiting.isEmpty()
                && (failed || Objects.requireNonNull(waiting.peek()).position() <= committed)) {
            Action action = waiting.remove().action();
            if (failed) {
                action.failed();
            } else {
                action.committed();
            }
        }
    }
}
