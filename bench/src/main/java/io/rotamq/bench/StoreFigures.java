package io.rotamq.bench;

import com.sun.management.ThreadMXBean;
import io.rotamq.core.port.Batch;
import io.rotamq.core.port.Store.Commit;
import io.rotamq.core.port.Store.Failure;
import io.rotamq.core.port.Store.Kind;
import io.rotamq.storage.Activity;
import io.rotamq.storage.KindSize;
import io.rotamq.storage.RocksDbStore;
import io.rotamq.storage.StorageSettings;
import io.rotamq.storage.Sync;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What the store and the disk under it allow: {@code scripts/measure-storage [DIRECTORY
 * [SECONDS]]}. Not a JMH benchmark, because a disk has no steady state to be found in microseconds.
 */
public final class StoreFigures {
    private static final int VALUE = 256;
    private static final long BEHIND = 200_000;
    private static final int RECOVERED = 1_000_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Path directory;
    private final long nanos;
    private final byte[] payload = new byte[VALUE];

    private StoreFigures(Path directory, long seconds) {
        this.directory = directory;
        this.nanos = TimeUnit.SECONDS.toNanos(seconds);
        new Random(1).nextBytes(payload); // nothing for a compressor
    }

    /** Measures in an empty directory, five seconds for each figure unless told otherwise. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path directory =
                arguments.length > 0
                        ? Path.of(arguments[0])
                        : Files.createTempDirectory("rotamq-figures");
        long seconds = arguments.length > 1 ? Long.parseLong(arguments[1]) : 5;
        StoreFigures figures = new StoreFigures(directory, seconds);
        System.out.println(
                "sync    batch  in flight   batches/s   entries/s  groups/s  bytes"
                        + " allocated/entry");
        for (int size : new int[] {1, 16, 128, 1_024}) {
            figures.write(Sync.COMMIT, size, 1);
        }
        figures.write(Sync.COMMIT, 1, 16);
        figures.write(Sync.COMMIT, 1, 256);
        figures.write(Sync.COMMIT, 1, 4_096);
        figures.write(Sync.COMMIT, 16, 256);
        figures.write(Sync.OS, 1, 256);
        figures.write(Sync.OS, 16, 256);
        figures.queue();
        figures.recover();
    }

    /** Puts as fast as commits allow, so many batches being under way at any time. */
    private void write(Sync sync, int size, int inFlight) throws InterruptedException {
        try (RocksDbStore store = open(sync, "put-" + sync + size + "-" + inFlight)) {
            run(store, size, inFlight, nanos / 4, 0, false);
            Activity before = store.activity();
            long allocated = THREADS.getTotalThreadAllocatedBytes();
            long start = System.nanoTime();
            long batches = run(store, size, inFlight, nanos, 1L << 40, false);
            double seconds = (System.nanoTime() - start) / 1e9;
            allocated = THREADS.getTotalThreadAllocatedBytes() - allocated;
            Activity after = store.activity();
            System.out.printf(
                    "%-7s %5d %10d %11.0f %11.0f %9.0f %8.0f%n",
                    sync,
                    size,
                    inFlight,
                    batches / seconds,
                    batches * size / seconds,
                    (after.groups() - before.groups()) / seconds,
                    (double) allocated / (batches * size));
        }
    }

    /** What a queue does: each batch puts messages, and deletes those put a while ago. */
    private void queue() throws InterruptedException {
        try (RocksDbStore store = open(Sync.OS, "queue")) {
            run(store, 16, 256, 4 * nanos, 0, true);
            long tables = store.sizes().stream().mapToLong(KindSize::writtenBytes).sum();
            long batches = store.activity().bytes();
            System.out.printf(
                    "a queue %d messages long: %d MB in batches, so many to the log, %d MB to"
                            + " tables: %.2f bytes written for one%n",
                    BEHIND,
                    batches / 1_000_000,
                    tables / 1_000_000,
                    (double) (batches + tables) / batches);
        }
    }

    /** Returns how many batches were committed. */
    private long run(
            RocksDbStore store, int size, int inFlight, long time, long first, boolean deletes)
            throws InterruptedException {
        LinkedBlockingQueue<Slot> free = new LinkedBlockingQueue<>();
        for (int i = 0; i < inFlight; i++) {
            free.add(new Slot(free));
        }
        long end = System.nanoTime() + time;
        long key = first;
        long batches = 0;
        for (; System.nanoTime() < end; batches++) {
            Slot slot = free.take();
            slot.fill(size, key, payload, deletes);
            key += size;
            store.write(slot.batch, slot);
        }
        Queue<Slot> answered = new ArrayDeque<>();
        while (answered.size() < inFlight) {
            answered.add(free.take());
        }
        return batches;
    }

    /** A batch that is used again and again, as a shard would. */
    private static final class Slot implements Commit {
        private final Batch batch = new Batch();
        private final LinkedBlockingQueue<Slot> free;

        Slot(LinkedBlockingQueue<Slot> free) {
            this.free = free;
        }

        void fill(int size, long from, byte[] payload, boolean deletes) {
            batch.clear();
            for (long key = from; key < from + size; key++) {
                batch.put(Kind.MESSAGE).u64(key).value().bytes(payload).end();
                if (deletes && key >= BEHIND) {
                    batch.delete(Kind.MESSAGE).u64(key - BEHIND).end();
                }
            }
        }

        @Override
        public void committed() {
            free.add(this);
        }

        @Override
        public void failed(Failure failure) {
            throw new IllegalStateException(failure.message());
        }
    }

    /** How fast what is stored is there at the start, after an orderly end and after a kill. */
    private void recover() throws InterruptedException, IOException {
        try (RocksDbStore store = open(Sync.OS, "ended")) {
            LinkedBlockingQueue<Slot> free = new LinkedBlockingQueue<>();
            free.add(new Slot(free));
            for (int key = 0; key < RECOVERED; key += 1_000) {
                Slot slot = free.take();
                slot.fill(1_000, key, payload, false);
                store.write(slot.batch, slot);
            }
            free.take();
            copy(directory.resolve("ended"), directory.resolve("killed"));
        }
        recover("ended");
        recover("killed");
    }

    private void recover(String name) {
        long start = System.nanoTime();
        try (RocksDbStore store = open(Sync.OS, name)) {
            long opened = System.nanoTime();
            long[] seen = new long[2];
            store.forEach(
                    Kind.MESSAGE,
                    (key, value) -> {
                        seen[0]++;
                        seen[1] += value.length;
                    });
            System.out.printf(
                    "recovery when it was %s: opened in %d ms, %d entries with %d MB read in %d"
                            + " ms%n",
                    name,
                    (opened - start) / 1_000_000,
                    seen[0],
                    seen[1] / 1_000_000,
                    (System.nanoTime() - opened) / 1_000_000);
        }
    }

    /** As a killed process would have left it: nothing is being written. */
    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to.resolve("db"));
        Files.copy(from.resolve("format"), to.resolve("format"));
        try (Stream<Path> files = Files.list(from.resolve("db"))) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve("db").resolve(file.getFileName()));
            }
        }
    }

    private RocksDbStore open(Sync sync, String name) {
        return RocksDbStore.open(StorageSettings.of(directory.resolve(name), sync));
    }
}
