package io.rotamq.core.strategy;

import org.jspecify.annotations.Nullable;

/**
 * Any member, each as likely as the others; who is passed over leaves its share to all others
 * alike. So is {@code local} on one node, where all members are near.
 */
final class Uniform implements Strategy {
    @Override
    public @Nullable Candidate choose(Roster roster, Message message, Claim claim) {
        int size = roster.turns();
        if (size == 0) {
            return null;
        }
        int turn = claim.chance().below(size);
        Candidate member = roster.turn(turn);
        if (claim.asks(member)) {
            return member;
        }
        return size == 1 ? null : others(roster, turn, claim);
    }

    /** Everybody else, by steps of a length that meets each once: no neighbour inherits it all. */
    private static @Nullable Candidate others(Roster roster, int first, Claim claim) {
        int size = roster.turns();
        int step = step(size, claim.chance());
        int turn = first;
        for (int i = 1; i < size; i++) {
            turn = (turn + step) % size;
            Candidate member = roster.turn(turn);
            if (claim.asks(member)) {
                return member;
            }
        }
        return null;
    }

    private static int step(int size, Chance chance) {
        while (true) {
            int step = 1 + chance.below(size - 1);
            if (isCoprime(step, size)) {
                return step;
            }
        }
    }

    private static boolean isCoprime(int a, int b) {
        int larger = b;
        int smaller = a;
        while (smaller != 0) {
            int rest = larger % smaller;
            larger = smaller;
            smaller = rest;
        }
        return larger == 1;
    }

    @Override
    public void rosterChanges(Roster from, Roster to) {
        // Chance remembers nobody.
    }
}
