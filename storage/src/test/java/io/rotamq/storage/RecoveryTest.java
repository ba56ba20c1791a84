package io.rotamq.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.Batch;
import io.rotamq.core.port.Store.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecoveryTest {
    private static final int ENTRIES = 1_000_000;
    private static final int BATCH = 1_000;

    @TempDir Path directory;

    @Test
    void readsAMillionEntriesAndSaysHowFarItIs() {
        Recorder recorder = new Recorder();
        try (RocksDbStore store = open()) {
            byte[] payload = new byte[256];
            for (int i = 0; i < ENTRIES / BATCH; i++) {
                Batch batch = new Batch();
                for (int j = 0; j < BATCH; j++) {
                    batch.put(Kind.MESSAGE).u64((long) i * BATCH + j).value();
                    batch.bytes(payload).end();
                }
                recorder.write(store, batch);
            }
            assertThat(recorder.settle()).isEmpty();
        }
        long start = System.nanoTime();
        try (RocksDbStore store = open()) {
            long opened = System.nanoTime();
            List<Long> progress = new ArrayList<>();
            List<Long> estimates = new ArrayList<>();
            long[] count = new long[1];
            store.forEach(
                    Kind.MESSAGE,
                    (key, value) -> count[0]++,
                    (kind, done, estimate) -> {
                        progress.add(done);
                        estimates.add(estimate);
                    });
            long read = System.nanoTime();
            System.out.printf(
                    "opened in %d ms, %d entries read in %d ms%n",
                    (opened - start) / 1_000_000, count[0], (read - opened) / 1_000_000);
            assertThat(count[0]).isEqualTo(ENTRIES);
            assertThat(progress).isSorted().hasSizeGreaterThan(50).last().isEqualTo((long) ENTRIES);
            assertThat(estimates.getFirst()).isBetween(ENTRIES / 2L, ENTRIES * 2L);
            assertThat(store.sizes())
                    .anySatisfy(
                            size -> {
                                assertThat(size.kind()).isEqualTo(Kind.MESSAGE);
                                assertThat(size.entries()).isBetween(ENTRIES / 2L, ENTRIES * 2L);
                                assertThat(size.fileBytes()).isPositive();
                            });
        }
    }

    private RocksDbStore open() {
        return RocksDbStore.open(StorageSettings.of(directory, Sync.OS));
    }
}
