package io.rotamq.core.strategy;

import io.rotamq.core.port.GroupSettings.InitialPick;
import io.rotamq.core.strategy.Claim.Answer;
import org.jspecify.annotations.Nullable;

/**
 * Each publisher keeps the member it first got, for as long as that member is in rotation. While
 * the member is there but full, the publisher's messages wait for it; what is too large for it goes
 * to another without changing that, and so does what cannot be kept for it while it is away.
 */
final class Sticky extends PerPublisher {
    private final InitialPick pick;

    Sticky(InitialPick pick) {
        this.pick = pick;
    }

    @Override
    public @Nullable Candidate choose(Roster roster, Message message, Claim claim) {
        if (roster.turns() == 0) {
            return null;
        }
        Bookmark bookmark = message.publisher().bookmark(this);
        long before = bookmark.read();
        int own = before == 0 ? -1 : Bookmark.turn(before, roster);
        if (own < 0) {
            return pick(roster, message, claim, bookmark, before, -1);
        }
        Candidate member = roster.turn(own);
        Answer answer = claim.asksOwner(member);
        if (answer == Answer.CANNOT) {
            return pick(roster, message, claim, bookmark, before, own);
        }
        return answer == Answer.TAKES ? member : null;
    }

    /** Messages of one client keep their order, also those of its next connection. */
    @Override
    public Object line(Message message) {
        return message.publisher().clientId();
    }

    /** Asks all but {@code asked}, in the order of the first pick. */
    private @Nullable Candidate pick(
            Roster roster,
            Message message,
            Claim claim,
            Bookmark bookmark,
            long before,
            int asked) {
        boolean stays = asked >= 0 && !claim.hasLost(roster.turn(asked));
        Order order = order(roster, message, claim);
        for (int i = 0; i < roster.turns(); i++) {
            int turn = order.turn(i);
            Candidate member = roster.turn(turn);
            if (turn != asked && claim.asks(member)) {
                if (!stays) {
                    bookmark.move(before, member, turn);
                }
                return member;
            }
        }
        return null;
    }

    private interface Order {
        int turn(int index);
    }

    private Order order(Roster roster, Message message, Claim claim) {
        return switch (pick) {
            // All members are on this node.
            case RANDOM, LOCAL -> {
                int size = roster.turns();
                int start = claim.chance().below(size);
                yield i -> (start + i) % size;
            }
            case HASH_CLIENTID -> heaviestFirst(roster, message.publisher().hash());
            case HASH_TOPIC -> heaviestFirst(roster, Rendezvous.hash(message.topic()));
        };
    }

    private static Order heaviestFirst(Roster roster, long hash) {
        long[] weights = Rendezvous.weights(roster, hash);
        return i -> Rendezvous.turn(weights[weights.length - 1 - i]);
    }

    @Override
    public boolean hasAffinity() {
        return true;
    }
}
