package io.rotamq.storage;

import static org.awaitility.Awaitility.await;

import io.rotamq.core.port.Store;
import io.rotamq.core.port.StoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

class RocksDbStoreTest extends StoreContract {
    @TempDir Path directory;
    private volatile long freeBytes = Long.MAX_VALUE;
    private volatile boolean broken;

    @Override
    protected Store open() {
        StorageSettings settings = StorageSettings.of(directory, Sync.COMMIT).withReserve(RESERVE);
        return RocksDbStore.open(
                settings,
                () -> freeBytes,
                sink ->
                        (part, sync) -> {
                            if (broken) {
                                throw new RocksDBException(
                                        new Status(
                                                Status.Code.IOError, Status.SubCode.None, "eio"));
                            }
                            sink.write(part, sync);
                        });
    }

    @Override
    protected void close(Store store) {
        ((RocksDbStore) store).close();
    }

    @Override
    protected void setFreeBytes(Store store, long bytes) {
        freeBytes = bytes;
        await().until(() -> bytes >= RESERVE || store.state() instanceof Store.State.NearlyFull);
    }

    @Override
    protected void breakDisk(Store store) {
        broken = true;
    }
}
