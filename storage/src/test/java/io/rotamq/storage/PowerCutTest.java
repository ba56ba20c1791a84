package io.rotamq.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * What a power cut leaves: of the log file everything up to the last sync, and of what was written
 * since then a part, or rubbish of the same length. Told apart by the length of the file when a
 * sync returned. The other files are as they are, because RocksDB syncs those itself before it
 * relies on them, and the load is too small for new ones to appear meanwhile.
 */
class PowerCutTest {
    private static final int ROUNDS = Integer.getInteger("rotamq.crash.rounds", 6);
    private static final long SEED = Long.getLong("rotamq.crash.seed", 1);
    private static final int WRITERS = 3;

    @TempDir Path temporary;
    private final Random random = new Random(SEED);

    @Test
    void whatWasToldIsThereAfterAPowerCut() throws IOException {
        Path directory = temporary.resolve("0");
        for (int round = 0; round < ROUNDS; round++) {
            Path next = temporary.resolve(Integer.toString(round + 1));
            Cut cut = new Cut(directory, next, 20 + random.nextInt(200), Sync.COMMIT);
            Map<Integer, Long> told = cut.run();
            assertThat(cut.synced).as("the log file grew with syncs").isPositive();
            Map<Integer, Long> found = check(next);
            System.out.println("round " + round + ": told " + told + ", found " + found);
            assertThat(told).isNotEmpty();
            told.forEach(
                    (writer, last) ->
                            assertThat(found.get(writer)).isNotNull().isGreaterThanOrEqualTo(last));
            directory = next;
        }
    }

    /** Else the test above would say nothing. */
    @Test
    void withoutSyncsAPowerCutTakesWhatWasTold() throws IOException {
        Path next = temporary.resolve("next");
        Cut cut = new Cut(temporary.resolve("0"), next, 100, Sync.OS);
        Map<Integer, Long> told = cut.run();
        Map<Integer, Long> found = check(next);
        assertThat(cut.synced).isZero();
        assertThat(told).isNotEmpty();
        assertThat(found).isNotEqualTo(told);
    }

    private static Map<Integer, Long> check(Path directory) {
        try (RocksDbStore store = RocksDbStore.open(StorageSettings.of(directory, Sync.COMMIT))) {
            return Load.check(store);
        }
    }

    /** A life of a store under load, up to the cut in the middle of a group. */
    private final class Cut {
        private final Path directory;
        private final Path copy;
        private final int groups;
        private final Sync sync;
        private final Map<Integer, Long> told = new ConcurrentHashMap<>();
        private int seen;
        private long synced;
        private volatile boolean done;

        Cut(Path directory, Path copy, int groups, Sync sync) {
            this.directory = directory;
            this.copy = copy;
            this.groups = groups;
            this.sync = sync;
        }

        /** What had been told before the cut. */
        Map<Integer, Long> run() {
            List<Thread> writers = new ArrayList<>();
            try (RocksDbStore store =
                    RocksDbStore.open(
                            StorageSettings.of(directory, sync),
                            null,
                            sink -> (part, wanted) -> write(sink, part, wanted))) {
                Map<Integer, Long> last = Load.check(store);
                for (int i = 0; i < WRITERS; i++) {
                    int writer = i;
                    long from = last.getOrDefault(writer, -1L) + 1;
                    writers.add(
                            Thread.ofPlatform()
                                    .start(() -> Load.write(store, writer, from, told::put)));
                }
                await().atMost(Duration.ofMinutes(1)).until(() -> done);
                writers.forEach(Thread::interrupt);
            }
            return told;
        }

        /** On the storage thread. */
        private void write(Writer.Sink sink, WriteBatch part, boolean wanted)
                throws RocksDBException {
            if (done) {
                throw new RocksDBException("no power");
            }
            boolean last = ++seen == groups;
            sink.write(part, wanted && !last);
            try {
                if (last) {
                    copyAsAfterACut();
                    done = true;
                    throw new RocksDBException("no power");
                }
                if (wanted) {
                    synced = Files.size(logFile(directory));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void copyAsAfterACut() throws IOException {
            Files.createDirectories(copy.resolve("db"));
            for (String name : List.of("format")) {
                Files.copy(directory.resolve(name), copy.resolve(name));
            }
            try (Stream<Path> files = Files.list(directory.resolve("db"))) {
                for (Path file : files.toList()) {
                    Files.copy(file, copy.resolve("db").resolve(file.getFileName()));
                }
            }
            tear(logFile(copy));
        }

        private void tear(Path log) throws IOException {
            long length = Files.size(log);
            int unsynced = (int) (length - synced);
            int kept = random.nextInt(unsynced);
            try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
                channel.truncate(synced + kept);
                if (random.nextBoolean()) {
                    byte[] rubbish = new byte[unsynced - kept];
                    if (random.nextBoolean()) {
                        random.nextBytes(rubbish);
                    }
                    channel.write(ByteBuffer.wrap(rubbish), synced + kept);
                }
            }
        }
    }

    /** The newest. */
    private static Path logFile(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("db"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .max(Path::compareTo)
                    .orElseThrow();
        }
    }
}
