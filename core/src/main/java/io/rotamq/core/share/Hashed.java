package io.rotamq.core.share;

import org.jspecify.annotations.Nullable;

/** The member follows from the publisher's client identifier, or from the topic. */
final class Hashed implements Strategy {
    private final boolean byTopic;

    /**
     * @param byTopic or else by client identifier
     */
    Hashed(boolean byTopic) {
        this.byTopic = byTopic;
    }

    @Override
    public @Nullable Member choose(Roster roster, Message message, Claim claim) {
        long hash = byTopic ? Rendezvous.hash(message.topic()) : message.publisher().hash();
        return Rendezvous.choose(roster, hash, Rendezvous.Suitable.EVERYBODY, claim);
    }

    /** What is hashed keeps its order. */
    @Override
    public Object line(Message message) {
        return byTopic ? message.topic() : message.publisher().clientId();
    }

    @Override
    public void rosterChanges(Roster from, Roster to) {
        // Owners follow from the roster alone.
    }

    @Override
    public boolean hasAffinity() {
        return true;
    }
}
