package io.rotamq.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.GroupSettings.OfflineMembers;
import io.rotamq.core.port.GroupSettings.Overflow;
import io.rotamq.core.port.GroupSettings.StrategyName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What waits for an owner: in order, and without holding up others. */
class LinesTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aFullOwnerHoldsUpNobodyElse(int shards) {
        SharedWorld world = new SharedWorld(shards, SharedWorld.settings(StrategyName.HASH_TOPIC));
        TestPeer a = world.member("a", 1);
        TestPeer b = world.member("b", 10);
        for (int number = 1; number <= 10; number++) {
            world.publish("a-or-b" + number, number);
        }
        assertThat(a.received).hasSize(1);
        int ofA = 10 - b.received.size();
        assertThat(ofA).as("some topics are of a").isGreaterThan(2);
        assertThat(b.received.size()).isGreaterThan(1);
        assertThat(world.group().pending()).isEqualTo(ofA - 1);
        for (int id = 1; id <= ofA; id++) {
            ack(world, a, id);
        }
        assertThat(numbers(a)).isSorted().hasSize(ofA);
        assertAtRest(world);
    }

    @ParameterizedTest
    @EnumSource(
            value = StrategyName.class,
            names = {"STICKY", "HASH_CLIENTID", "HASH_TOPIC", "FAILOVER"})
    void aStreamWaitsInOrderForItsOwner(StrategyName strategy) {
        SharedWorld world = new SharedWorld(2, SharedWorld.settings(strategy));
        TestPeer a = world.member("a", 1);
        TestPeer b = world.member("b", 1);
        world.publish("x", 1, 2, 3, 4);
        TestPeer owner = a.received.isEmpty() ? b : a;
        TestPeer other = owner == a ? b : a;
        for (int id = 1; id <= 4; id++) {
            ack(world, owner, id);
        }
        assertThat(owner.news()).containsExactly("1/1/1", "2/1/2", "3/1/3", "4/1/4");
        assertThat(other.news()).isEmpty();
        assertAtRest(world);
    }

    @ParameterizedTest
    @CsvSource({
        "STICKY,1,1000", "STICKY,2,1000", "HASH_TOPIC,1,0", "HASH_TOPIC,2,0",
        "FAILOVER,1,0", "FAILOVER,2,1000", "HASH_CLIENTID,1,1000", "HASH_CLIENTID,2,0"
    })
    void theSuccessorOfAnOwnerGetsWhatThatHadBeforeWhatWaited(
            StrategyName strategy, int shards, long expiry) {
        SharedWorld world = new SharedWorld(shards, SharedWorld.settings(strategy));
        TestPeer a = TestPeer.connect(world.first, "a", 2, true, expiry);
        a.subscribe(SharedWorld.FILTER, 1);
        world.publish("x", 1, 2, 3, 4);
        TestPeer b = TestPeer.connect(world.first, "b", 10);
        b.subscribe(SharedWorld.FILTER, 1);
        List<Integer> before = numbers(b);
        a.drop();
        world.publish("x", 5, 6);
        List<Integer> all = new ArrayList<>(before);
        for (int id = 1; id <= 6; id++) {
            ack(world, b, id);
        }
        all.addAll(numbers(b).subList(before.size(), numbers(b).size()));
        if (before.isEmpty()) {
            assertThat(all).containsExactly(1, 2, 3, 4, 5, 6);
        } else {
            // The topic or the client was b's from its joining on, while a had the first two.
            assertThat(all).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6);
        }
        assertAtRest(world);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whatWaitsForAnOwnerIsChosenForAnewWhenSomebodyJoins(int shards) {
        SharedWorld world = new SharedWorld(shards, SharedWorld.settings(StrategyName.HASH_TOPIC));
        world.member("a", 1);
        for (int number = 1; number <= 12; number++) {
            world.publish("topic" + number, number);
        }
        TestPeer b = world.member("b", 20);
        world.run();
        assertThat(numbers(b)).as("what is b's now").isSorted().hasSizeBetween(2, 10);
        assertThat(world.group().pending()).isEqualTo(11 - b.received.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void expiryAndBoundsHoldForAllLines(int shards) {
        SharedWorld world =
                new SharedWorld(
                        shards,
                        SharedWorld.settings(
                                StrategyName.HASH_TOPIC,
                                OfflineMembers.SKIP,
                                Overflow.DROP_OLDEST,
                                1_000));
        TestPeer a = world.member("a", 1);
        world.publish("x", 1);
        world.publisher.publish("k/y", 1, 2, 1);
        world.publish("z", 3);
        assertThat(world.group().snapshot().waiting().lines()).isEqualTo(2);
        world.pass(2_000);
        assertThat(world.node.dropped(DropReason.EXPIRED)).isEqualTo(1);
        assertThat(world.group().snapshot().waiting().lines()).isEqualTo(1);
        ack(world, a, 1);
        assertThat(a.news()).containsExactly("1/1/1", "3/1/2");
    }

    private static List<Integer> numbers(TestPeer peer) {
        return peer.received.stream()
                .map(text -> Integer.valueOf(text.substring(0, text.indexOf('/'))))
                .toList();
    }

    private static void ack(SharedWorld world, TestPeer peer, int packetId) {
        peer.puback(packetId);
        world.run();
    }

    private static void assertAtRest(SharedWorld world) {
        assertThat(world.group().pending()).isZero();
        assertThat(world.node.memoryUsed()).isZero();
    }
}
