package io.rotamq.core.strategy;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One cursor per group on each node: every member in turn, whoever publishes. A member that cannot
 * take the message is passed over for one full pass, and the cursor then stands behind the member
 * that took it, so that nobody gets a double share.
 *
 * <p>The cursor is shared by all shards: an index into the rotation, moved by compare-and-set. When
 * two shards choose at once they get different turns.
 */
final class RoundRobinPerGroup implements Strategy {
    private final AtomicInteger cursor = new AtomicInteger();

    @Override
    public @Nullable Candidate choose(Roster roster, Message message, Claim claim) {
        int size = roster.turns();
        if (size == 0) {
            return null;
        }
        int start = take(size);
        for (int i = 0; i < size; i++) {
            int turn = (start + i) % size;
            Candidate member = roster.turn(turn);
            if (claim.asks(member)) {
                if (i > 0) {
                    cursor.compareAndSet(next(start, size), next(turn, size));
                }
                return member;
            }
        }
        cursor.compareAndSet(next(start, size), start);
        return null;
    }

    @Override
    public @Nullable Candidate next(Roster roster) {
        return roster.turns() == 0 ? null : roster.turn(cursor.get() % roster.turns());
    }

    @Override
    public long cursor() {
        return cursor.get();
    }

    /** Keeps the turn with the member whose turn it was, or with the one behind it. */
    @Override
    public void rosterChanges(Roster from, Roster to) {
        int size = from.turns();
        if (size == 0 || to.turns() == 0) {
            cursor.set(0);
            return;
        }
        int at = cursor.get() % size;
        int found = to.find(from.turn(at).place(), at);
        int turn = found >= 0 ? found : -1 - found;
        cursor.set(turn < to.turns() ? turn : 0);
    }

    private int take(int size) {
        while (true) {
            int at = cursor.get();
            int turn = at < size ? at : 0;
            if (cursor.compareAndSet(at, next(turn, size))) {
                return turn;
            }
        }
    }

    private static int next(int turn, int size) {
        return turn + 1 < size ? turn + 1 : 0;
    }
}
