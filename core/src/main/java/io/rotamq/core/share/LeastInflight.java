package io.rotamq.core.share;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The member with the most free window, ties in turn. A large group is not searched for each
 * message: the next few in turn are looked at, and the best that was seen before and not chosen. So
 * whoever lags behind is not chosen, and whoever has become free is found within one round.
 *
 * <p>Cursor and best are indexes into the rotation, shared by all shards; a stale one is only a
 * worse guess.
 */
final class LeastInflight implements Strategy {
    /** Groups up to this size are looked at as a whole. */
    static final int LOOKS = 8;

    private final AtomicInteger cursor = new AtomicInteger();
    private final AtomicInteger best = new AtomicInteger();

    @Override
    public @Nullable Member choose(Roster roster, Message message, Claim claim) {
        int size = roster.turns();
        if (size == 0) {
            return null;
        }
        int at = cursor.getOpaque();
        int start = at < size ? at : 0;
        int turn = freest(roster, start, size);
        Member member = roster.turn(turn);
        if (claim.asks(member)) {
            return member;
        }
        return anybody(roster, turn, claim);
    }

    private int freest(Roster roster, int start, int size) {
        int chosen = start;
        int most = roster.turn(start).recipient().window().room();
        int second = start;
        int runnerUp = -1;
        int at = start;
        for (int i = Math.min(size, LOOKS); i > 1; i--) {
            at = at + 1 < size ? at + 1 : 0;
            int room = roster.turn(at).recipient().window().room();
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
        int remembered = best.getOpaque();
        if (size > LOOKS && remembered < size) {
            int room = roster.turn(remembered).recipient().window().room();
            if (room > most) {
                // Still the best of all: it stays in mind, and others are looked at next time.
                cursor.setOpaque(at + 1);
                return remembered;
            }
            best.setOpaque(room > runnerUp ? remembered : second);
        }
        cursor.setOpaque(chosen + 1);
        return chosen;
    }

    /** One full pass over the others, in turn. */
    private static @Nullable Member anybody(Roster roster, int asked, Claim claim) {
        int size = roster.turns();
        for (int i = 1; i < size; i++) {
            Member member = roster.turn((asked + i) % size);
            if (claim.asks(member)) {
                return member;
            }
        }
        return null;
    }

    @Override
    public void rosterChanges(Roster from, Roster to) {
        // Indexes are hints.
    }
}
