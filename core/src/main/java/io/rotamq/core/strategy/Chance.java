package io.rotamq.core.strategy;

/**
 * Chance that a seed repeats: the draws of one shard. Owned by that shard. Good enough to spread
 * work, not to keep secrets.
 */
final class Chance {
    private static final long STEP = 0x9E37_79B9_7F4A_7C15L;

    private long state;

    Chance(long seed) {
        state = seed;
    }

    /** A number from 0 to below {@code bound}, each as likely as the others. */
    int below(int bound) {
        state += STEP;
        return (int) ((Rendezvous.mix(state) >>> Integer.SIZE) * bound >>> Integer.SIZE);
    }
}
