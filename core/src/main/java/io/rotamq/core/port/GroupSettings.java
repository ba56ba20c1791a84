package io.rotamq.core.port;

/**
 * How one share group behaves.
 *
 * @param maximumMessages bound of the backlog, in messages
 * @param maximumBytes bound of the backlog, in bytes
 * @param highWater messages in the backlog from which on {@code SLOW} withholds acknowledgements
 * @param slowLimit milliseconds after which {@code SLOW} becomes {@code DROP_OLDEST}
 */
public record GroupSettings(
        StrategyName strategy,
        OfflineMembers offlineMembers,
        Overflow overflow,
        int maximumMessages,
        long maximumBytes,
        int highWater,
        long slowLimit) {

    public static final GroupSettings DEFAULTS =
            new GroupSettings(
                    StrategyName.ROUND_ROBIN_PER_GROUP,
                    OfflineMembers.SKIP,
                    Overflow.SLOW,
                    100_000,
                    256L << 20,
                    1_000,
                    30_000);

    /** The strategies that exist. */
    public enum StrategyName {
        ROUND_ROBIN_PER_GROUP
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

    /** Backlog size at which withheld acknowledgements are released. */
    public int lowWater() {
        return highWater / 2;
    }
}
