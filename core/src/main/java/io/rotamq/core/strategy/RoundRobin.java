package io.rotamq.core.strategy;

import org.jspecify.annotations.Nullable;

/**
 * A cursor for each publisher: its messages go to every member in turn, beginning with one by
 * chance. The cursor stands behind the member that took the last message, and is gone with the
 * publisher's connection.
 */
final class RoundRobin extends PerPublisher {
    @Override
    public @Nullable Candidate choose(Roster roster, Message message, Claim claim) {
        int size = roster.turns();
        if (size == 0) {
            return null;
        }
        Bookmark bookmark = message.publisher().bookmark(this);
        long before = bookmark.read();
        int start = before == 0 ? claim.chance().below(size) : behind(before, roster);
        for (int i = 0; i < size; i++) {
            int turn = start + i < size ? start + i : start + i - size;
            Candidate member = roster.turn(turn);
            if (claim.asks(member)) {
                bookmark.move(before, member, turn);
                return member;
            }
        }
        return null;
    }

    private static int behind(long word, Roster roster) {
        int last = Bookmark.turn(word, roster);
        int next = last >= 0 ? last + 1 : -1 - last;
        return next < roster.turns() ? next : 0;
    }
}
