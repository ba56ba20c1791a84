package io.rotamq.core.port;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory. Nothing happens by itself: {@link #run} and {@link #step} do what was handed
 * over, so that a simulator decides when a commit comes, and what a crash takes with it.
 */
public final class MemoryStore implements Store {
    private static final long QUEUE_LIMIT = 64 << 20;

    private final Map<Kind, NavigableMap<byte[], byte[]>> entries = new EnumMap<>(Kind.class);
    private final Queue<Work> queue = new ArrayDeque<>();
    private final long reserve;
    private long freeBytes = Long.MAX_VALUE;
    private long queuedBytes;
    private @Nullable Failure end;

    public MemoryStore() {
        this(0);
    }

    /** Counts as nearly full while less than the reserve is free. */
    public MemoryStore(long reserve) {
        this.reserve = reserve;
        for (Kind kind : Kind.values()) {
            entries.put(kind, new TreeMap<>(Arrays::compareUnsigned));
        }
    }

    /** Something that was handed over. */
    private interface Work {
        void perform();
    }

    @Override
    public void write(Batch batch, Commit commit) {
        batch.lend();
        queuedBytes += batch.size();
        queue.add(() -> apply(batch, commit));
    }

    /** Does all that was handed over; says how much that was. */
    public int run() {
        int done = 0;
        while (step()) {
            done++;
        }
        return done;
    }

    /** Does what was handed over first; false if there is nothing. */
    public boolean step() {
        Work work = queue.poll();
        if (work == null) {
            return false;
        }
        work.perform();
        return true;
    }

    public int queued() {
        return queue.size();
    }

    /**
     * What the next process finds after a crash: all that was told, and none of what was queued.
     * This store is left as it is, and what is still written to it is lost.
     */
    public MemoryStore crash() {
        MemoryStore next = new MemoryStore(reserve);
        entries.forEach((kind, map) -> next.of(kind).putAll(map));
        next.freeBytes = freeBytes;
        return next;
    }

    /** From now on so much of the disk is free. */
    public void setFreeBytes(long bytes) {
        freeBytes = bytes;
    }

    /** From now on the disk does not work. */
    public void fail(String reason) {
        end = new Failure(Failure.Cause.UNKNOWN, reason);
    }

    /** Does what is queued; what is written later fails. */
    public void close() {
        run();
        end = new Failure(Failure.Cause.CLOSED, "the store is closed");
    }

    private NavigableMap<byte[], byte[]> of(Kind kind) {
        NavigableMap<byte[], byte[]> map = entries.get(kind);
        assert map != null;
        return map;
    }

    private void apply(Batch batch, Commit commit) {
        queuedBytes -= batch.size();
        Failure failure = end;
        if (failure == null && freeBytes < reserve && !batch.isTakenWhenNearlyFull()) {
            failure = new Failure(Failure.Cause.NEARLY_FULL, freeBytes + " bytes are free");
        }
        if (failure == null) {
            batch.forEach(new Change());
        }
        batch.giveBack();
        if (failure == null) {
            commit.committed();
        } else {
            commit.failed(failure);
        }
    }

    /** Makes the changes. */
    private final class Change implements Batch.Visitor {
        @Override
        public void put(
                Kind kind, byte[] array, int key, int keyLength, int value, int valueLength) {
            of(kind).put(copy(array, key, keyLength), copy(array, value, valueLength));
        }

        @Override
        public void delete(Kind kind, byte[] array, int key, int keyLength) {
            of(kind).remove(copy(array, key, keyLength));
        }

        @Override
        public void deleteRange(
                Kind kind, byte[] array, int from, int fromLength, int to, int toLength) {
            byte[] first = copy(array, from, fromLength);
            byte[] end = copy(array, to, toLength);
            if (Arrays.compareUnsigned(first, end) < 0) {
                of(kind).subMap(first, end).clear();
            }
        }

        private static byte[] copy(byte[] array, int from, int length) {
            return Arrays.copyOfRange(array, from, from + length);
        }
    }

    @Override
    public void forEach(Kind kind, Visitor visitor, Progress progress) {
        List<Entry> all = range(of(kind), Integer.MAX_VALUE);
        for (Entry entry : all) {
            visitor.entry(entry.key(), entry.value());
        }
        progress.seen(kind, all.size(), all.size());
    }

    @Override
    public void read(Kind kind, byte[] from, byte @Nullable [] to, int max, Reading reading) {
        queue.add(
                () -> {
                    NavigableMap<byte[], byte[]> map = of(kind).tailMap(from, true);
                    if (to != null) {
                        boolean empty = Arrays.compareUnsigned(from, to) >= 0;
                        map = map.headMap(empty ? from : to, false);
                    }
                    answer(range(map, max), map.size() > max, reading);
                });
    }

    @Override
    public void get(Kind kind, List<byte[]> keys, Reading reading) {
        queue.add(
                () -> {
                    List<Entry> found = new ArrayList<>();
                    for (byte[] key : keys) {
                        byte[] value = of(kind).get(key);
                        if (value != null) {
                            found.add(new Entry(key.clone(), value.clone()));
                        }
                    }
                    answer(found, false, reading);
                });
    }

    private void answer(List<Entry> found, boolean more, Reading reading) {
        Failure failure = end;
        if (failure == null) {
            reading.read(found, more);
        } else {
            reading.failed(failure);
        }
    }

    private static List<Entry> range(NavigableMap<byte[], byte[]> map, int max) {
        return map.entrySet().stream()
                .limit(max)
                .map(e -> new Entry(e.getKey().clone(), e.getValue().clone()))
                .toList();
    }

    @Override
    public State state() {
        Failure failure = end;
        if (failure != null) {
            return new State.Failed(failure.message());
        }
        return freeBytes < reserve
                ? new State.NearlyFull(freeBytes, reserve)
                : new State.Accepting();
    }

    @Override
    public long queuedBytes() {
        return queuedBytes;
    }

    @Override
    public long queueLimit() {
        return QUEUE_LIMIT;
    }
}
