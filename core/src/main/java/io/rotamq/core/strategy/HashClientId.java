package io.rotamq.core.strategy;

import org.jspecify.annotations.Nullable;

/**
 * The member follows from the publisher's client identifier, by {@link Rendezvous}. Each publisher
 * keeps its owner in mind, so that their number does not matter.
 */
final class HashClientId extends PerPublisher {
    @Override
    public @Nullable Candidate choose(Roster roster, Message message, Claim claim) {
        Publisher publisher = message.publisher();
        Bookmark bookmark = publisher.bookmark(this);
        long hash = publisher.hash();
        int turn = bookmark.turn(roster.stamp());
        if (turn < 0) {
            turn = Rendezvous.heaviest(roster, hash, Rendezvous.Suitable.EVERYBODY);
            if (turn < 0) {
                return null;
            }
            bookmark.set(roster.stamp(), turn);
        }
        return Rendezvous.ask(roster, turn, hash, Rendezvous.Suitable.EVERYBODY, claim);
    }

    /** Messages of one client identifier keep their order. */
    @Override
    public Object line(Message message) {
        return message.publisher().clientId();
    }

    @Override
    public boolean hasAffinity() {
        return true;
    }
}
