package io.rotamq.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rotamq.core.port.Batch;
import io.rotamq.core.port.Store.Failure;
import io.rotamq.core.port.Store.Kind;
import io.rotamq.core.port.Store.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a small file system of its own, where that may be mounted. */
class FullDiskTest {
    private static final int MIB = 1 << 20;
    private static final int SIZE = 160 * MIB;
    private static final int VALUE = 64 << 10;

    @TempDir Path temporary;
    private Path disk;
    private final Recorder recorder = new Recorder();
    private final Random random = new Random(1);

    @BeforeEach
    void mount() throws IOException {
        disk = Files.createDirectory(temporary.resolve("disk"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=" + SIZE, "tmpfs", disk.toString()),
                "a file system can be mounted");
    }

    @AfterEach
    void unmount() throws IOException {
        run("umount", disk.toString());
    }

    @Test
    void refusesBeforeTheDiskIsFullAndGoesOnWhenThereIsSpace() throws IOException {
        try (RocksDbStore store = open(64L * MIB)) {
            Path ballast = ballast(free() - 80L * MIB);
            int written = 0;
            while (store.state() instanceof State.Accepting) {
                put(store, written++);
                recorder.settle();
            }
            assertThat(store.state()).isInstanceOf(State.NearlyFull.class);
            put(store, -1);
            assertThat(causes()).containsExactly(Failure.Cause.NEARLY_FULL);
            recorder.write(store, new Batch().delete(Kind.MESSAGE).u32(0).end());
            assertThat(recorder.settle()).isEmpty();
            Files.delete(ballast);
            await().until(() -> store.state() instanceof State.Accepting);
            put(store, -2);
            assertThat(recorder.settle()).isEmpty();
        }
    }

    @Test
    void getsItsOwnSpaceBackWhenWhatItHasIsDeleted() throws IOException {
        try (RocksDbStore store = open(64L * MIB)) {
            int written = 0;
            while (store.state() instanceof State.Accepting) {
                put(store, written++);
                recorder.settle();
            }
            Batch batch = new Batch();
            for (int i = 0; i < written; i++) {
                batch.delete(Kind.MESSAGE).u32(i).end();
            }
            recorder.write(store, batch);
            assertThat(recorder.settle()).isEmpty();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> store.state() instanceof State.Accepting);
        }
    }

    /** Without a reserve the disk really is full some time. */
    @Test
    void survivesADiskWithoutAnySpace() throws IOException {
        try (RocksDbStore store = open(0)) {
            put(store, 0);
            assertThat(recorder.settle()).isEmpty();
            Path ballast = ballast(free() - 2L * MIB);
            List<Failure.Cause> causes = List.of();
            for (int i = 1; causes.isEmpty() && i < 200; i++) {
                put(store, i);
                causes = causes();
            }
            assertThat(causes).containsExactly(Failure.Cause.UNKNOWN);
            assertThat(store.state()).isInstanceOf(State.NearlyFull.class);
            Files.delete(ballast);
            await().atMost(Duration.ofSeconds(60)).until(() -> accepts(store));
            assertThat(store.state()).isInstanceOf(State.Accepting.class);
        }
        try (RocksDbStore store = open(0)) {
            List<String> found = Recorder.all(store, Kind.META);
            assertThat(found).containsExactly("again=1");
        }
    }

    private boolean accepts(RocksDbStore store) {
        recorder.put(store, Kind.META, "again", "1");
        return recorder.settle().isEmpty();
    }

    private List<Failure.Cause> causes() {
        return recorder.settle().stream().map(Failure::cause).toList();
    }

    private void put(RocksDbStore store, int number) {
        byte[] value = new byte[VALUE];
        random.nextBytes(value);
        recorder.write(store, new Batch().put(Kind.MESSAGE).u32(number).value().bytes(value).end());
    }

    private RocksDbStore open(long reserve) {
        return RocksDbStore.open(
                new StorageSettings(
                        disk.resolve("store"), Sync.COMMIT, reserve, MIB, 8L * MIB, 8L * MIB));
    }

    private long free() throws IOException {
        return Files.getFileStore(disk).getUsableSpace();
    }

    private Path ballast(long bytes) throws IOException {
        Path file = disk.resolve("ballast");
        byte[] block = new byte[MIB];
        try (var out = Files.newOutputStream(file)) {
            for (long rest = bytes; rest > 0; rest -= MIB) {
                out.write(block, 0, (int) Math.min(rest, MIB));
            }
        }
        return file;
    }

    private static boolean run(String... command) throws IOException {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
