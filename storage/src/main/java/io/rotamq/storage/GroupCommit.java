package io.rotamq.storage;

import io.rotamq.core.port.Store.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The storage thread. While it syncs one group, the next one gathers; so the slower the disk and
 * the more there is to do, the more share a sync. Everybody is told in the order of handing over,
 * whatever happens.
 */
final class GroupCommit {
    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

    private static final Failure CLOSED = new Failure(Failure.Cause.CLOSED, "the store is closed");

    private final Writer writer;
    private final Health health;
    private final Relief relief;
    private final long limit;
    private final Thread thread;
    private final Activity.Counts counts = new Activity.Counts();

    /** Held for moments only: no loop waits for the disk because of it. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition filled = lock.newCondition();
    private final Condition drained = lock.newCondition();
    private List<Submission> queue = new ArrayList<>();
    private List<Submission> spare = new ArrayList<>();
    private final AtomicLong queuedBytes = new AtomicLong();
    private boolean closing;
    private boolean closed;

    GroupCommit(Writer writer, Health health, Relief relief, long limit) {
        this.writer = writer;
        this.health = health;
        this.relief = relief;
        this.limit = limit;
        this.thread = Thread.ofPlatform().name("rotamq-storage").daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    long queuedBytes() {
        return queuedBytes.get();
    }

    Activity activity() {
        return counts.snapshot();
    }

    /** Any thread. Waits only while the queue is full, and on the storage thread not even then. */
    void submit(Submission submission) {
        lock.lock();
        try {
            while (queuedBytes.get() >= limit && !closed && Thread.currentThread() != thread) {
                drained.awaitUninterruptibly();
            }
            if (!closed) {
                queuedBytes.addAndGet(submission.bytes());
                queue.add(submission);
                if (queue.size() == 1) {
                    filled.signal();
                }
                return;
            }
        } finally {
            lock.unlock();
        }
        submission.refuse(CLOSED);
        submission.tell();
    }

    /** Commits what is queued, then ends. */
    void close() {
        lock.lock();
        try {
            closing = true;
            filled.signal();
        } finally {
            lock.unlock();
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The edge of the thread: however it ends, nobody waits for it any more. */
    private void run() {
        try {
            for (List<Submission> group = take(); group != null; group = take()) {
                see();
                if (!group.isEmpty()) {
                    commit(group);
                    group.clear();
                }
            }
        } catch (Throwable e) {
            health.failed(e);
        } finally {
            health.closed();
            end();
        }
    }

    /** Nothing is taken from now on, and what was taken is refused. */
    private void end() {
        List<Submission> rest;
        lock.lock();
        try {
            closed = true;
            drained.signalAll();
            rest = queue;
            queue = new ArrayList<>();
            queuedBytes.set(0);
        } finally {
            lock.unlock();
        }
        for (Submission submission : rest) {
            submission.refuse(CLOSED);
            tell(submission);
        }
    }

    private void see() {
        if (health.lookNowAndThen()) {
            try {
                writer.prove();
                health.proved();
            } catch (RocksDBException e) {
                health.failed(e);
            }
        }
        if (health.isNearlyFull()) {
            relief.consider();
        }
    }

    /** What is queued, or nothing after a while; {@code null} at the end. */
    private @Nullable List<Submission> take() {
        lock.lock();
        try {
            await();
            if (queue.isEmpty() && closing) {
                closed = true;
                return null;
            }
            List<Submission> group = queue;
            queue = spare;
            spare = group;
            return group;
        } finally {
            lock.unlock();
        }
    }

    private void await() {
        try {
            long left = Health.LOOK.toNanos();
            while (queue.isEmpty() && !closing && left > 0) {
                left = filled.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            // Nobody has a reason to: the thread ends by being closed.
            LOG.debug("the storage thread was interrupted", e);
        }
    }

    private void commit(List<Submission> group) {
        long start = System.nanoTime();
        long bytes = 0;
        for (Submission submission : group) {
            bytes += submission.bytes();
        }
        write(group);
        counts.group(group.size(), bytes, System.nanoTime() - start);
        release(bytes);
        for (Submission submission : group) {
            tell(submission);
        }
    }

    /**
     * The edge of the loop: whatever goes wrong, all of the group hear of it, and the thread goes
     * on to tell those that come later.
     */
    private void write(List<Submission> group) {
        int prepared = 0;
        try {
            for (; prepared < group.size(); prepared++) {
                prepare(group.get(prepared));
            }
            writer.commit();
        } catch (Throwable e) {
            writer.abandon();
            refuseAll(group, prepared, health.failed(e));
        }
    }

    private void prepare(Submission submission) throws RocksDBException {
        submission.prepare();
        Failure objection = health.objection(submission);
        if (objection != null) {
            submission.undo();
            submission.refuse(objection);
            return;
        }
        counts.entries(submission.batch().entries());
        writer.add(submission.batch());
    }

    /** The one whose preparation failed was prepared too. */
    private static void refuseAll(List<Submission> group, int prepared, Failure failure) {
        for (int i = group.size() - 1; i >= 0; i--) {
            Submission submission = group.get(i);
            if (submission.isRefused()) {
                continue;
            }
            if (i <= prepared) {
                submission.undo();
            }
            submission.refuse(failure);
        }
    }

    private void release(long bytes) {
        lock.lock();
        try {
            queuedBytes.addAndGet(-bytes);
            drained.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The edge of the loop: a listener that fails is its own fault, and the others are told. */
    private static void tell(Submission submission) {
        try {
            submission.tell();
        } catch (Throwable e) {
            LOG.error("who was told what became of a batch failed", e);
        }
    }
}
