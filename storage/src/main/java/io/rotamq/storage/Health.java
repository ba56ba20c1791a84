package io.rotamq.storage;

import io.rotamq.core.port.Store.Failure;
import io.rotamq.core.port.Store.State;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the store can take: looks at the disk now and then, and remembers what went wrong. Written
 * by the storage thread (and by the one who closes, after it has ended); read by anybody.
 */
final class Health {
    /** A look costs a system call; this much can be written unseen, so the reserve must be more. */
    static final Duration LOOK = Duration.ofMillis(100);

    private static final Logger LOG = LoggerFactory.getLogger(Health.class);
    private static final State ACCEPTING = new State.Accepting();

    private final FreeSpace space;
    private final long reserve;
    private volatile State state = ACCEPTING;
    private @Nullable Failure end;
    private long lastLook;

    /** A write met a disk without space, and none has succeeded since. */
    private boolean full;

    Health(FreeSpace space, long reserve) {
        this.space = space;
        this.reserve = reserve;
        look();
    }

    State state() {
        return state;
    }

    boolean isNearlyFull() {
        return state instanceof State.NearlyFull;
    }

    /** Why a submission cannot be written; {@code null} if it can. */
    @Nullable Failure objection(Submission submission) {
        if (end != null) {
            return end;
        }
        if (state instanceof State.NearlyFull(long free, long wanted)
                && !submission.batch().isTakenWhenNearlyFull()) {
            return new Failure(Failure.Cause.NEARLY_FULL, describe(free, wanted));
        }
        return null;
    }

    /**
     * Looks at the disk if that was long ago. When it had been full and has space, a write has to
     * show that it takes some: true asks for one.
     */
    boolean lookNowAndThen() {
        if (System.nanoTime() - lastLook < LOOK.toNanos()) {
            return false;
        }
        return look();
    }

    private boolean look() {
        lastLook = System.nanoTime();
        if (end != null) {
            return false;
        }
        try {
            return see(space.bytes());
        } catch (IOException e) {
            LOG.warn("cannot see how much of the disk is free", e);
            return false;
        }
    }

    /** A tenth above the reserve, so that it does not change its mind with each file. */
    private boolean see(long free) {
        if (free < reserve) {
            if (!isNearlyFull()) {
                LOG.warn("the disk is nearly full: {}", describe(free, reserve));
            }
            state = new State.NearlyFull(free, reserve);
            return false;
        }
        if (isNearlyFull() && free >= reserve + reserve / 10) {
            if (full) {
                return true;
            }
            LOG.info("the disk has space again: {} bytes are free", free);
            state = ACCEPTING;
        }
        return false;
    }

    /** The write that was asked for succeeded. */
    void proved() {
        full = false;
        look();
    }

    /** A write failed: says what those hear who were part of it. */
    Failure failed(Throwable e) {
        String message = "storage failed: " + e.getMessage();
        if (isNoSpace(e)) {
            // RocksDB resumes by itself when there is space; until then each write fails like this.
            if (!full) {
                LOG.error("the disk is full: {}", e.getMessage());
            }
            full = true;
            state = new State.NearlyFull(0, reserve);
        } else {
            LOG.error("storage failed, nothing durable is taken until the next start", e);
            end(new Failure(Failure.Cause.CLOSED, message));
        }
        return new Failure(Failure.Cause.UNKNOWN, message);
    }

    private static boolean isNoSpace(Throwable e) {
        return e instanceof RocksDBException failure
                && failure.getStatus() != null
                && failure.getStatus().getSubCode() == Status.SubCode.NoSpace;
    }

    /** From now on nothing is written any more. */
    void closed() {
        if (end == null) {
            end(new Failure(Failure.Cause.CLOSED, "the store is closed"));
        }
    }

    private void end(Failure failure) {
        end = failure;
        state = new State.Failed(failure.message());
    }

    private static String describe(long free, long wanted) {
        return free + " bytes are free, " + wanted + " are kept in reserve";
    }
}
