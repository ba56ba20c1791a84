package io.rotamq.core.strategy;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Which member of a group is a publisher's, or was given its last message. One atomic word, because
 * a message that waited is placed by the group's owner. A strategy keeps there either the member's
 * place in the order of joining, which says where to go on even when it has left, and its latest
 * turn as a hint of where to look; or a turn and the stamp of the roster in which it is.
 */
final class Bookmark {
    private static final int TURN_BITS = 24;
    private static final long TURN = (1L << TURN_BITS) - 1;

    private final Strategy strategy;
    private final AtomicLong word = new AtomicLong();

    Bookmark(Strategy strategy) {
        this.strategy = strategy;
    }

    Strategy strategy() {
        return strategy;
    }

    /** The word as it is, for {@link #turn} and {@link #move}; 0 before the first choice. */
    long read() {
        return word.get();
    }

    /** Where the member of a word has its turn in the roster, as {@link Roster#find} says. */
    static int turn(long word, Roster roster) {
        return roster.find(word >>> TURN_BITS, (int) (word & TURN));
    }

    /** The turn noted of the roster with this stamp; -1 if the note is of another one. */
    int turn(long stamp) {
        long noted = word.get();
        return noted >>> TURN_BITS == stamp ? (int) (noted & TURN) : -1;
    }

    /** Notes a turn in the roster with this stamp. */
    void set(long stamp, int turn) {
        word.setRelease(stamp << TURN_BITS | turn);
    }

    /** Moves to the member that has this turn, unless somebody else has moved it. */
    void move(long from, Candidate member, int turn) {
        word.compareAndSet(from, member.place() << TURN_BITS | turn & TURN);
    }
}
