package io.rotamq.server.config;

import static io.rotamq.server.config.Quantities.GIB;
import static io.rotamq.server.config.Quantities.MIB;

import java.util.List;

/**
 * How what outlives the process is kept, below {@code node.data}.
 *
 * @param enabled false: nothing outlives the process
 * @param sync when something counts as safe
 * @param reserve what has to stay free of the disk; bytes
 * @param queue what may wait for the disk; bytes
 * @param writeBuffers memory outside of the heap for what is not in files yet; bytes
 * @param blockCache memory outside of the heap for what was read; bytes
 */
public record StoreSettings(
        boolean enabled, Sync sync, long reserve, long queue, long writeBuffers, long blockCache) {
    /** When something counts as safe. */
    public enum Sync {
        COMMIT,
        OS
    }

    static final Setting<Boolean> ENABLED =
            Setting.of(
                    "storage.enabled",
                    Kinds.flag(),
                    "true",
                    "Whether sessions with an expiry, what waits for them, and retained messages"
                            + " outlive the process. `false`: nothing is read or written.");
    static final Setting<Sync> SYNC =
            Setting.of(
                    "storage.sync",
                    Kinds.choice(Sync.class),
                    "commit",
                    "When something counts as safe and is acknowledged. `commit`: when it is on the"
                            + " disk, so that it survives a power cut. `os`: when the operating"
                            + " system has it, so that it survives the death of the process.");
    static final Setting<Long> RESERVE =
            Setting.of(
                    "storage.reserve",
                    Quantities.size(0, 1024 * GIB),
                    "1GiB",
                    "While less of the disk is free, publishes that would have to be stored are"
                            + " refused with 0x97; the rest is served.");
    static final Setting<Long> QUEUE =
            Setting.of(
                    "storage.queue",
                    Quantities.size(MIB, 16 * GIB),
                    "64MiB",
                    "The most bytes that wait for the disk. Beyond it the broker waits for the"
                            + " disk.");
    static final Setting<Long> WRITE_BUFFERS =
            Setting.of(
                    "storage.write-buffers",
                    Quantities.size(8 * MIB, 16 * GIB),
                    "64MiB",
                    "Memory outside of the heap for what is not in tables yet.");
    static final Setting<Long> BLOCK_CACHE =
            Setting.of(
                    "storage.block-cache",
                    Quantities.size(MIB, 64 * GIB),
                    "32MiB",
                    "Memory outside of the heap for what was read from tables.");

    static final Section SECTION =
            new Section(
                    "Storage",
                    "",
                    List.of(ENABLED, SYNC, RESERVE, QUEUE, WRITE_BUFFERS, BLOCK_CACHE));

    static StoreSettings of(Values values) {
        return new StoreSettings(
                values.get(ENABLED),
                values.get(SYNC),
                values.get(RESERVE),
                values.get(QUEUE),
                values.get(WRITE_BUFFERS),
                values.get(BLOCK_CACHE));
    }
}
