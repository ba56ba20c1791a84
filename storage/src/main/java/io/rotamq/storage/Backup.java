package io.rotamq.storage;

import io.rotamq.core.port.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.rocksdb.RocksDBException;

/** Copies of a store. A copy is a store: it can be opened, or restored elsewhere. */
public final class Backup {
    private Backup() {}

    static void make(Database database, Gate gate, Path target) {
        try {
            checkFree(target);
            Files.createDirectories(target);
            Path files = Premises.database(target);
            gate.pass(
                    () -> {
                        database.checkpoint(files);
                        return files;
                    });
            syncAll(files);
            Premises.writeFormat(target);
        } catch (IOException | RocksDBException e) {
            throw new StoreException("cannot back up to " + target + ": " + e.getMessage(), e);
        }
    }

    /**
     * Copies a backup to where a store shall be opened.
     *
     * @param target does not exist, or is an empty directory: nothing is overwritten
     * @throws StoreException when it is not so, or the backup is none or cannot be read
     */
    public static void restore(Path backup, Path target) {
        try {
            Premises.version(backup);
            checkFree(target);
            Path files = Premises.database(target);
            Files.createDirectories(files);
            for (Path file : list(Premises.database(backup))) {
                Files.copy(file, files.resolve(file.getFileName()));
            }
            syncAll(files);
            Files.copy(backup.resolve(Premises.FORMAT), target.resolve(Premises.FORMAT));
            Premises.sync(target);
        } catch (IOException e) {
            throw new StoreException(
                    "cannot restore %s to %s: %s".formatted(backup, target, e.getMessage()), e);
        }
    }

    private static void checkFree(Path target) throws IOException {
        if (Files.exists(target) && !(Files.isDirectory(target) && Premises.isEmpty(target))) {
            throw new StoreException(target + " is not empty: nothing is overwritten");
        }
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> !file.endsWith("LOCK")).toList();
        }
    }

    private static void syncAll(Path directory) throws IOException {
        for (Path file : list(directory)) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
        Premises.sync(directory);
    }
}
