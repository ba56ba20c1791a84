package io.rotamq.server;

import io.rotamq.core.Node;
import io.rotamq.core.port.Store;
import io.rotamq.core.port.StoreException;
import io.rotamq.server.admin.Durability;
import io.rotamq.server.admin.MetricsSink;
import io.rotamq.server.admin.MetricsSource;
import io.rotamq.server.config.Configuration;
import io.rotamq.server.config.StoreSettings;
import io.rotamq.storage.Activity;
import io.rotamq.storage.RocksDbStore;
import io.rotamq.storage.StorageSettings;
import io.rotamq.storage.Sync;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What outlives the process, from its configuration to its figures. Safe for any thread. */
final class DataStore implements Durability, MetricsSource, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DataStore.class);
    private static final double NANOS = 1e9;

    private final RocksDbStore store;
    private final Path directory;
    private volatile double recoverySeconds;

    private DataStore(RocksDbStore store, Path directory) {
        this.store = store;
        this.directory = directory;
    }

    /**
     * The store of a configuration, if there shall be one.
     *
     * @throws StartException when the directory cannot be used; nothing in it is changed then
     */
    static @Nullable DataStore open(Configuration configuration) throws StartException {
        if (!configuration.storage().enabled()) {
            return null;
        }
        StorageSettings settings = settings(configuration);
        try {
            return new DataStore(RocksDbStore.open(settings), settings.directory());
        } catch (StoreException e) {
            throw new StartException("storage: " + e.getMessage(), e);
        }
    }

    private static StorageSettings settings(Configuration configuration) {
        StoreSettings storage = configuration.storage();
        return new StorageSettings(
                configuration.storeDirectory(),
                storage.sync() == StoreSettings.Sync.COMMIT ? Sync.COMMIT : Sync.OS,
                storage.reserve(),
                storage.queue(),
                storage.writeBuffers(),
                storage.blockCache());
    }

    Store store() {
        return store;
    }

    /**
     * Makes the node what the store says, and tells how far that is.
     *
     * @throws StartException when what is stored cannot be understood
     */
    void recover(Node node) throws StartException {
        RecoveryProgress progress = new RecoveryProgress();
        long start = System.nanoTime();
        try {
            node.recover(progress);
        } catch (StoreException e) {
            throw new StartException("storage: " + directory + ": " + e.getMessage(), e);
        }
        recoverySeconds = (System.nanoTime() - start) / NANOS;
        LOG.info(
                "Recovered {} sessions and {} retained messages from {} in {} s{}",
                node.sessions(),
                node.retained(),
                directory,
                "%.3f".formatted(recoverySeconds),
                progress.summary());
    }

    @Override
    public Health health() {
        return switch (store.state()) {
            case Store.State.Accepting() -> new Health(true, "");
            case Store.State.NearlyFull(long free, long reserve) ->
                    new Health(
                            true,
                            "the disk of %s has %d bytes left, less than storage.reserve (%d)"
                                    .formatted(directory, free, reserve));
            case Store.State.Failed(String reason) ->
                    new Health(false, "the store has failed: " + reason);
        };
    }

    @Override
    public Optional<String> backup(Path target) {
        long start = System.nanoTime();
        try {
            store.backup(target);
        } catch (StoreException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
        LOG.info("Backed up to {} in {} ms", target, (System.nanoTime() - start) / 1_000_000);
        return Optional.empty();
    }

    @Override
    public void collect(MetricsSink sink) {
        Activity done = store.activity();
        counter(sink, "entries", "Entries stored or deleted", (double) done.entries());
        counter(sink, "bytes", "Bytes of the batches that were committed", (double) done.bytes());
        counter(sink, "batches", "Batches that were committed", (double) done.batches());
        counter(
                sink,
                "commits",
                "Groups of batches that were committed together",
                (double) done.groups());
        counter(sink, "commit_seconds", "Time spent in commits", done.nanos() / NANOS);
        gauge(sink, "commit_longest_seconds", "The longest commit", done.longestNanos() / NANOS);
        gauge(sink, "queued_bytes", "Bytes that wait for a commit", (double) store.queuedBytes());
        gauge(sink, "recovery_seconds", "Time of the recovery at the start", recoverySeconds);
        Store.State now = store.state();
        state(sink, "accepting", now instanceof Store.State.Accepting);
        state(sink, "nearly_full", now instanceof Store.State.NearlyFull);
        state(sink, "failed", now instanceof Store.State.Failed);
    }

    private static void counter(MetricsSink sink, String name, String help, double value) {
        sink.counter("rotamq_storage_" + name + "_total", help, value);
    }

    private static void gauge(MetricsSink sink, String name, String help, double value) {
        sink.gauge("rotamq_storage_" + name, help, value);
    }

    private static void state(MetricsSink sink, String state, boolean isNow) {
        sink.gauge(
                "rotamq_storage_state",
                "1 for the state in which the store is",
                isNow ? 1 : 0,
                "state",
                state);
    }

    /** Commits what is left and gives the directory back. */
    @Override
    public void close() {
        store.close();
    }
}
