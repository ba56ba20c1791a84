package io.rotamq.storage;

import io.rotamq.core.port.Store.Entry;
import io.rotamq.core.port.Store.Failure;
import io.rotamq.core.port.Store.Kind;
import io.rotamq.core.port.Store.Progress;
import io.rotamq.core.port.Store.Visitor;
import io.rotamq.core.port.StoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reading. Scans run on the caller's thread; what shards ask for on one thread of their own, so
 * that neither they nor the storage thread wait for a disk.
 */
final class Reads {
    private static final Logger LOG = LoggerFactory.getLogger(Reads.class);

    /** Progress is told once for so many entries. */
    private static final int STEP = 1 << 14;

    private static final long READ_AHEAD = 2 << 20;

    private final Database database;
    private final Gate gate;
    private final ThreadPoolExecutor thread =
            new ThreadPoolExecutor(
                    1,
                    1,
                    0,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(),
                    Thread.ofPlatform().name("rotamq-storage-read").daemon().factory());

    Reads(Database database, Gate gate) {
        this.database = database;
        this.gate = gate;
    }

    /** What was asked for, once it is there. */
    interface Answer<T> {
        void read(T found);

        void failed(Failure failure);
    }

    /** Reads on the thread for it, and answers there. */
    <T> void answer(Gate.Use<T> use, Answer<T> answer) {
        try {
            thread.execute(() -> run(use, answer));
        } catch (RejectedExecutionException e) {
            LOG.debug("asked after the end: {}", e.getMessage());
            answer.failed(new Failure(Failure.Cause.CLOSED, "the store is closed"));
        }
    }

    /** The edge of the thread: who is answered and fails harms nobody else. */
    private <T> void run(Gate.Use<T> use, Answer<T> answer) {
        T found;
        try {
            found = gate.pass(use);
        } catch (StoreException e) {
            answer.failed(new Failure(Failure.Cause.CLOSED, String.valueOf(e.getMessage())));
            return;
        } catch (RocksDBException e) {
            LOG.error("cannot read the store", e);
            answer.failed(new Failure(Failure.Cause.UNKNOWN, "cannot read: " + e.getMessage()));
            return;
        }
        try {
            answer.read(found);
        } catch (RuntimeException e) {
            LOG.error("who was told what was read failed", e);
        }
    }

    void forEach(Kind kind, Visitor visitor, Progress progress) {
        try {
            gate.pass(
                    () -> {
                        scan(kind, visitor, progress);
                        return kind;
                    });
        } catch (RocksDBException e) {
            throw new StoreException(
                    "cannot read %s entries: %s".formatted(kind.label(), e.getMessage()), e);
        }
    }

    private void scan(Kind kind, Visitor visitor, Progress progress) throws RocksDBException {
        long estimate = database.property(kind, "rocksdb.estimate-num-keys");
        long seen = 0;
        try (ReadOptions options =
                        new ReadOptions().setFillCache(false).setReadaheadSize(READ_AHEAD);
                RocksIterator entries =
                        database.rocks().newIterator(database.column(kind), options)) {
            for (entries.seekToFirst(); entries.isValid(); entries.next()) {
                visitor.entry(entries.key(), entries.value());
                if (++seen % STEP == 0) {
                    progress.seen(kind, seen, Math.max(seen, estimate));
                }
            }
            entries.status();
        }
        progress.seen(kind, seen, seen);
    }

    /** Entries from one key to before another; use inside the gate. */
    List<Entry> range(Kind kind, byte[] from, byte @Nullable [] to, int max)
            throws RocksDBException {
        List<Entry> found = new ArrayList<>();
        try (ReadOptions options = new ReadOptions();
                Slice end = to == null ? null : new Slice(to)) {
            if (end != null) {
                options.setIterateUpperBound(end);
            }
            collect(kind, from, max, options, found);
        }
        return found;
    }

    private void collect(Kind kind, byte[] from, int max, ReadOptions options, List<Entry> found)
            throws RocksDBException {
        try (RocksIterator entries = database.rocks().newIterator(database.column(kind), options)) {
            for (entries.seek(from); found.size() < max && entries.isValid(); entries.next()) {
                found.add(new Entry(entries.key(), entries.value()));
            }
            entries.status();
        }
    }

    /** Those of the keys that there are; use inside the gate. */
    List<Entry> byKey(Kind kind, List<byte[]> keys) throws RocksDBException {
        ColumnFamilyHandle column = database.column(kind);
        List<Entry> found = new ArrayList<>(keys.size());
        for (byte[] key : keys) {
            // One by one: RocksDB's Java binding for many answers an error as if there were
            // nothing.
            byte[] value = database.rocks().get(column, key);
            if (value != null) {
                found.add(new Entry(key, value));
            }
        }
        return found;
    }

    byte @Nullable [] get(Kind kind, byte[] key) throws RocksDBException {
        return database.rocks().get(database.column(kind), key);
    }

    /** The last entry before a key, if there is one from another key on. */
    void last(Kind kind, byte[] from, byte[] before, Consumer<Entry> then) throws RocksDBException {
        try (ReadOptions options = new ReadOptions();
                RocksIterator entries =
                        database.rocks().newIterator(database.column(kind), options)) {
            entries.seekForPrev(before);
            entries.status();
            if (entries.isValid() && Arrays.compareUnsigned(entries.key(), from) >= 0) {
                then.accept(new Entry(entries.key(), entries.value()));
            }
        }
    }

    /** Answers what was asked so far, and nothing any more. */
    void close() {
        thread.shutdown();
        boolean interrupted = false;
        while (!thread.isTerminated()) {
            try {
                thread.awaitTermination(1, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
