package io.rotamq.server.config;

import static io.rotamq.server.config.Quantities.GIB;

import java.time.Duration;
import java.util.List;

/**
 * The options of a share group.
 *
 * @param strategy how the member for the next message is picked
 * @param offlineMembers what becomes of the turn of a member that is away
 * @param backlog the messages that wait because no member can take them
 */
public record GroupSettings(Strategy strategy, OfflineMembers offlineMembers, Backlog backlog) {

    /** How a group picks the member for the next message. */
    public enum Strategy {
        ROUND_ROBIN_PER_GROUP
    }

    /** What becomes of the turn of a member whose session is there but whose connection is not. */
    public enum OfflineMembers {
        /** It loses its turn, and its unacknowledged QoS 1 messages go back to the group. */
        SKIP,
        /** It keeps its turn, and its share is queued for it. */
        KEEP
    }

    /** What happens to new messages when a group's backlog is full. */
    public enum BacklogOverflow {
        /** Publishers are slowed above the high-water mark; after a bounded time, drop oldest. */
        SLOW,
        DROP_OLDEST,
        /** The publisher is told (0x97 in MQTT 5). */
        REJECT_NEW
    }

    /**
     * A group's backlog.
     *
     * @param maxMessages the most messages in it
     * @param maxBytes the most bytes in it
     * @param overflow what happens at those bounds
     * @param highWater messages in it above which publishers are slowed
     * @param slowLimit how long publishers are slowed at a time before the oldest are dropped
     */
    public record Backlog(
            int maxMessages,
            long maxBytes,
            BacklogOverflow overflow,
            int highWater,
            Duration slowLimit) {}

    static final Setting<Strategy> DEFAULT_STRATEGY =
            Setting.of(
                    "sharing.default-strategy",
                    Kinds.choice(Strategy.class),
                    "round_robin_per_group",
                    "How a group picks the member for the next message. `round_robin_per_group`:"
                            + " the members in turn, whoever publishes.");
    static final Setting<OfflineMembers> OFFLINE_MEMBERS =
            Setting.of(
                    "sharing.offline-members",
                    Kinds.choice(OfflineMembers.class),
                    "skip",
                    "What becomes of the turn of a member whose session lives and whose connection"
                        + " does not. `skip`: it loses its turn, and what it had not acknowledged"
                        + " goes to others. `keep`: its share is queued for it, and goes to others"
                        + " when its session ends.");
    static final Setting<Integer> BACKLOG_MAX_MESSAGES =
            Setting.of(
                    "sharing.backlog.max-messages",
                    Quantities.whole(1, 100_000_000),
                    "100000",
                    "The most messages that wait in one group because no member can take them.");
    static final Setting<Long> BACKLOG_MAX_BYTES =
            Setting.of(
                    "sharing.backlog.max-bytes",
                    Quantities.size(1024, 1024 * GIB),
                    "256MiB",
                    "The most bytes of messages that wait in one group.");
    static final Setting<BacklogOverflow> BACKLOG_OVERFLOW =
            Setting.of(
                    "sharing.backlog.overflow",
                    Kinds.choice(BacklogOverflow.class),
                    "slow",
                    "What happens when a backlog fills. `slow`: above the high-water mark the"
                        + " publishers that feed the group are slowed; if that does not help for"
                        + " `slow-limit`, as `drop_oldest`. `drop_oldest`: the oldest message is"
                        + " dropped and counted. `reject_new`: the new one is dropped and counted,"
                        + " and an MQTT 5 publisher is told (0x97).");
    static final Setting<Integer> BACKLOG_HIGH_WATER =
            Setting.of(
                    "sharing.backlog.high-water",
                    Quantities.whole(1, 100_000_000),
                    "1000",
                    "The number of waiting messages above which `slow` slows publishers; never more"
                            + " than `max-messages`. A quarter of `max-bytes` or of `limits.memory`"
                            + " has the same effect.");
    static final Setting<Duration> BACKLOG_SLOW_LIMIT =
            Setting.of(
                    "sharing.backlog.slow-limit",
                    Quantities.span(Duration.ZERO, Duration.ofHours(1)),
                    "30s",
                    "How long `slow` slows publishers before the oldest messages are dropped.");

    static final List<Setting<?>> SETTINGS =
            List.of(
                    DEFAULT_STRATEGY,
                    OFFLINE_MEMBERS,
                    BACKLOG_MAX_MESSAGES,
                    BACKLOG_MAX_BYTES,
                    BACKLOG_OVERFLOW,
                    BACKLOG_HIGH_WATER,
                    BACKLOG_SLOW_LIMIT);

    static GroupSettings of(Values values, Strategy strategy) {
        return new GroupSettings(
                strategy,
                values.get(OFFLINE_MEMBERS),
                new Backlog(
                        values.get(BACKLOG_MAX_MESSAGES),
                        values.get(BACKLOG_MAX_BYTES),
                        values.get(BACKLOG_OVERFLOW),
                        Math.min(values.get(BACKLOG_HIGH_WATER), values.get(BACKLOG_MAX_MESSAGES)),
                        values.get(BACKLOG_SLOW_LIMIT)));
    }
}
