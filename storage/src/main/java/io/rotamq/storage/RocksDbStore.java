package io.rotamq.storage;

import io.rotamq.core.port.Batch;
import io.rotamq.core.port.Store;
import io.rotamq.core.port.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * The store, and the logs in it, on RocksDB: one directory, one process, one thread that writes
 * groups ({@link GroupCommit}), one that reads ({@link Reads}). Safe for any thread. Answers must
 * not close it.
 */
public final class RocksDbStore implements Store, AutoCloseable {
    private final StorageSettings settings;
    private final Database database;
    private final Gate gate = new Gate();
    private final Health health;
    private final Writer writer;
    private final GroupCommit commits;
    private final Reads reads;
    private final Map<String, RocksDbLog> logs = new ConcurrentHashMap<>();

    private RocksDbStore(
            StorageSettings settings,
            Database database,
            FreeSpace space,
            UnaryOperator<Writer.Sink> between) {
        this.settings = settings;
        this.database = database;
        this.health = new Health(space, settings.reserve());
        this.writer =
                new Writer(database.columns(), between.apply(database::write), settings.sync());
        this.commits =
                new GroupCommit(writer, health, new Relief(database, gate), settings.queueLimit());
        this.reads = new Reads(database, gate);
    }

    /**
     * Opens the store in a directory, or makes one in an empty directory.
     *
     * @throws StoreException when the directory holds something else, is in use, is damaged or of a
     *     newer version; nothing in it is changed then
     */
    public static RocksDbStore open(StorageSettings settings) {
        return open(settings, null, UnaryOperator.identity());
    }

    /** For tests: with another disk to look at, and something between the writer and RocksDB. */
    static RocksDbStore open(
            StorageSettings settings,
            @Nullable FreeSpace space,
            UnaryOperator<Writer.Sink> between) {
        Database database = Database.open(settings);
        try {
            FreeSpace disk = space == null ? FreeSpace.of(settings.directory()) : space;
            RocksDbStore store = new RocksDbStore(settings, database, disk, between);
            store.commits.start();
            return store;
        } catch (IOException e) {
            database.close();
            throw new StoreException("cannot use " + settings.directory() + ": " + e, e);
        }
    }

    @Override
    public void write(Batch batch, Commit commit) {
        batch.lend();
        commits.submit(Submission.of(batch, commit));
    }

    @Override
    public void forEach(Kind kind, Visitor visitor, Progress progress) {
        reads.forEach(kind, visitor, progress);
    }

    @Override
    public void read(Kind kind, byte[] from, byte @Nullable [] to, int max, Reading reading) {
        reads.answer(
                () -> reads.range(kind, from, to, max == Integer.MAX_VALUE ? max : max + 1),
                new Reads.Answer<List<Entry>>() {
                    @Override
                    public void read(List<Entry> found) {
                        boolean more = found.size() > max;
                        reading.read(more ? found.subList(0, max) : found, more);
                    }

                    @Override
                    public void failed(Failure failure) {
                        reading.failed(failure);
                    }
                });
    }

    @Override
    public void get(Kind kind, List<byte[]> keys, Reading reading) {
        reads.answer(
                () -> reads.byKey(kind, keys),
                new Reads.Answer<List<Entry>>() {
                    @Override
                    public void read(List<Entry> found) {
                        reading.read(found, false);
                    }

                    @Override
                    public void failed(Failure failure) {
                        reading.failed(failure);
                    }
                });
    }

    @Override
    public State state() {
        return health.state();
    }

    @Override
    public long queuedBytes() {
        return commits.queuedBytes();
    }

    @Override
    public long queueLimit() {
        return settings.queueLimit();
    }

    /**
     * A log of this name in this store, the same each time; its appends share the groups and the
     * syncs of everything else.
     */
    public RocksDbLog log(String name) {
        return logs.computeIfAbsent(name, n -> RocksDbLog.open(n, commits, reads, gate));
    }

    /** How much there is of each kind; estimates that cost nothing. */
    public List<KindSize> sizes() {
        try {
            return gate.pass(this::measure);
        } catch (RocksDBException e) {
            throw new StoreException("cannot measure the store: " + e.getMessage(), e);
        }
    }

    private List<KindSize> measure() throws RocksDBException {
        List<KindSize> sizes = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            sizes.add(
                    new KindSize(
                            kind,
                            database.property(kind, "rocksdb.estimate-num-keys"),
                            database.property(kind, "rocksdb.total-sst-files-size"),
                            database.property(kind, "rocksdb.cur-size-all-mem-tables"),
                            database.written(kind)));
        }
        return sizes;
    }

    /** What the storage thread did since the start. */
    public Activity activity() {
        return commits.activity();
    }

    /**
     * Makes a store of what is committed now, while this one goes on. Costs little on the same file
     * system, where files are linked.
     *
     * @param target does not exist, or is an empty directory
     */
    public void backup(Path target) {
        Backup.make(database, gate, target);
    }

    /** Commits what is queued, answers what was asked, closes; idempotent. */
    @Override
    public void close() {
        commits.close();
        reads.close();
        gate.close(
                () -> {
                    writer.close();
                    database.close();
                });
    }
}
