package io.rotamq.storage;

import static io.rotamq.storage.Recorder.all;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rotamq.core.port.Store.Kind;
import io.rotamq.core.port.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PremisesTest {
    @TempDir Path temporary;

    @Test
    void leavesADirectoryOfSomethingElseAsItIs() throws IOException {
        Path directory = Files.createDirectory(temporary.resolve("photos"));
        Files.writeString(directory.resolve("holiday.txt"), "sun");
        refuses(directory, "holds other files and no RotaMQ store");
        assertThat(contents(directory)).containsOnlyKeys("holiday.txt");
        Path file = Files.writeString(temporary.resolve("file"), "text");
        refuses(file, "is not a directory");
    }

    @Test
    void isForOneAtATime() {
        Path directory = temporary.resolve("store");
        try (RocksDbStore first = open(directory)) {
            String holder = "is in use by process " + ProcessHandle.current().pid();
            refuses(directory, holder);
            put(first, "a", "1");
        }
        try (RocksDbStore second = open(directory)) {
            assertThat(all(second, Kind.META)).containsExactly("a=1");
        }
    }

    @Test
    void isForOneProcessAtATime() throws IOException {
        Path directory = temporary.resolve("store");
        try (CrashedProcess other = CrashedProcess.start(directory, 1)) {
            other.awaitCommits(1);
            refuses(directory, "is in use by process " + other.pid());
            assertThat(other.awaitCommits(2)).isTrue();
        }
        open(directory).close();
    }

    @Test
    void doesNotTakeLostFilesForANewStore() throws IOException {
        Path directory = filled();
        try (Stream<Path> files = Files.list(directory.resolve("db"))) {
            files.forEach(PremisesTest::delete);
        }
        refuses(directory, "has lost its files in db: restore a backup");
    }

    @Test
    void refusesADamagedFormatAndAnUnknownOne() throws IOException {
        Path directory = filled();
        Path format = directory.resolve("format");
        Files.writeString(format, "rotamq store 2\n");
        refuses(directory, "has format 2, this RotaMQ knows 1: use a newer one");
        Files.writeString(format, "\0\0\0\0");
        refuses(directory, "format is damaged: restore a backup");
        Files.writeString(format, "rotamq store 0\n");
        refuses(directory, "no way from format 0 to 1");
        Files.writeString(format, "rotamq store 1\n");
        open(directory).close();
    }

    @Test
    void overwritesNothingOfADamagedStore() throws IOException {
        for (String damaged : new String[] {"MANIFEST-", "CURRENT", ".sst"}) {
            Path directory = filled();
            Path file = find(directory.resolve("db"), damaged);
            scribble(file);
            Map<String, Long> before = contents(directory.resolve("db"));
            assertThatThrownBy(() -> openAndRead(directory))
                    .as(damaged)
                    .isInstanceOf(StoreException.class)
                    .hasMessageMatching("(?s)cannot (open the store|read meta).*");
            Map<String, Long> after = contents(directory.resolve("db"));
            after.keySet().removeIf(name -> name.startsWith("LOG") || name.startsWith("OPTIONS"));
            assertThat(before).as(damaged).containsAllEntriesOf(sstAndManifest(after));
        }
    }

    @Test
    void beginsAnewWhereTheFirstStartWasCutShort() throws IOException {
        Path directory = filled();
        Files.move(directory.resolve("format"), directory.resolve("format.new"));
        open(directory).close();
        assertThat(directory.resolve("format")).exists();
        assertThat(directory.resolve("format.new")).doesNotExist();
    }

    private static Map<String, Long> sstAndManifest(Map<String, Long> files) {
        Map<String, Long> result = new TreeMap<>(files);
        result.keySet().removeIf(name -> !name.endsWith(".sst"));
        return result;
    }

    private static void openAndRead(Path directory) {
        try (RocksDbStore store = open(directory)) {
            all(store, Kind.META);
        }
    }

    private Path filled() throws IOException {
        Path directory = Files.createTempDirectory(temporary, "store");
        try (RocksDbStore store = open(directory)) {
            put(store, "a", "1");
        }
        return directory;
    }

    private static RocksDbStore open(Path directory) {
        return RocksDbStore.open(StorageSettings.of(directory, Sync.OS));
    }

    private static void put(RocksDbStore store, String key, String value) {
        Recorder recorder = new Recorder();
        recorder.put(store, Kind.META, key, value);
        assertThat(recorder.settle()).isEmpty();
    }

    private static void refuses(Path directory, String why) {
        assertThatThrownBy(() -> open(directory))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(directory.getFileName().toString())
                .hasMessageContaining(why);
    }

    private static Path find(Path directory, String part) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().contains(part))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Turns bytes in the middle over. */
    private static void scribble(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int middle = bytes.length / 2;
        ByteBuffer garbage = ByteBuffer.allocate(Math.min(16, bytes.length - middle));
        for (int i = 0; garbage.hasRemaining(); i++) {
            garbage.put((byte) ~bytes[middle + i]);
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(garbage.flip(), middle);
        }
    }

    private static Map<String, Long> contents(Path directory) throws IOException {
        Map<String, Long> sizes = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                sizes.put(file.getFileName().toString(), Files.size(file));
            }
        }
        return sizes;
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
