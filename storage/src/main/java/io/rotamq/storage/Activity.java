package io.rotamq.storage;

/**
 * What the storage thread did since the start.
 *
 * @param groups syncs, if there are any
 * @param batches handed over and answered
 * @param entries put or deleted
 * @param bytes of the batches
 * @param nanos spent writing and syncing
 * @param longestNanos the longest group
 */
public record Activity(
        long groups, long batches, long entries, long bytes, long nanos, long longestNanos) {
    /** Written by the storage thread alone. */
    static final class Counts {
        private long entries;
        private volatile Activity last = new Activity(0, 0, 0, 0, 0, 0);

        void entries(int count) {
            entries += count;
        }

        /** A group is done: one small object for each, so that a reader sees numbers that fit. */
        void group(int batches, long bytes, long nanos) {
            Activity before = last;
            last =
                    new Activity(
                            before.groups + 1,
                            before.batches + batches,
                            entries,
                            before.bytes + bytes,
                            before.nanos + nanos,
                            Math.max(before.longestNanos, nanos));
        }

        Activity snapshot() {
            return last;
        }
    }
}
