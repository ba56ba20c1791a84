package io.rotamq.core.share;

/**
 * Who owned what hash in which roster, so that a known hash costs one look instead of one at every
 * member. Belongs to one shard and serves all its groups; a newer entry takes the place of an older
 * one. Made of numbers only: it keeps no member of a group that is gone, and needs no clearing,
 * since no two rosters have the same stamp.
 */
final class Owners {
    /** Never asked, or forgotten. */
    static final int UNKNOWN = -1;

    /** No member suits. */
    static final int NOBODY = -2;

    private static final int BITS = 14;

    private long[] stamps = {};
    private long[] hashes = {};
    private int[] turns = {};

    /** The owner's turn in the roster of that stamp, {@link #NOBODY} or {@link #UNKNOWN}. */
    int get(long stamp, long hash) {
        if (turns.length == 0) {
            return UNKNOWN;
        }
        int at = slot(stamp, hash);
        return hashes[at] == hash && stamps[at] == stamp ? turns[at] : UNKNOWN;
    }

    void put(long stamp, long hash, int turn) {
        if (turns.length == 0) {
            stamps = new long[1 << BITS];
            hashes = new long[1 << BITS];
            turns = new int[1 << BITS];
        }
        int at = slot(stamp, hash);
        stamps[at] = stamp;
        hashes[at] = hash;
        turns[at] = turn;
    }

    private static int slot(long stamp, long hash) {
        return (int) ((hash + stamp) * 0x9E37_79B9_7F4A_7C15L >>> Long.SIZE - BITS);
    }
}
