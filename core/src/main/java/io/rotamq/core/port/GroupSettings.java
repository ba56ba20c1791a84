package io.rotamq.core.port;

/**
 * How one share group behaves.
 *
 * @param rule what gave it these settings, for people: {@code default}, or the rule's patterns
 * @param maximumMembers sessions that may be in the group; a further one is refused
 */
public record GroupSettings(
        String rule,
        Choice choice,
        OfflineMembers offlineMembers,
        BacklogLimits backlog,
        int maximumMembers) {

    public static final GroupSettings DEFAULTS =
            new GroupSettings(
                    "default",
                    Choice.DEFAULT,
                    OfflineMembers.SKIP,
                    BacklogLimits.DEFAULTS,
                    1 << 20);

    /** How the member for the next message is picked. */
    public enum StrategyName {
        ROUND_ROBIN_PER_GROUP,
        ROUND_ROBIN,
        RANDOM,
        STICKY,
        LOCAL,
        HASH_CLIENTID,
        HASH_TOPIC,
        LEAST_INFLIGHT,
        FAILOVER,
        EXCLUSIVE,
        KEY_SHARED
    }

    /** How {@code STICKY} picks a publisher's member. */
    public enum InitialPick {
        RANDOM,
        LOCAL,
        HASH_CLIENTID,
        HASH_TOPIC
    }

    /**
     * A strategy and what it needs.
     *
     * @param initialPick of {@code STICKY}
     * @param key of {@code KEY_SHARED}
     */
    public record Choice(StrategyName strategy, InitialPick initialPick, RoutingKey key) {
        public static final Choice DEFAULT = of(StrategyName.ROUND_ROBIN_PER_GROUP);

        /** A strategy with its usual options. */
        public static Choice of(StrategyName strategy) {
            return new Choice(strategy, InitialPick.RANDOM, RoutingKey.BY_CLIENT_ID);
        }
    }

    /** What becomes of the turn of a member whose connection is lost. */
    public enum OfflineMembers {
        /** It has none; what it had not acknowledged goes back to the group at once. */
        SKIP,
        /** A persistent member keeps it; its share waits for it until its session ends. */
        KEEP
    }

    /** What happens when a backlog grows beyond its bounds. */
    public enum Overflow {
        SLOW,
        DROP_OLDEST,
        REJECT_NEW
    }

    /**
     * Bounds of what waits.
     *
     * @param maximumMessages in the whole group
     * @param maximumBytes in the whole group
     * @param maximumLaneMessages of one routing key
     * @param highWater messages in the backlog from which on {@code SLOW} withholds
     *     acknowledgements
     * @param slowLimit milliseconds after which {@code SLOW} becomes {@code DROP_OLDEST}
     */
    public record BacklogLimits(
            Overflow overflow,
            int maximumMessages,
            long maximumBytes,
            int maximumLaneMessages,
            int highWater,
            long slowLimit) {
        public static final BacklogLimits DEFAULTS =
                new BacklogLimits(Overflow.SLOW, 100_000, 256L << 20, 10_000, 1_000, 30_000);

        /** Backlog size at which withheld acknowledgements are released. */
        public int lowWater() {
            return highWater / 2;
        }
    }
}
