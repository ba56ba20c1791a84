package io.rotamq.core.strategy;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The member with the most free window, ties in turn.
 *
 * <p>Not everybody is looked at for each message. The next in turn is chosen if it has as much room
 * as whoever had most when several were compared last. Else the next few are compared, and the best
 * that was seen before and not chosen. So with up to {@link #LOOKS} members the choice is what it
 * says, but for what was acknowledged within one round; in a larger group, whoever lags behind the
 * others is not chosen, and whoever has become free is found within one round.
 *
 * <p>What it knows is in one word, read and written by all shards without care for each other: a
 * stale one makes a worse guess, no wrong one.
 */
final class LeastInflight implements Strategy {
    /** Members that are compared at once. */
    static final int LOOKS = 8;

    private static final int TURN_BITS = 24;
    private static final int TURN = (1 << TURN_BITS) - 1;

    /** Receive Maximum allows no more. */
    private static final int MOST = 0xFFFF;

    /**
     * The turn to look at next; above it the turn of the best that was seen and may still be it;
     * above that its room, the level that others are measured by.
     */
    private final AtomicLong known = new AtomicLong(word(MOST, 0, 0));

    @Override
    public @Nullable Candidate choose(Roster roster, Message message, Claim claim) {
        int size = roster.turns();
        if (size == 0) {
            return null;
        }
        long word = known.getOpaque();
        int cursor = (int) word & TURN;
        int turn = cursor < size ? cursor : 0;
        int room = room(roster, turn);
        if (room > 0 && room >= word >>> 2 * TURN_BITS) {
            known.setOpaque(word(room, turn, turn + 1));
        } else {
            turn = freest(roster, turn, room, (int) (word >>> TURN_BITS) & TURN);
        }
        Candidate member = roster.turn(turn);
        return claim.asks(member) ? member : anybody(roster, turn, claim);
    }

    /** The best of the next few from {@code start} on, and of the one remembered. */
    private int freest(Roster roster, int start, int roomAtStart, int remembered) {
        int size = roster.turns();
        int chosen = start;
        int most = roomAtStart;
        int second = start;
        int runnerUp = -1;
        int at = start;
        for (int i = Math.min(size, LOOKS); i > 1; i--) {
            at = at + 1 < size ? at + 1 : 0;
            int room = room(roster, at);
            if (room > most) {
                second = chosen;
                runnerUp = most;
                chosen = at;
                most = room;
            } else if (room > runnerUp) {
                second = at;
                runnerUp = room;
            }
        }
        int cursor = chosen + 1;
        int room = remembered < size ? room(roster, remembered) : -1;
        if (room > most) {
            runnerUp = most;
            second = chosen;
            chosen = remembered;
            most = room;
            cursor = at + 1;
        }
        known.setOpaque(word(most, most > runnerUp ? chosen : second, cursor));
        return chosen;
    }

    private static long word(int room, int best, int cursor) {
        return (long) room << 2 * TURN_BITS | (long) best << TURN_BITS | cursor;
    }

    private static int room(Roster roster, int turn) {
        return Math.min(roster.turn(turn).window().room(), MOST);
    }

    /** One full pass over the others, in turn. */
    private static @Nullable Candidate anybody(Roster roster, int asked, Claim claim) {
        int size = roster.turns();
        for (int i = 1; i < size; i++) {
            Candidate member = roster.turn((asked + i) % size);
            if (claim.asks(member)) {
                return member;
            }
        }
        return null;
    }

    @Override
    public void rosterChanges(Roster from, Roster to) {
        // Turns are hints.
    }
}
