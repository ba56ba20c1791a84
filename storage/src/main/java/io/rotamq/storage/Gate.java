package io.rotamq.storage;

import io.rotamq.core.port.StoreException;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.rocksdb.RocksDBException;

/**
 * Lets many use the database, and closes it when nobody does: using it later would end the process,
 * not throw.
 */
final class Gate {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private boolean closed;

    /** What is done with the database. */
    interface Use<T> {
        T use() throws RocksDBException;
    }

    /**
     * Does something with the database.
     *
     * @throws StoreException when it is closed
     */
    <T> T pass(Use<T> use) throws RocksDBException {
        lock.readLock().lock();
        try {
            if (closed) {
                throw new StoreException("the store is closed");
            }
            return use.use();
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Waits for those inside; false if it was closed before. */
    boolean close(Runnable then) {
        lock.writeLock().lock();
        try {
            if (closed) {
                return false;
            }
            closed = true;
            then.run();
            return true;
        } finally {
            lock.writeLock().unlock();
        }
    }
}
