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
import io.rotamq.core.session.Session;
import io.rotamq.core.share.Group;
import java.util.Objects;

/**
 * A node with one or two shards and one kind of group: members on the first shard, the publisher on
 * the last one. Messages arrive when the test lets the shards run.
 */
final class SharedWorld {
    static final String FILTER = "$share/g/k/#";

    final long[] now = {1};
    final Node node;
    final Shard first;
    final Shard last;
    final TestPeer publisher;
    private GroupSettings settings;

    SharedWorld(int shards, GroupSettings settings) {
        this.settings = settings;
        CoreSettings defaults = CoreSettings.defaults(shards);
        node =
                TestPeer.node(
                        new CoreSettings(
                                shards,
                                defaults.protocol(),
                                defaults.limits(),
                                defaults.sessions(),
                                SharingSettings.of(settings)),
                        now);
        first = node.shard(0);
        last = node.shard(shards - 1);
        publisher = TestPeer.connect(last, "publisher", 100);
    }

    static GroupSettings settings(StrategyName strategy) {
        return settings(strategy, OfflineMembers.SKIP, Overflow.SLOW, 1_000);
    }

    static GroupSettings settings(
            StrategyName strategy, OfflineMembers offline, Overflow overflow, int lane) {
        return new GroupSettings(
                "test",
                new Choice(strategy, InitialPick.HASH_CLIENTID, RoutingKey.BY_TOPIC),
                offline,
                new BacklogLimits(overflow, 1_000, 1 << 20, lane, 500, 30_000),
                3);
    }

    /** A member with so much window, on the first shard. */
    TestPeer member(String clientId, int window) {
        TestPeer member = TestPeer.connect(first, clientId, window);
        member.subscribe(FILTER, 2);
        return member;
    }

    void publish(String key, int... numbers) {
        publish(key, 1, numbers);
    }

    void publish(String key, int qos, int[] numbers) {
        for (int number : numbers) {
            publisher.publish("k/" + key, qos, number, -1);
        }
        run();
    }

    /** The operator has other rules. */
    void regroup(GroupSettings next) {
        settings = next;
        node.regroup((name, filter) -> next);
    }

    GroupSettings settings() {
        return settings;
    }

    void run() {
        for (int i = 0; i < 8; i++) {
            for (int shard = 0; shard < node.shards(); shard++) {
                node.shard(shard).run();
            }
        }
    }

    /** Time passes, and the shards notice. */
    void pass(long millis) {
        now[0] += millis;
        for (int shard = 0; shard < node.shards(); shard++) {
            node.shard(shard).tick();
        }
        run();
    }

    Group group() {
        Group[] found = new Group[1];
        node.forEachGroup(group -> found[0] = group);
        return Objects.requireNonNull(found[0]);
    }

    Session session(String clientId) {
        return Objects.requireNonNull(first.residences().find(clientId)).session;
    }
}
