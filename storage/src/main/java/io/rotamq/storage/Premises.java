package io.rotamq.storage;

import io.rotamq.core.port.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a store, held by one process at a time:
 *
 * <pre>
 *     format   what this is, and in which version
 *     lock     held while the store is open; names the process
 *     db/      RocksDB's files
 *     native/  RocksDB's library
 * </pre>
 *
 * <p>What is not such a directory is left alone. {@code format} comes last when a store is made
 * (before, it is {@code format.new}), so a store without files is never mistaken for a new one.
 */
final class Premises implements AutoCloseable {
    /** Goes up when what an older version wrote cannot be read as it is; see {@link Upgrade}. */
    static final int VERSION = 1;

    private static final String MAGIC = "rotamq store ";
    static final String FORMAT = "format";
    private static final String NEW = "format.new";
    private static final String LOCK = "lock";

    private final Path directory;
    private final FileChannel channel;
    private boolean isNew;

    private Premises(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /** Takes possession of a store, or of an empty directory. */
    static Premises enter(Path directory) throws IOException {
        checkKind(directory);
        create(directory);
        Premises premises = new Premises(directory, lock(directory));
        try {
            premises.readFormat();
            return premises;
        } catch (IOException | RuntimeException e) {
            premises.close();
            throw e;
        }
    }

    private static void create(Path directory) throws IOException {
        Path parent = directory.toAbsolutePath().getParent();
        if (!Files.exists(directory)) {
            Files.createDirectories(directory);
            if (parent != null) {
                sync(parent);
            }
        }
    }

    Path database() {
        return database(directory);
    }

    static Path database(Path directory) {
        return directory.resolve("db");
    }

    Path library() {
        return directory.resolve("native");
    }

    boolean isNew() {
        return isNew;
    }

    /** The store can be used: from now on its files must be there. */
    void complete() throws IOException {
        if (isNew) {
            writeFormat(directory);
            Files.deleteIfExists(directory.resolve(NEW));
            isNew = false;
        }
    }

    /** Says that a directory holds a store; the files must be there and synced. */
    static void writeFormat(Path directory) throws IOException {
        Path written = directory.resolve("format.tmp");
        write(written, MAGIC + VERSION + "\n");
        Files.move(written, directory.resolve(FORMAT), StandardCopyOption.ATOMIC_MOVE);
        sync(directory);
    }

    /** Makes the names in a directory durable. */
    static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** The version of what is there. */
    static int version(Path directory) throws IOException {
        Path format = directory.resolve(FORMAT);
        if (!Files.isRegularFile(format)) {
            throw new StoreException(directory + " holds no RotaMQ store");
        }
        String text = Files.readString(format, StandardCharsets.ISO_8859_1).strip();
        if (!text.matches(MAGIC + "[0-9]{1,9}")) {
            throw new StoreException(format + " is damaged: restore a backup");
        }
        int version = Integer.parseInt(text.substring(MAGIC.length()));
        if (version > VERSION) {
            throw new StoreException(
                    "%s has format %d, this RotaMQ knows %d: use a newer one"
                            .formatted(directory, version, VERSION));
        }
        return version;
    }

    static boolean isEmpty(Path directory) throws IOException {
        return entries(directory).isEmpty();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private static void checkKind(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        if (!Files.isDirectory(directory)) {
            throw new StoreException(directory + " is not a directory");
        }
        List<String> names = entries(directory);
        boolean ours =
                names.contains(FORMAT) || names.contains(NEW) || List.of(LOCK).containsAll(names);
        if (!ours) {
            throw new StoreException(
                    directory + " holds other files and no RotaMQ store: use an empty directory");
        }
    }

    private void readFormat() throws IOException {
        if (Files.exists(directory.resolve(FORMAT))) {
            Upgrade.all(directory, version(directory), VERSION);
            if (!Files.isRegularFile(database().resolve("CURRENT"))) {
                throw new StoreException(directory + " has lost its files in db: restore a backup");
            }
            return;
        }
        // Nothing was ever told as committed: whatever is there is the rest of an attempt.
        isNew = true;
        write(directory.resolve(NEW), MAGIC + VERSION + "\n");
    }

    private static FileChannel lock(Path directory) throws IOException {
        Path file = directory.resolve(LOCK);
        FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        if (tryLock(channel) == null) {
            String holder = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
            channel.close();
            throw new StoreException(
                    directory + " is in use by " + (holder.isEmpty() ? "another process" : holder));
        }
        String name = "process " + ProcessHandle.current().pid();
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(name.getBytes(StandardCharsets.ISO_8859_1)));
        return channel;
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // by this process
        }
    }

    private static void write(Path file, String text) throws IOException {
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
            channel.force(true);
        }
    }

    private static List<String> entries(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
