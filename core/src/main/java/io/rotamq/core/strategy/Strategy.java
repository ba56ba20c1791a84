package io.rotamq.core.strategy;

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
    @Nullable Candidate choose(Roster roster, Message message, Claim claim);

    /**
     * What waits in one line when nobody can take it: messages with equal lines keep their order,
     * those with others may pass them. A strategy without affinity has one line for all.
     */
    default Object line(Message message) {
        return Strategy.class;
    }

    /** Whether a message may have to wait for one member though others could take it. */
    default boolean hasAffinity() {
        return false;
    }

    /** Who is next, or active; null if that depends on the message. Asked by any thread. */
    default @Nullable Candidate next(Roster roster) {
        return null;
    }

    /** The turn that is next, if the group has one cursor; else -1. Asked by any thread. */
    default long cursor() {
        return -1;
    }

    /** The roster changed; called by one shard at a time, before others see the new one. */
    void rosterChanges(Roster from, Roster to);

    /** The group has ended or has another strategy from now on. */
    default void retire() {}

    /** Whether it is used no more, so that what publishers keep for it can go. */
    default boolean hasRetired() {
        return false;
    }

    static Strategy of(Choice choice) {
        return switch (choice.strategy()) {
            case ROUND_ROBIN_PER_GROUP -> new RoundRobinPerGroup();
            case ROUND_ROBIN -> new RoundRobin();
            case RANDOM, LOCAL -> new Uniform();
            case STICKY -> new Sticky(choice.initialPick());
            case HASH_CLIENTID -> new HashClientId();
            case HASH_TOPIC -> new HashTopic();
            case LEAST_INFLIGHT -> new LeastInflight();
            case FAILOVER, EXCLUSIVE -> new Failover();
            case KEY_SHARED -> new KeyShared(choice.key());
        };
    }
}
