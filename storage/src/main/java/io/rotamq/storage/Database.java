package io.rotamq.storage;

import io.rotamq.core.port.Store.Kind;
import io.rotamq.core.port.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RocksDB with one column family for each kind, open. Its methods may be called by any thread until
 * {@link #close}, which nobody may race with: {@link Gate} sees to that.
 */
final class Database implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Database.class);

    private final Premises premises;
    private final Tuning tuning;
    private final RocksDB rocks;
    private final Map<Kind, ColumnFamilyHandle> columns = new EnumMap<>(Kind.class);
    private final List<ColumnFamilyHandle> handles;
    private final WriteOptions synced = new WriteOptions().setSync(true);
    private final WriteOptions unsynced = new WriteOptions();

    private Database(
            Premises premises, Tuning tuning, RocksDB rocks, List<ColumnFamilyHandle> handles) {
        this.premises = premises;
        this.tuning = tuning;
        this.rocks = rocks;
        this.handles = handles;
        Kind[] kinds = Kind.values();
        for (int i = 0; i < kinds.length; i++) {
            columns.put(kinds[i], handles.get(i + 1));
        }
    }

    /** Opens or makes a store. */
    static Database open(StorageSettings settings) {
        try {
            Premises premises = Premises.enter(settings.directory());
            try {
                return open(settings, premises);
            } catch (IOException | RuntimeException e) {
                premises.close();
                throw e;
            }
        } catch (IOException e) {
            throw new StoreException("cannot use " + settings.directory() + ": " + e, e);
        }
    }

    private static Database open(StorageSettings settings, Premises premises) throws IOException {
        loadLibrary(premises.library());
        Tuning tuning = new Tuning(settings);
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        String path = premises.database().toString();
        tuning.database().setCreateIfMissing(premises.isNew());
        try {
            checkColumns(path, premises);
            RocksDB rocks = RocksDB.open(tuning.database(), path, descriptors(tuning), handles);
            premises.complete();
            return new Database(premises, tuning, rocks, handles);
        } catch (RocksDBException e) {
            tuning.close();
            throw new StoreException(
                    "cannot open the store in %s, it is left as it is: %s"
                            .formatted(settings.directory(), e.getMessage()),
                    e);
        }
    }

    /**
     * Into the store's own directory: what RocksDB unpacks into the system's temporary one stays
     * there when the process is killed.
     */
    private static void loadLibrary(Path directory) throws IOException {
        Files.createDirectories(directory);
        try {
            NativeLibraryLoader.getInstance().loadLibrary(directory.toString());
        } catch (UnsatisfiedLinkError e) {
            LOG.warn("{} cannot hold a library, trying the temporary directory", directory, e);
        }
        RocksDB.loadLibrary();
    }

    /** A newer version's kind would be lost from sight; RocksDB says so, but not in our words. */
    private static void checkColumns(String path, Premises premises) throws RocksDBException {
        if (premises.isNew()) {
            return;
        }
        try (Options options = new Options()) {
            for (byte[] name : RocksDB.listColumnFamilies(options, path)) {
                String label = new String(name, StandardCharsets.UTF_8);
                if (!label.equals("default") && !isKnown(label)) {
                    throw new StoreException(
                            path
                                    + " has entries of a kind that this RotaMQ does not know: "
                                    + label);
                }
            }
        }
    }

    private static boolean isKnown(String label) {
        for (Kind kind : Kind.values()) {
            if (kind.label().equals(label)) {
                return true;
            }
        }
        return false;
    }

    /** RocksDB's own default column family comes first and stays empty. */
    private static List<ColumnFamilyDescriptor> descriptors(Tuning tuning) {
        List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
        descriptors.add(
                new ColumnFamilyDescriptor(
                        RocksDB.DEFAULT_COLUMN_FAMILY, tuning.column(Kind.META)));
        for (Kind kind : Kind.values()) {
            ColumnFamilyOptions options = tuning.column(kind);
            descriptors.add(
                    new ColumnFamilyDescriptor(
                            kind.label().getBytes(StandardCharsets.UTF_8), options));
        }
        return descriptors;
    }

    Map<Kind, ColumnFamilyHandle> columns() {
        return columns;
    }

    ColumnFamilyHandle column(Kind kind) {
        ColumnFamilyHandle column = columns.get(kind);
        if (column == null) {
            throw new IllegalStateException("no column for " + kind);
        }
        return column;
    }

    RocksDB rocks() {
        return rocks;
    }

    Path directory() {
        return premises.database();
    }

    void write(WriteBatch batch, boolean sync) throws RocksDBException {
        rocks.write(sync ? synced : unsynced, batch);
    }

    /** A number that RocksDB keeps of a kind. */
    long property(Kind kind, String name) throws RocksDBException {
        return rocks.getLongProperty(column(kind), name);
    }

    /** Bytes that flushes and compactions of a kind wrote since the start. */
    long written(Kind kind) throws RocksDBException {
        String gibibytes =
                rocks.getMapProperty(column(kind), "rocksdb.cfstats")
                        .getOrDefault("compaction.Sum.WriteGB", "0");
        return (long) (Double.parseDouble(gibibytes) * (1L << 30));
    }

    /** Writes what is in memory to files, so that log files can go. */
    void flush() throws RocksDBException {
        try (FlushOptions options = new FlushOptions().setWaitForFlush(true)) {
            rocks.flush(options, List.copyOf(columns.values()));
        }
    }

    /** All that is written, as files of their own; links where the file system is the same. */
    void checkpoint(Path target) throws RocksDBException {
        try (Checkpoint checkpoint = Checkpoint.create(rocks)) {
            checkpoint.createCheckpoint(target.toString());
        }
    }

    /** Leaves no log file to be read at the next start. */
    @Override
    public void close() {
        try {
            flush();
        } catch (RocksDBException e) {
            LOG.warn("what was committed stays in the log file: {}", e.getMessage());
        }
        handles.forEach(ColumnFamilyHandle::close);
        try {
            rocks.closeE();
        } catch (RocksDBException e) {
            LOG.error("the store was not closed in order; what was committed is safe", e);
        }
        synced.close();
        unsynced.close();
        tuning.close();
        try {
            premises.close();
        } catch (IOException e) {
            LOG.warn("the lock was not released in order", e);
        }
    }
}
