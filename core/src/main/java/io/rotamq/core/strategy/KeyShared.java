package io.rotamq.core.strategy;

import io.rotamq.core.port.RoutingKey;
import org.jspecify.annotations.Nullable;

/**
 * Each routing key has one owner among the members that take it, by {@link Rendezvous}. That at
 * most one message of a key is unacknowledged, and that a key moves only when none is, is the
 * business of the group's owner shard, through which all messages of such a group go.
 */
final class KeyShared implements Strategy {
    private final RoutingKeys keys;

    KeyShared(RoutingKey rule) {
        keys = new RoutingKeys(rule);
    }

    @Override
    public @Nullable Candidate choose(Roster roster, Message message, Claim claim) {
        Key key = keys.of(message);
        Candidate member = Rendezvous.choose(roster, key.hash(), key, claim);
        if (member == null && claim.passedOver() == 0) {
            examine(roster, key, claim);
        }
        return member;
    }

    /** Why nobody suits: the key is unwanted, or who wants it does not acknowledge. */
    private static void examine(Roster roster, Key key, Claim claim) {
        boolean wanted = roster.turns() == 0;
        for (int i = 0; i < roster.turns(); i++) {
            Candidate member = roster.turn(i);
            if (key.isWantedBy(member)) {
                wanted = true;
                claim.passOver(member, PassOver.QOS_TOO_LOW);
            }
        }
        if (!wanted) {
            claim.keyFiltered();
        }
    }

    /** The routing key, a string. */
    @Override
    public Object line(Message message) {
        return keys.of(message).text();
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
