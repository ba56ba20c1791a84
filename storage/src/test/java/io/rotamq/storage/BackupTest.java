package io.rotamq.storage;

import static io.rotamq.storage.Recorder.all;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.rotamq.core.port.Store.Kind;
import io.rotamq.core.port.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupTest {
    @TempDir Path temporary;
    private Path directory;
    private Path backup;
    private Path restored;

    @BeforeEach
    void names() {
        directory = temporary.resolve("store");
        backup = temporary.resolve("backup");
        restored = temporary.resolve("restored");
    }

    @Test
    void hasWhatWasCommittedBeforeIt() throws IOException {
        try (RocksDbStore store = open(directory)) {
            put(store, "before");
            store.backup(backup);
            put(store, "after");
            assertThat(all(store, Kind.META)).containsExactly("after=1", "before=1");
        }
        Backup.restore(backup, restored);
        try (RocksDbStore store = open(restored)) {
            assertThat(all(store, Kind.META)).containsExactly("before=1");
            put(store, "later");
        }
        try (RocksDbStore store = open(backup)) {
            assertThat(all(store, Kind.META)).containsExactly("before=1");
        }
    }

    @Test
    void isWholeWhileTheStoreIsWritten() throws Exception {
        Map<Integer, Long> told = new ConcurrentHashMap<>();
        List<Map<Integer, Long>> before = new ArrayList<>();
        try (RocksDbStore store = open(directory)) {
            Thread writer = Thread.ofPlatform().start(() -> Load.write(store, 0, 0, told::put));
            for (int i = 0; i < 3; i++) {
                long wanted = told.getOrDefault(0, 0L) + 200;
                await().atMost(Duration.ofMinutes(1))
                        .until(() -> told.getOrDefault(0, 0L) > wanted);
                before.add(Map.copyOf(told));
                store.backup(backup.resolve("" + i));
            }
            writer.interrupt();
            writer.join();
        }
        for (int i = 0; i < 3; i++) {
            try (RocksDbStore store = open(backup.resolve("" + i))) {
                assertThat(Load.check(store).get(0)).isGreaterThanOrEqualTo(before.get(i).get(0));
            }
        }
    }

    @Test
    void overwritesNothing() throws IOException {
        try (RocksDbStore store = open(directory)) {
            put(store, "a");
            store.backup(backup);
            refuses(() -> store.backup(backup), "is not empty: nothing is overwritten");
        }
        Files.createDirectories(restored);
        Backup.restore(backup, restored);
        refuses(() -> Backup.restore(backup, restored), "is not empty: nothing is overwritten");
        refuses(() -> Backup.restore(backup, directory), "is not empty: nothing is overwritten");
        Path empty = Files.createDirectory(temporary.resolve("empty"));
        refuses(() -> Backup.restore(empty, temporary.resolve("x")), "holds no RotaMQ store");
        assertThat(temporary.resolve("x")).doesNotExist();
    }

    private static void refuses(Runnable what, String why) {
        assertThatThrownBy(what::run).isInstanceOf(StoreException.class).hasMessageContaining(why);
    }

    private static RocksDbStore open(Path directory) {
        return RocksDbStore.open(StorageSettings.of(directory, Sync.OS));
    }

    private static void put(RocksDbStore store, String key) {
        Recorder recorder = new Recorder();
        recorder.put(store, Kind.META, key, "1");
        assertThat(recorder.settle()).isEmpty();
    }
}
