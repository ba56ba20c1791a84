package io.rotamq.core;

import io.rotamq.core.port.CoreSettings;
import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.GroupSettings.BacklogLimits;
import io.rotamq.core.port.GroupSettings.Choice;
import io.rotamq.core.port.GroupSettings.InitialPick;
import io.rotamq.core.port.GroupSettings.OfflineMembers;
import io.rotamq.core.port.GroupSettings.Overflow;
import io.rotamq.core.port.GroupSettings.StrategyName;
import io.rotamq.core.port.RoutingKey;
import io.rotamq.core.port.SharingSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a seed decides before the first step: how big the world is, how the broker is configured,
 * and what the clients and the network are like. Small bounds, so that they are reached.
 *
 * @param kinds the settings of groups at first
 * @param changes chance in 1,000 that a step changes the settings of groups
 * @param keyFilters chance in 100 that a shared subscription has a key filter, or one more
 * @param plain whether there are plain subscriptions besides the shared ones
 * @param interleave chance in 100 that other shards work whenever the core calls out
 * @param lag chance in 100 that a mailbox is left for later although its shard could work
 * @param keepAlive of the clients, in seconds, which they do not heed; 0 for none
 * @param patience how long put off acknowledgements are put off
 * @param trouble chance in 100 that a client's next deed breaks something
 */
record Scenario(
        CoreSettings core,
        List<GroupSettings> kinds,
        int changes,
        int keyFilters,
        int clients,
        boolean plain,
        int interleave,
        int trouble,
        int slowReaders,
        int smallPackets,
        int expiring,
        boolean negatives,
        int lag,
        int patience,
        int keepAlive) {
    private static final int KINDS = 4;

    private static final List<StrategyName> STRATEGIES = List.of(StrategyName.values());

    static Scenario of(SplittableRandom random) {
        int shards = 1 + random.nextInt(4);
        boolean roomy = random.nextInt(4) == 0;
        CoreSettings.Protocol p = CoreSettings.Protocol.DEFAULTS;
        CoreSettings.Protocol protocol =
                new CoreSettings.Protocol(
                        3 + random.nextInt(8),
                        p.maximumPacketSize(),
                        p.topicAliasMaximum(),
                        p.outboundTopicAliasMaximum(),
                        2,
                        true,
                        true,
                        true,
                        0,
                        0,
                        null,
                        null,
                        random.nextInt(3) > 0);
        CoreSettings.Limits l = CoreSettings.Limits.DEFAULTS;
        long memory = random.nextInt(12) == 0 ? 2_000 : l.memory();
        CoreSettings.Limits limits =
                new CoreSettings.Limits(
                        memory,
                        l.mailbox(),
                        l.connectTimeout(),
                        l.maximumSubscriptions(),
                        l.maximumClientIdLength(),
                        l.retainedMessages(),
                        l.retainedBytes(),
                        0);
        CoreSettings.Sessions sessions =
                new CoreSettings.Sessions(
                        0xFFFF_FFFFL,
                        1 + random.nextInt(6),
                        roomy ? 1_000 : 2 + random.nextInt(10),
                        roomy || random.nextBoolean() ? 1 << 20 : 1_500,
                        random.nextBoolean(),
                        1 << 28);
        List<GroupSettings> kinds = new ArrayList<>();
        for (int i = 0; i < KINDS; i++) {
            kinds.add(group(random, roomy));
        }
        SharingSettings sharing = new SharingSettings(true, Regimes.rules(kinds));
        return new Scenario(
                new CoreSettings(shards, protocol, limits, sessions, sharing),
                kinds,
                random.nextInt(3) == 0 ? 0 : 2 + random.nextInt(20),
                random.nextInt(3) == 0 ? 30 : 0,
                3 + random.nextInt(6),
                random.nextInt(2) == 0,
                random.nextInt(3) == 0 ? 0 : 5 + random.nextInt(30),
                random.nextInt(4) == 0 ? 0 : 2 + random.nextInt(12),
                random.nextInt(3) == 0 ? 50 : 0,
                random.nextInt(3) == 0 ? 30 : 0,
                random.nextInt(3) == 0 ? 30 : 0,
                random.nextInt(3) == 0,
                random.nextInt(3) == 0 ? 0 : random.nextInt(97),
                2 + random.nextInt(random.nextInt(3) == 0 ? 40 : 4),
                random.nextInt(4) == 0 ? 1 + random.nextInt(30) : 0);
    }

    private static GroupSettings group(SplittableRandom random, boolean roomy) {
        Overflow[] overflows = Overflow.values();
        int messages = roomy ? 100_000 : 4 + random.nextInt(12);
        return new GroupSettings(
                "scenario",
                choice(random),
                random.nextInt(3) == 0 ? OfflineMembers.KEEP : OfflineMembers.SKIP,
                new BacklogLimits(
                        overflows[random.nextInt(overflows.length)],
                        messages,
                        roomy || random.nextBoolean() ? 1 << 20 : 2_000,
                        random.nextInt(3) == 0 ? 1 + random.nextInt(8) : messages,
                        1 + random.nextInt(Math.min(10, messages)),
                        1_000L * (1 + random.nextInt(30))),
                random.nextInt(4) == 0 ? 1 + random.nextInt(4) : 1_000);
    }

    private static Choice choice(SplittableRandom random) {
        InitialPick[] picks = InitialPick.values();
        RoutingKey key =
                switch (random.nextInt(6)) {
                    case 0 -> RoutingKey.BY_CLIENT_ID;
                    case 1 -> RoutingKey.BY_TOPIC;
                    case 2 -> new RoutingKey.TopicLevel(1 + random.nextInt(3));
                    default -> new RoutingKey.UserProperty(Published.KEY);
                };
        return new Choice(
                STRATEGIES.get(random.nextInt(STRATEGIES.size())),
                picks[random.nextInt(picks.length)],
                key);
    }

    /** What an operator may make of a group's settings. */
    GroupSettings changed(GroupSettings before, SplittableRandom random) {
        GroupSettings other = group(random, random.nextInt(4) == 0);
        return switch (random.nextInt(4)) {
            case 0 -> other;
            case 1 ->
                    new GroupSettings(
                            before.rule(),
                            before.choice(),
                            other.offlineMembers(),
                            other.backlog(),
                            other.maximumMembers());
            default ->
                    new GroupSettings(
                            before.rule(),
                            other.choice(),
                            before.offlineMembers(),
                            before.backlog(),
                            before.maximumMembers());
        };
    }

    boolean isShortOfMemory() {
        return core.limits().memory() < CoreSettings.Limits.DEFAULTS.memory();
    }
}
