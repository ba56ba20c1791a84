package io.rotamq.core.strategy;

import org.jspecify.annotations.Nullable;

/** The member follows from the topic, by {@link Rendezvous}. */
final class HashTopic implements Strategy {
    @Override
    public @Nullable Candidate choose(Roster roster, Message message, Claim claim) {
        long hash = Rendezvous.hash(message.topic());
        return Rendezvous.choose(roster, hash, Rendezvous.Suitable.EVERYBODY, claim);
    }

    /** Messages of one topic keep their order. */
    @Override
    public Object line(Message message) {
        return message.topic();
    }

    @Override
    public boolean hasAffinity() {
        return true;
    }

    @Override
    public void rosterChanges(Roster from, Roster to) {
        // Owners follow from the roster alone.
    }
}
