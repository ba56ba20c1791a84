package io.rotamq.storage;

import java.nio.file.Path;

/**
 * Where and how the store keeps what it has.
 *
 * @param directory belongs to the store alone; made if it does not exist
 * @param reserve while less of the disk is free, only what deletes or is essential is taken; bytes
 * @param queueLimit where those who write begin to wait, in bytes that are not committed
 * @param writeBuffers memory for what is not in files yet, of all kinds together; bytes
 * @param blockCache memory for what was read, filters and indexes included; bytes
 */
public record StorageSettings(
        Path directory,
        Sync sync,
        long reserve,
        long queueLimit,
        long writeBuffers,
        long blockCache) {
    private static final long MIB = 1 << 20;

    /** What fits a small machine: about 120 MiB of memory outside the heap. */
    public static StorageSettings of(Path directory, Sync sync) {
        return new StorageSettings(directory, sync, 1024 * MIB, 64 * MIB, 64 * MIB, 32 * MIB);
    }

    public StorageSettings withReserve(long bytes) {
        return new StorageSettings(directory, sync, bytes, queueLimit, writeBuffers, blockCache);
    }
}
