package io.rotamq.core.strategy;

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

    private static final int SET_BITS = 13;

    /** Words of a set of four entries, a line of the processor's cache: hash, stamp and turn. */
    private static final int SET = 8;

    private static final int TURN_BITS = 24;
    private static final int TURN = (1 << TURN_BITS) - 1;

    /** Made when first needed: many nodes have no group that hashes. */
    private long[] words = {};

    private int victim;

    /** The owner's turn in the roster of that stamp, {@link #NOBODY} or {@link #UNKNOWN}. */
    int get(long stamp, long hash) {
        if (words.length == 0) {
            return UNKNOWN;
        }
        int set = set(stamp, hash);
        for (int at = set; at < set + SET; at += 2) {
            if (words[at] == hash && words[at + 1] >>> TURN_BITS == stamp) {
                int turn = (int) words[at + 1] & TURN;
                return turn == TURN ? NOBODY : turn;
            }
        }
        return UNKNOWN;
    }

    void put(long stamp, long hash, int turn) {
        if (words.length == 0) {
            words = new long[SET << SET_BITS];
        }
        int set = set(stamp, hash);
        int at = set;
        while (at < set + SET && words[at + 1] != 0) {
            at += 2;
        }
        if (at == set + SET) {
            victim = victim + 2 & SET - 1;
            at = set + victim;
        }
        words[at] = hash;
        words[at + 1] = stamp << TURN_BITS | (turn == NOBODY ? TURN : turn);
    }

    private static int set(long stamp, long hash) {
        return SET * (int) ((hash + stamp) * 0x9E37_79B9_7F4A_7C15L >>> Long.SIZE - SET_BITS);
    }
}
