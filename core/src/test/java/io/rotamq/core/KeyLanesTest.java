package io.rotamq.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.GroupSettings.OfflineMembers;
import io.rotamq.core.port.GroupSettings.Overflow;
import io.rotamq.core.port.GroupSettings.StrategyName;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.UserProperty;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** At most one unacknowledged message of each key, whatever ends a delivery. */
class KeyLanesTest {
    private static final GroupSettings KEYED = SharedWorld.settings(StrategyName.KEY_SHARED);

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void sendsTheNextMessageOfAKeyWhenTheOneBeforeIsAcknowledged(int shards) {
        SharedWorld world = new SharedWorld(shards, KEYED);
        TestPeer a = world.member("a", 10);
        world.publish("x", 1, 2, 3);
        world.publish("y", 4);
        assertThat(a.news()).containsExactly("1/1/1", "4/1/2");
        ack(world, a, 1);
        assertThat(a.news()).containsExactly("2/1/3");
        ack(world, a, 3);
        ack(world, a, 4);
        assertThat(a.news()).containsExactly("3/1/4");
        ack(world, a, 2);
        assertAtRest(world);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aNegativeAcknowledgementFreesTheKey(int shards) {
        SharedWorld world = new SharedWorld(shards, KEYED);
        TestPeer a = world.member("a", 10);
        world.publish("x", 1, 2);
        a.refuse(1);
        world.run();
        assertThat(a.news()).containsExactly("1/1/1", "2/1/2");
        assertThat(world.node.dropped(DropReason.NEGATIVE_ACK)).isEqualTo(1);
        ack(world, a, 2);
        assertAtRest(world);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aKeyIsFreeAfterPubcompNotAfterPubrec(int shards) {
        SharedWorld world = new SharedWorld(shards, KEYED);
        TestPeer a = world.member("a", 10);
        world.publish("x", 2, new int[] {1, 2});
        a.pubrec(1);
        world.run();
        assertThat(a.news()).containsExactly("1/2/1", "PUBREL 1");
        a.pubcomp(1);
        world.run();
        assertThat(a.news()).containsExactly("2/2/2");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void qos0IsDoneWhenItIsSentAndKeepsItsPlaceInTheLane(int shards) {
        SharedWorld world = new SharedWorld(shards, KEYED);
        TestPeer a = world.member("a", 10);
        world.publish("x", 0, new int[] {1, 2});
        assertThat(a.news()).containsExactly("1/0/0", "2/0/0");
        world.publish("x", 3);
        world.publish("x", 0, new int[] {4, 5});
        world.publish("x", 6);
        assertThat(a.news()).containsExactly("3/1/1");
        ack(world, a, 1);
        assertThat(a.news()).containsExactly("4/0/0", "5/0/0", "6/1/2");
        ack(world, a, 2);
        assertAtRest(world);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whatALostMemberHadGoesOutBeforeLaterOnesOfItsKey(int shards) {
        SharedWorld world = new SharedWorld(shards, KEYED);
        TestPeer a = world.member("a", 10);
        world.publish("x", 1, 2, 3);
        TestPeer b = world.member("b", 10);
        assertThat(b.news()).as("nothing moves while it is in flight").isEmpty();
        a.drop();
        world.run();
        assertThat(b.news()).containsExactly("1/1/1");
        ack(world, b, 1);
        ack(world, b, 2);
        assertThat(b.news()).containsExactly("2/1/2", "3/1/3");
        ack(world, b, 3);
        assertAtRest(world);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whoComesBackBeforeAnotherTookItsMessageHoldsTheKeyAgain(int shards) {
        SharedWorld world = new SharedWorld(shards, KEYED);
        TestPeer a = world.member("a", 10);
        world.publish("x", 1, 2);
        a.drop();
        world.run();
        TestPeer again = TestPeer.connect(world.first, "a", 10);
        world.run();
        assertThat(again.news()).containsExactly("1/1/1!");
        again.drop();
        TestPeer third = TestPeer.connect(world.first, "a", 10);
        world.run();
        assertThat(third.news()).as("one of the key, twice offered").containsExactly("1/1/1!");
        assertThat(world.node.total(Counter.SHARED_RECLAIMED)).isEqualTo(2);
        ack(world, third, 1);
        assertThat(third.news()).containsExactly("2/1/2");
        ack(world, third, 2);
        assertAtRest(world);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void acknowledgingAtOnceAfterTheReturnFreesTheKeyToo(int shards) {
        SharedWorld world = new SharedWorld(shards, KEYED);
        TestPeer a = world.member("a", 10);
        world.publish("x", 1, 2);
        a.drop();
        // Nobody runs between: the offer, the return and the acknowledgement meet at the owner.
        TestPeer again = TestPeer.connect(world.first, "a", 10);
        again.puback(1);
        world.run();
        assertThat(again.news()).containsExactly("1/1/1!", "2/1/2");
        ack(world, again, 2);
        assertAtRest(world);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aTakeoverHoldsItsKeys(int shards) {
        SharedWorld world = new SharedWorld(shards, KEYED);
        TestPeer a = world.member("a", 10);
        TestPeer b = world.member("b", 10);
        world.publish("x", 1, 2);
        TestPeer holder = a.news().isEmpty() ? b : a;
        TestPeer again = TestPeer.connect(world.first, holder == a ? "a" : "b", 10);
        world.run();
        assertThat(again.news()).containsExactly("1/1/1!");
        ack(world, again, 1);
        assertThat(again.news()).containsExactly("2/1/2");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whatALeaverWasSentKeepsItsKeyUntilItIsDoneOrLost(int shards) {
        SharedWorld world = new SharedWorld(shards, KEYED);
        TestPeer a = world.member("a", 10);
        world.publish("x", 1, 2);
        world.publish("y", 3, 4);
        TestPeer b = world.member("b", 10);
        a.unsubscribe(SharedWorld.FILTER);
        world.run();
        assertThat(b.news()).isEmpty();
        ack(world, a, 1);
        assertThat(b.news()).containsExactly("2/1/1");
        a.drop();
        world.run();
        assertThat(b.news())
                .as("its key does not wait for a leaver that is away")
                .contains("3/1/2");
        ack(world, b, 2);
        assertThat(b.news()).containsExactly("4/1/3");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aKeyWhoseQos2ExchangeIsAwayWaitsUntilTheSessionIsRemoved(int shards) {
        SharedWorld world = new SharedWorld(shards, KEYED);
        TestPeer a = world.member("a", 10);
        world.publish("x", 2, new int[] {1, 2});
        world.publish("y", 2, new int[] {3, 4});
        a.pubrec(2);
        TestPeer b = world.member("b", 10);
        a.drop();
        world.run();
        assertThat(b.news()).isEmpty();
        assertThat(world.group().snapshot().waiting().lines()).isEqualTo(2);
        world.node.kick("a");
        world.run();
        assertThat(b.news()).containsExactlyInAnyOrder("2/2/1", "4/2/2");
        assertThat(world.node.dropped(DropReason.QOS2_SESSION_ENDED)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theEndOfASessionGivesBackWhatItHad(int shards) {
        SharedWorld world = new SharedWorld(shards, KEYED);
        TestPeer a = TestPeer.connectForNow(world.first, "a");
        a.subscribe(SharedWorld.FILTER, 1);
        world.publish("x", 1, 2);
        TestPeer b = world.member("b", 10);
        a.drop();
        world.run();
        assertThat(b.news()).containsExactly("1/1/1");
        ack(world, b, 1);
        assertThat(b.news()).containsExactly("2/1/2");
        ack(world, b, 2);
        assertAtRest(world);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whatExpiresOrIsTooLargeFreesItsKey(int shards) {
        SharedWorld world = new SharedWorld(shards, KEYED);
        TestPeer a = world.member("a", 10);
        world.publish("x", 1);
        world.publisher.publish("k/x", 1, 2, 1);
        world.publish("x", 3);
        world.pass(1_100);
        ack(world, a, 1);
        assertThat(a.news()).containsExactly("1/1/1", "3/1/2");
        assertThat(world.node.dropped(DropReason.EXPIRED)).isEqualTo(1);
        a.drop();
        a = TestPeer.connect(world.first, "a", 10);
        a.tooLarge(3);
        world.run();
        assertThat(a.news()).containsExactly("3/1/2!");
        a.drop();
        world.run();
        world.publish("x", 4);
        ack(world, TestPeer.connect(world.first, "a", 10), 2);
        assertThat(world.session("a").inflight()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whatIsKeptForAnAbsentMemberHoldsItsKeyAndWhatIsDroppedThereDoesNot(int shards) {
        SharedWorld world =
                new SharedWorld(
                        shards,
                        SharedWorld.settings(
                                StrategyName.KEY_SHARED,
                                OfflineMembers.KEEP,
                                Overflow.SLOW,
                                1_000));
        TestPeer a = world.member("a", 10);
        a.drop();
        world.run();
        world.publish("x", 1, 2);
        world.publish("y", 3);
        assertThat(world.session("a").queued()).as("one of each key").isEqualTo(2);
        TestPeer again = TestPeer.connect(world.first, "a", 10);
        world.run();
        assertThat(again.news()).containsExactly("1/1/1", "3/1/2");
        ack(world, again, 1);
        assertThat(again.news()).containsExactly("2/1/3");
        ack(world, again, 2);
        ack(world, again, 3);
        assertAtRest(world);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aFullOwnerHoldsUpItsOwnKeysAlone(int shards) {
        SharedWorld world = new SharedWorld(shards, KEYED);
        TestPeer a = world.member("a", 1);
        TestPeer b = world.member("b", 1);
        for (int key = 0; key < 20; key++) {
            world.publish("key" + key, key);
        }
        assertThat(a.received).hasSize(1);
        assertThat(b.received).hasSize(1);
        int ofB = 20;
        for (int id = 1; id <= 20; id++) {
            ack(world, b, id);
            ofB = b.received.size();
        }
        assertThat(ofB).as("all keys of b flow").isBetween(5, 15);
        for (int id = 1; id <= 20; id++) {
            ack(world, a, id);
        }
        assertThat(a.received.size() + b.received.size()).isEqualTo(20);
        assertAtRest(world);
    }

    @Test
    void dropOldestKeepsTheNewestOfALaneAndTouchesNoOther() {
        SharedWorld world = new SharedWorld(2, bounded(Overflow.DROP_OLDEST));
        TestPeer a = world.member("a", 10);
        world.publish("x", 1, 2, 3, 4, 5);
        world.publish("y", 6, 7);
        assertThat(world.node.dropped(DropReason.LANE_FULL)).isEqualTo(2);
        assertThat(a.news()).containsExactly("1/1/1", "6/1/2");
        ack(world, a, 1);
        ack(world, a, 2);
        assertThat(a.news()).containsExactly("4/1/3", "7/1/4");
        ack(world, a, 3);
        assertThat(a.news()).containsExactly("5/1/5");
    }

    @Test
    void rejectNewRefusesThePublishersOfAFullLaneAlone() {
        SharedWorld world = new SharedWorld(2, bounded(Overflow.REJECT_NEW));
        TestPeer a = world.member("a", 10);
        world.publish("x", 1, 2, 3);
        world.publish("x", 4);
        assertThat(world.publisher.refusals).containsExactly(ReasonCode.QUOTA_EXCEEDED);
        world.publish("y", 5, 6);
        assertThat(world.publisher.refusals).hasSize(1);
        ack(world, a, 1);
        world.publish("x", 7);
        assertThat(world.publisher.refusals).hasSize(1);
        assertThat(world.node.dropped(DropReason.BACKLOG_REJECTED)).isEqualTo(1);
    }

    @Test
    void slowWithholdsTheAcknowledgementsOfAHotKeyAlone() {
        SharedWorld world =
                new SharedWorld(
                        2,
                        SharedWorld.settings(
                                StrategyName.KEY_SHARED, OfflineMembers.SKIP, Overflow.SLOW, 4));
        TestPeer a = world.member("a", 10);
        TestPeer other = TestPeer.connect(world.last, "other", 100);
        world.publish("x", 1, 2, 3);
        world.publisher.news();
        world.publish("x", 4, 5);
        assertThat(world.publisher.news()).as("the lane is long").isEmpty();
        other.publish("k/y", 1, 6, -1);
        world.run();
        assertThat(other.news()).containsExactly("PUBACK 6");
        ack(world, a, 1);
        ack(world, a, 3);
        ack(world, a, 4);
        assertThat(world.publisher.news()).containsExactly("PUBACK 4", "PUBACK 5");
    }

    @Test
    void slowingOfALaneEndsAfterItsTime() {
        SharedWorld world =
                new SharedWorld(
                        2,
                        SharedWorld.settings(
                                StrategyName.KEY_SHARED, OfflineMembers.SKIP, Overflow.SLOW, 4));
        world.member("a", 10);
        world.publish("x", 1, 2, 3);
        world.publisher.news();
        world.publish("x", 4, 5);
        world.pass(29_000);
        assertThat(world.publisher.news()).isEmpty();
        world.pass(2_000);
        assertThat(world.publisher.news()).containsExactly("PUBACK 4", "PUBACK 5");
        world.publish("x", 6, 7);
        assertThat(world.publisher.news()).containsExactly("PUBACK 6", "PUBACK 7");
        assertThat(world.node.dropped(DropReason.LANE_FULL)).isPositive();
    }

    @Test
    void membersTakeTheKeysThatTheyAskForAndOthersAreSkipped() {
        SharedWorld world = new SharedWorld(2, KEYED);
        TestPeer a = TestPeer.connect(world.first, "a", 10);
        a.subscribe(SharedWorld.FILTER, 1, filters("k/ship*", "k/pay?"));
        world.publish("shipping", 1);
        world.publish("pays", 2);
        world.publish("other", 3);
        assertThat(a.news()).containsExactly("1/1/1", "2/1/2");
        assertThat(world.node.dropped(DropReason.KEY_FILTERED)).isEqualTo(1);
        a.subscribe(SharedWorld.FILTER, 1, filters("k/other"));
        world.publish("other", 4);
        world.publish("pays", 5);
        assertThat(a.news()).containsExactly("4/1/3");
        ack(world, a, 2);
        assertThat(a.news()).isEmpty();
        a.subscribe(SharedWorld.FILTER, 1);
        world.publish("pays", 6);
        assertThat(a.news()).containsExactly("6/1/4");
    }

    @Test
    void tooManyKeyFiltersAreRefused() {
        SharedWorld world = new SharedWorld(1, KEYED);
        TestPeer a = TestPeer.connect(world.first, "a", 10);
        a.subscribe(SharedWorld.FILTER, 1, filters("x".repeat(5_000)));
        assertThat(a.subscribed).singleElement().asString().startsWith("97: ");
        assertThat(world.node.groups()).isZero();
    }

    @Test
    void qos0MembersAreRefusedWithTheReason() {
        SharedWorld world = new SharedWorld(1, KEYED);
        TestPeer a = TestPeer.connect(world.first, "a", 10);
        a.subscribe(SharedWorld.FILTER, 0);
        assertThat(a.subscribed)
                .singleElement()
                .asString()
                .startsWith("83: ")
                .contains("QoS 1 or 2");
        assertThat(world.node.groups()).isZero();
        a.subscribe("plain", 0);
        assertThat(a.subscribed).last().isEqualTo("0");
    }

    @Test
    void aGroupTakesNoMoreMembersThanItMay() {
        SharedWorld world = new SharedWorld(1, KEYED);
        world.member("a", 1);
        world.member("b", 1);
        world.member("c", 1);
        TestPeer d = world.member("d", 1);
        assertThat(d.subscribed).singleElement().asString().startsWith("97: ").contains("3");
        long before = world.node.sessionMemoryUsed();
        world.member("d", 1);
        assertThat(world.node.sessionMemoryUsed()).isEqualTo(before);
        TestPeer a = world.member("a", 2);
        assertThat(a.subscribed).as("it is a member").containsExactly("2");
    }

    @Test
    void anExclusiveGroupHasOneMemberAlsoWhileThatIsAway() {
        SharedWorld world = new SharedWorld(1, SharedWorld.settings(StrategyName.EXCLUSIVE));
        TestPeer a = world.member("a", 1);
        TestPeer b = world.member("b", 1);
        assertThat(b.subscribed)
                .singleElement()
                .asString()
                .startsWith("97: ")
                .contains("exclusive");
        a.drop();
        b.subscribe(SharedWorld.FILTER, 1);
        assertThat(b.subscribed).hasSize(2).last().asString().startsWith("97: ");
        world.node.kick("a");
        world.run();
        b.subscribe(SharedWorld.FILTER, 1);
        assertThat(b.subscribed).last().isEqualTo("1");
    }

    private static GroupSettings bounded(Overflow overflow) {
        return SharedWorld.settings(StrategyName.KEY_SHARED, OfflineMembers.SKIP, overflow, 2);
    }

    private static List<UserProperty> filters(String... globs) {
        return Arrays.stream(globs).map(g -> new UserProperty("key-filter", g)).toList();
    }

    private static void ack(SharedWorld world, TestPeer peer, int packetId) {
        peer.puback(packetId);
        world.run();
    }

    private static void assertAtRest(SharedWorld world) {
        assertThat(world.group().pending()).isZero();
        assertThat(world.group().snapshot().waiting().lines()).isZero();
        assertThat(world.node.memoryUsed()).isZero();
    }
}
