package io.rotamq.core.strategy;

import io.rotamq.core.strategy.Claim.Answer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One member is active: the eldest that is there, until it is lost; then the eldest of those that
 * are there then. One that comes back waits its turn again, since taking the work back would break
 * the order. While the active one is full the messages wait for it.
 *
 * <p>{@code exclusive} is the same with one member.
 */
final class Failover implements Strategy {
    /** Place of the active member; 0 if nobody is there. Written by all shards. */
    private final AtomicLong active = new AtomicLong();

    @Override
    public @Nullable Candidate choose(Roster roster, Message message, Claim claim) {
        if (roster.turns() == 0) {
            return null;
        }
        long place = active.get();
        int turn = Math.max(0, roster.find(place, 0));
        Candidate member = roster.turn(turn);
        Answer answer = claim.asksOwner(member);
        if (answer == Answer.CANNOT) {
            return next(roster, turn, claim);
        }
        return answer == Answer.TAKES ? member : null;
    }

    /**
     * The eldest of the others that can take it. What is too large for the active one does not
     * replace it, and neither does an attempt that fails.
     */
    private @Nullable Candidate next(Roster roster, int asked, Claim claim) {
        boolean lost = claim.hasLost(roster.turn(asked));
        long place = roster.turn(asked).place();
        for (int i = 0; i < roster.turns(); i++) {
            Candidate member = roster.turn(i);
            if (i == asked) {
                continue;
            }
            Answer answer = claim.asksOwner(member);
            if (answer == Answer.TAKES && lost) {
                active.compareAndSet(place, member.place());
            }
            if (answer != Answer.CANNOT) {
                return answer == Answer.TAKES ? member : null;
            }
        }
        return null;
    }

    @Override
    public @Nullable Candidate next(Roster roster) {
        int turn = roster.find(active.get(), 0);
        return turn < 0 ? null : roster.turn(turn);
    }

    @Override
    public void rosterChanges(Roster from, Roster to) {
        if (to.find(active.get(), 0) < 0) {
            active.set(to.turns() == 0 ? 0 : to.turn(0).place());
        }
    }

    @Override
    public boolean hasAffinity() {
        return true;
    }
}
