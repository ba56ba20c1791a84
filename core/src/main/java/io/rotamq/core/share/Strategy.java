package io.rotamq.core.share;

import io.rotamq.core.port.GroupSettings.StrategyName;
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

    /** The roster changed; called by one shard at a time, before others see the new one. */
    void rosterChanges(Roster from, Roster to);

    static Strategy of(StrategyName name) {
        return switch (name) {
            case ROUND_ROBIN_PER_GROUP -> new RoundRobinPerGroup();
        };
    }
}
