package io.rotamq.server.config;

import static io.rotamq.server.config.Quantities.GIB;

import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.GroupSettings.BacklogLimits;
import io.rotamq.core.port.GroupSettings.Choice;
import io.rotamq.core.port.GroupSettings.InitialPick;
import io.rotamq.core.port.GroupSettings.OfflineMembers;
import io.rotamq.core.port.GroupSettings.Overflow;
import io.rotamq.core.port.GroupSettings.StrategyName;
import io.rotamq.core.port.RoutingKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The options of a share group, of all groups or of those that a rule names. */
final class GroupOptions {
    static final Setting<StrategyName> DEFAULT_STRATEGY =
            Setting.of(
                    "sharing.default-strategy",
                    Kinds.choice(StrategyName.class),
                    "round_robin_per_group",
                    "How a group picks the member for the next message. `round_robin_per_group`:"
                        + " the members in turn, whoever publishes. `round_robin`: in turn for each"
                        + " publisher. `random`: any. `sticky`: a publisher keeps the member that"
                        + " it first got (`initial-pick`). `local`: any member on this node."
                        + " `hash_clientid`, `hash_topic`: always the same member for a publisher"
                        + " or a topic. `least_inflight`: the member with the most free window."
                        + " `failover`: the eldest member, the others stand by. `exclusive`: one"
                        + " member, others are refused. `key_shared`: always the same member for a"
                        + " `key`, and one message of a key at a time. docs/sharing.md has their"
                        + " promises.");

    /** As a rule writes it. */
    static final Setting<StrategyName> STRATEGY = Setting.like(DEFAULT_STRATEGY, "strategy", "");

    static final Setting<InitialPick> INITIAL_PICK =
            Setting.of(
                    "sharing.initial-pick",
                    Kinds.choice(InitialPick.class),
                    "random",
                    "How `sticky` picks a publisher's member.");
    static final Setting<RoutingKey> KEY =
            Setting.of(
                    "sharing.key",
                    new RoutingKeyText(),
                    "client-id",
                    "What `key_shared` keeps order by: the whole topic, one level of it counted"
                            + " from 1, the publisher's client identifier, or the value of a user"
                            + " property. A message without it goes by the publisher's client"
                            + " identifier.");
    static final Setting<OfflineMembers> OFFLINE_MEMBERS =
            Setting.of(
                    "sharing.offline-members",
                    Kinds.choice(OfflineMembers.class),
                    "skip",
                    "What becomes of the turn of a member whose session lives and whose connection"
                        + " does not. `skip`: it loses its turn, and what it had not acknowledged"
                        + " goes to others. `keep`: its share is queued for it, and goes to others"
                        + " when its session ends.");
    static final Setting<Integer> MAX_MEMBERS =
            Setting.of(
                    "sharing.max-members",
                    Quantities.whole(1, 1_000_000),
                    "1000000",
                    "The most sessions in one group. SUBSCRIBE of a further one is refused (0x97 in"
                            + " MQTT 5). A group that has more when it is lowered keeps them.");
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
    static final Setting<Integer> BACKLOG_MAX_LANE_MESSAGES =
            Setting.of(
                    "sharing.backlog.max-lane-messages",
                    Quantities.whole(1, 100_000_000),
                    "10000",
                    "The most messages that wait for one routing key of `key_shared`; never more"
                            + " than `max-messages`.");
    static final Setting<Overflow> BACKLOG_OVERFLOW =
            Setting.of(
                    "sharing.backlog.overflow",
                    Kinds.choice(Overflow.class),
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

    /** Those that are called the same for all groups and in a rule. */
    private static final List<Setting<?>> COMMON =
            List.of(
                    INITIAL_PICK,
                    KEY,
                    OFFLINE_MEMBERS,
                    MAX_MEMBERS,
                    BACKLOG_MAX_MESSAGES,
                    BACKLOG_MAX_BYTES,
                    BACKLOG_MAX_LANE_MESSAGES,
                    BACKLOG_OVERFLOW,
                    BACKLOG_HIGH_WATER,
                    BACKLOG_SLOW_LIMIT);

    private GroupOptions() {}

    /** With the strategy first, called {@link #DEFAULT_STRATEGY} or {@link #STRATEGY}. */
    static List<Setting<?>> all(Setting<StrategyName> strategy) {
        List<Setting<?>> all = new ArrayList<>();
        all.add(strategy);
        all.addAll(COMMON);
        return List.copyOf(all);
    }

    /** The settings of a group, by the keys of a rule and in the words of the file. */
    static Map<String, Object> describe(GroupSettings settings) {
        Map<String, Object> words = new LinkedHashMap<>();
        Choice choice = settings.choice();
        BacklogLimits backlog = settings.backlog();
        words.put("strategy", STRATEGY.kind().show(choice.strategy()));
        words.put("initial-pick", INITIAL_PICK.kind().show(choice.initialPick()));
        words.put("key", KEY.kind().show(choice.key()));
        words.put("offline-members", OFFLINE_MEMBERS.kind().show(settings.offlineMembers()));
        words.put("max-members", settings.maximumMembers());
        Map<String, Object> limits = new LinkedHashMap<>();
        limits.put("max-messages", backlog.maximumMessages());
        limits.put("max-bytes", BACKLOG_MAX_BYTES.kind().show(backlog.maximumBytes()));
        limits.put("max-lane-messages", backlog.maximumLaneMessages());
        limits.put("overflow", BACKLOG_OVERFLOW.kind().show(backlog.overflow()));
        limits.put("high-water", backlog.highWater());
        Duration slowLimit = Duration.ofMillis(backlog.slowLimit());
        limits.put("slow-limit", BACKLOG_SLOW_LIMIT.kind().show(slowLimit));
        words.put("backlog", limits);
        return words;
    }

    /**
     * What the core asks for.
     *
     * @param rule what gave these values, in words
     */
    static GroupSettings settings(Values values, String rule) {
        int maximum = values.get(BACKLOG_MAX_MESSAGES);
        return new GroupSettings(
                rule,
                new Choice(values.get(STRATEGY), values.get(INITIAL_PICK), values.get(KEY)),
                values.get(OFFLINE_MEMBERS),
                new BacklogLimits(
                        values.get(BACKLOG_OVERFLOW),
                        maximum,
                        values.get(BACKLOG_MAX_BYTES),
                        Math.min(values.get(BACKLOG_MAX_LANE_MESSAGES), maximum),
                        Math.min(values.get(BACKLOG_HIGH_WATER), maximum),
                        values.get(BACKLOG_SLOW_LIMIT).toMillis()),
                values.get(MAX_MEMBERS));
    }
}
