package io.rotamq.storage;

import io.rotamq.core.port.StoreException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives space back while the disk is nearly full: as long as deletions lie in memory, what they
 * delete lies on the disk, and so do the log files with both. Once they are in a file of their own
 * RocksDB compacts it away ({@link Tuning}); when little is written nothing else would make it. Not
 * a compaction of everything, which would need as much space again. Runs on a thread of its own,
 * now and then.
 */
final class Relief {
    static final Duration PAUSE = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(Relief.class);

    private final Database database;
    private final Gate gate;
    private final AtomicBoolean busy = new AtomicBoolean();
    private long lastStart = System.nanoTime();

    Relief(Database database, Gate gate) {
        this.database = database;
        this.gate = gate;
    }

    /** Called by the storage thread while the disk is nearly full. */
    void consider() {
        long now = System.nanoTime();
        if (now - lastStart >= PAUSE.toNanos() && busy.compareAndSet(false, true)) {
            lastStart = now;
            Thread.ofPlatform().name("rotamq-storage-relief").daemon().start(this::run);
        }
    }

    private void run() {
        try {
            gate.pass(
                    () -> {
                        database.flush();
                        return true;
                    });
        } catch (RocksDBException | StoreException e) {
            LOG.warn("could not give space back: {}", e.getMessage());
        } finally {
            busy.set(false);
        }
    }
}
