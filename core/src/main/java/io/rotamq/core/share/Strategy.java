package io.rotamq.core.share;

import io.rotamq.core.port.GroupSettings.Choice;
import org.jspecify.annotations.Nullable;

/**
 * How a group picks the member for the next message; one instance per group, used by all shards.
 */
public interface Strategy {
    /**
     * Asks members of the roster through {@code claim}, each at most once, until one takes the
     * message.
     *
     * @return the member that took it; null if nobody can now
     */
    @Nullable Member choose(Roster roster, Message message, Claim claim);

    /**
     * What waits in one line when nobody can take it: messages with equal lines keep their order,
     * those with others may pass them. A strategy without affinity has one line for all.
     */
    default Object line(Message message) {
        return Strategy.class;
    }

    /** The roster changed; called by one shard at a time, before others see the new one. */
    void rosterChanges(Roster from, Roster to);

    static Strategy of(Choice choice) {
        return switch (choice.strategy()) {
            case ROUND_ROBIN_PER_GROUP -> new RoundRobinPerGroup();
            default -> throw new IllegalArgumentException(choice.toString());
        };
    }
}
