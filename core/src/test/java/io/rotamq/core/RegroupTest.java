package io.rotamq.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.GroupSettings.OfflineMembers;
import io.rotamq.core.port.GroupSettings.Overflow;
import io.rotamq.core.port.GroupSettings.StrategyName;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules that change while messages flow. */
class RegroupTest {
    static Stream<Arguments> changes() {
        List<Arguments> changes = new ArrayList<>();
        for (StrategyName from : StrategyName.values()) {
            for (StrategyName to : StrategyName.values()) {
                changes.add(Arguments.of(from, to));
            }
        }
        return changes.stream();
    }

    @ParameterizedTest
    @MethodSource("changes")
    void nothingIsLostOrDoubledWhateverTheChange(StrategyName from, StrategyName to) {
        SharedWorld world = new SharedWorld(2, SharedWorld.settings(from));
        TestPeer a = world.member("a", 1);
        TestPeer b = world.member("b", 2);
        world.publish("x", 1, 2, 3);
        world.publish("y", 4, 5, 6);
        world.regroup(SharedWorld.settings(to));
        // What follows may be on its way to the owner before that lays the lines anew.
        world.publisher.publish("k/x", 1, 7, -1);
        world.publish("y", 8);
        world.regroup(SharedWorld.settings(from));
        world.publish("z", 9);
        world.regroup(SharedWorld.settings(to));
        for (int id = 1; id <= 9; id++) {
            a.puback(id);
            world.run();
            b.puback(id);
            world.run();
        }
        List<String> received = new ArrayList<>(a.received);
        received.addAll(b.received);
        assertThat(received)
                .extracting(text -> text.charAt(0))
                .containsExactlyInAnyOrder('1', '2', '3', '4', '5', '6', '7', '8', '9');
        assertThat(world.group().pending()).isZero();
        assertThat(world.node.memoryUsed()).isZero();
        assertThat(world.group().settings()).isEqualTo(world.settings());
    }

    @Test
    void theNextMessageObeys() {
        SharedWorld world = new SharedWorld(2, SharedWorld.settings(StrategyName.FAILOVER));
        TestPeer a = world.member("a", 10);
        TestPeer b = world.member("b", 10);
        world.publish("x", 1, 2);
        world.regroup(SharedWorld.settings(StrategyName.ROUND_ROBIN_PER_GROUP));
        world.publish("x", 3, 4);
        assertThat(a.received).hasSize(3);
        assertThat(b.received).hasSize(1);
    }

    @Test
    void groupsThatBeginLaterObeyToo() {
        SharedWorld world = new SharedWorld(2, SharedWorld.settings(StrategyName.FAILOVER));
        world.regroup(SharedWorld.settings(StrategyName.EXCLUSIVE));
        world.member("a", 1);
        assertThat(world.group().settings()).isEqualTo(world.settings());
        assertThat(world.member("b", 1).subscribed).singleElement().asString().startsWith("97");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void deliveriesOfAnEarlierTimeByKeyStillHoldTheirKeys(int shards) {
        GroupSettings keyed = SharedWorld.settings(StrategyName.KEY_SHARED);
        SharedWorld world = new SharedWorld(shards, keyed);
        TestPeer a = world.member("a", 10);
        world.publish("x", 1);
        world.regroup(SharedWorld.settings(StrategyName.RANDOM));
        world.publish("y", 2);
        world.regroup(keyed);
        world.publish("x", 3);
        assertThat(a.news()).containsExactly("1/1/1", "2/1/2");
        a.puback(1);
        world.run();
        assertThat(a.news()).containsExactly("3/1/3");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whatWasKeptForAnAbsentMemberGoesToOthersWhenItLosesItsTurn(int shards) {
        SharedWorld world =
                new SharedWorld(
                        shards,
                        SharedWorld.settings(
                                StrategyName.KEY_SHARED,
                                OfflineMembers.KEEP,
                                Overflow.SLOW,
                                1_000));
        TestPeer a = world.member("a", 10);
        world.publish("x", 1, 2);
        a.drop();
        world.publish("y", 3);
        TestPeer b = world.member("b", 10);
        assertThat(b.news()).isEmpty();
        world.regroup(SharedWorld.settings(StrategyName.KEY_SHARED));
        world.run();
        assertThat(b.news()).containsExactlyInAnyOrder("1/1/1", "3/1/2");
        b.puback(1);
        world.run();
        assertThat(b.news()).containsExactly("2/1/3");
    }

    @Test
    void publishersAreLetGoWhenThePolicyIsNotToSlowThemAnyMore() {
        SharedWorld world =
                new SharedWorld(
                        2,
                        SharedWorld.settings(
                                StrategyName.KEY_SHARED, OfflineMembers.SKIP, Overflow.SLOW, 4));
        world.member("a", 1);
        world.publish("x", 1, 2, 3);
        world.publisher.news();
        world.publish("x", 4);
        assertThat(world.publisher.news()).isEmpty();
        world.regroup(
                SharedWorld.settings(
                        StrategyName.KEY_SHARED, OfflineMembers.SKIP, Overflow.DROP_OLDEST, 4));
        world.run();
        assertThat(world.publisher.news()).containsExactly("PUBACK 4");
        world.publish("x", 5, 6, 7);
        assertThat(world.node.dropped(DropReason.LANE_FULL)).isEqualTo(2);
    }

    @Test
    void qos0MembersGetNothingWhileKeysAreKeptInOrder() {
        SharedWorld world = new SharedWorld(2, SharedWorld.settings(StrategyName.RANDOM));
        TestPeer a = TestPeer.connect(world.first, "a", 10);
        a.subscribe(SharedWorld.FILTER, 0);
        world.regroup(SharedWorld.settings(StrategyName.KEY_SHARED));
        world.publish("x", 1);
        assertThat(a.news()).isEmpty();
        assertThat(world.group().pending()).isEqualTo(1);
        a.subscribe(SharedWorld.FILTER, 1);
        world.run();
        assertThat(a.news()).containsExactly("1/1/1");
    }
}
