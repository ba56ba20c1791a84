package io.rotamq.scenarios;

import static io.rotamq.scenarios.Payloads.nothingMoreAt;
import static io.rotamq.scenarios.Payloads.range;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.scenarios.Pool.Taken;
import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each strategy promises when a member is slow, away or dead, and about order. */
class StrategyScenariosTest {
    private final String root = Fresh.topic();
    private final String filter = "$share/g/" + root + "/#";
    private final String topic = root + "/a";

    /** Strategies that look for whoever can take a message. */
    enum Balancing {
        ROUND_ROBIN_PER_GROUP,
        ROUND_ROBIN,
        RANDOM,
        LOCAL,
        LEAST_INFLIGHT
    }

    /** Strategies whose messages have an owner. */
    enum Affinity {
        STICKY,
        HASH_CLIENTID,
        HASH_TOPIC,
        FAILOVER,
        KEY_SHARED
    }

    /** All that allow more than one member. */
    enum Strategy {
        ROUND_ROBIN_PER_GROUP,
        ROUND_ROBIN,
        RANDOM,
        LOCAL,
        LEAST_INFLIGHT,
        STICKY,
        HASH_CLIENTID,
        HASH_TOPIC,
        FAILOVER,
        KEY_SHARED
    }

    private static TestBroker broker(Enum<?> strategy) {
        return TestBroker.start(
                "sharing.default-strategy=" + strategy.name().toLowerCase(Locale.ROOT),
                "sharing.key=topic");
    }

    private RawClient member(TestBroker broker, int window) {
        RawClient member =
                broker.client(ConnectPacket.v5(Fresh.id()).with(Property.RECEIVE_MAXIMUM, window));
        member.subscribe(filter, 1);
        return member;
    }

    @ParameterizedTest
    @EnumSource
    void aFullMemberIsPassedOverByThoseThatBalance(Balancing strategy) {
        try (TestBroker broker = broker(strategy)) {
            RawClient full = member(broker, 1);
            RawClient quick = member(broker, 1);
            RawClient publisher = broker.v5();
            List<String> published = Payloads.of("p", 60);
            List<String> got = new ArrayList<>();
            for (String payload : published) {
                publisher.publish(topic, payload, 1);
                Received next = quick.poll(Payloads.QUIET);
                if (next != null) {
                    quick.acknowledge(next);
                    got.add(next.text());
                }
            }
            // The full one holds one message, and the other got all else, in order.
            List<String> rest = new ArrayList<>(published);
            rest.remove(full.delivery().text());
            assertThat(got).isEqualTo(rest);
            nothingMoreAt(full, quick);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theMessagesOfAFullOwnerWaitForItInOrderWhileOthersFlow(Affinity strategy) {
        try (TestBroker broker = broker(strategy)) {
            List<RawClient> members = List.of(member(broker, 2), member(broker, 2));
            RawClient publisher = broker.v5();
            List<String> published = Payloads.of("p", 10);
            Payloads.publish(publisher, topic, published, 1);
            int window = strategy == Affinity.KEY_SHARED ? 1 : 2;
            List<Taken> held = Pool.of(members).hold(window);
            assertThat(Pool.takersOf(held)).hasSize(1);
            RawClient owner = held.getFirst().member();
            RawClient other = members.get(1 - members.indexOf(owner));
            nothingMoreAt(owner, other);
            if (strategy != Affinity.FAILOVER) {
                untilTheOtherGetsOne(broker, other);
            }
            List<String> got = new ArrayList<>();
            for (Taken each : held) {
                got.add(each.text());
                owner.send(AckPacket.puback(each.delivery().packetId()));
            }
            while (got.size() < published.size()) {
                Received next = owner.receive();
                if (next.text().startsWith("p:")) {
                    got.add(next.text());
                }
            }
            assertThat(got).isEqualTo(published);
        }
    }

    /** Others publish to other topics until the other member owns one: it gets that at once. */
    private void untilTheOtherGetsOne(TestBroker broker, RawClient other) {
        Received got = null;
        for (int i = 0; got == null && i < 60; i++) {
            try (RawClient publisher = broker.v5()) {
                publisher.publish(root + "/other" + i, "other", 1);
                got = other.poll(Payloads.QUIET);
            }
        }
        assertThat(got).as("a message for the other owner").isNotNull();
        other.acknowledge(got);
    }

    @ParameterizedTest
    @EnumSource
    void whoIsAwayGetsNothingAndTheOthersEverything(Strategy strategy) {
        try (TestBroker broker = broker(strategy)) {
            List<RawClient> members = new ArrayList<>();
            List<ConnectPacket> connects = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                connects.add(ConnectPacket.v5(Fresh.id()).lasting(600));
                members.add(broker.client(connects.get(i)));
                members.get(i).subscribe(filter, 1);
            }
            publishFromMany(broker, "before", members);
            RawClient away = members.removeFirst();
            away.leave();
            publishFromMany(broker, "meanwhile", members);
            RawClient back = broker.client(connects.getFirst());
            nothingMoreAt(back);
            members.add(back);
            publishFromMany(broker, "after", members);
        }
    }

    /** Ten publishers, three topics each; everything must reach these members, each once. */
    private void publishFromMany(TestBroker broker, String name, List<RawClient> members) {
        List<String> published = new ArrayList<>();
        List<Taken> taken = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            try (RawClient publisher = broker.v5()) {
                for (int t = 0; t < 3; t++) {
                    String payload = name + i + "/" + t;
                    publisher.publish(root + "/" + name + t, payload, 1);
                    published.add(payload);
                }
                taken.addAll(Pool.of(members).take(3));
            }
        }
        assertThat(Pool.texts(taken)).containsExactlyInAnyOrderElementsOf(published);
        nothingMoreAt(members.toArray(RawClient[]::new));
    }

    @ParameterizedTest
    @EnumSource
    void whatADeadMemberHeldGoesToAnotherInOrderAndFirst(Strategy strategy) {
        try (TestBroker broker = broker(strategy)) {
            List<RawClient> members =
                    new ArrayList<>(List.of(member(broker, 100), member(broker, 100)));
            RawClient publisher = broker.v5();
            Payloads.publish(publisher, topic, range("p", 1, 8), 1);
            int inHand = strategy == Strategy.KEY_SHARED ? 1 : 8;
            List<Taken> held = Pool.of(members).hold(inHand);
            RawClient dead = held.getFirst().member();
            members.remove(dead);
            dead.reset();
            RawClient alive = members.getFirst();
            List<String> own = Pool.textsAt(alive, held);
            held.stream()
                    .filter(each -> each.member().equals(alive))
                    .forEach(each -> alive.send(AckPacket.puback(each.delivery().packetId())));

            List<String> expected = new ArrayList<>(range("p", 1, 8));
            expected.removeAll(own);
            List<Received> moved = alive.receive(expected.size());
            assertThat(Payloads.texts(moved)).isEqualTo(expected);
            assertThat(moved).noneMatch(Received::dup);
            publisher.publish(topic, "later", 1);
            assertThat(alive.receive().text()).isEqualTo("later");
            nothingMoreAt(alive);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theMessagesOfOnePublisherKeepTheirOrderAtEachMember(Strategy strategy) {
        try (TestBroker broker = broker(strategy)) {
            List<RawClient> members = List.of(member(broker, 3), member(broker, 3));
            RawClient publisher = broker.v5();
            Bytes burst = new Bytes();
            for (int id = 1; id <= 100; id++) {
                burst.raw(PublishPacket.of(topic, String.valueOf(id)).qos(1, id).encode(5));
            }
            List<Taken> all = new ArrayList<>();
            for (int round = 0; round < 5; round++) {
                publisher.send(burst.toArray());
                all.clear();
                all.addAll(Pool.of(members).take(100));
                for (int id = 1; id <= 100; id++) {
                    publisher.expect(Type.PUBACK, id);
                }
                for (RawClient member : members) {
                    List<Integer> got =
                            Pool.textsAt(member, all).stream().map(Integer::valueOf).toList();
                    assertThat(got).isSorted().doesNotHaveDuplicates();
                }
                assertThat(Pool.texts(all)).doesNotHaveDuplicates();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStreamWithAnOwnerStaysInOrderInTheWholeGroup(Affinity strategy) {
        try (TestBroker broker = broker(strategy)) {
            List<RawClient> members = List.of(member(broker, 3), member(broker, 3));
            RawClient publisher = broker.v5();
            Bytes burst = new Bytes();
            for (int id = 1; id <= 100; id++) {
                burst.raw(PublishPacket.of(topic, String.valueOf(id)).qos(1, id).encode(5));
            }
            publisher.send(burst.toArray());
            List<Taken> all = Pool.of(members).take(100);
            assertThat(Pool.takersOf(all)).hasSize(1);
            assertThat(Pool.texts(all)).isEqualTo(numbers(1, 100));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStreamWithAnOwnerStaysInOrderWhenOwnersDie(Affinity strategy) {
        try (TestBroker broker = broker(strategy)) {
            List<RawClient> members = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                members.add(member(broker, 5));
            }
            RawClient publisher = broker.v5();
            int finished = 0;
            for (int next = 1; members.size() > 1; next += 30) {
                for (int i = next; i < next + 30; i++) {
                    publisher.publish(topic, String.valueOf(i), 1);
                }
                Pool pool = Pool.of(members);
                List<String> done = Pool.texts(pool.take(20));
                assertThat(done).isEqualTo(numbers(finished + 1, finished + 20));
                finished += 20;
                RawClient owner = pool.hold(1).getFirst().member();
                members.remove(owner);
                // What it acknowledged is known, so that nothing of it comes again.
                owner.ping().reset();
            }
            RawClient last = members.getFirst();
            List<String> rest = Payloads.texts(last.receive(90 - finished));
            assertThat(rest).isEqualTo(numbers(finished + 1, 90));
            nothingMoreAt(last);
        }
    }

    private static List<String> numbers(int first, int last) {
        List<String> numbers = new ArrayList<>();
        for (int i = first; i <= last; i++) {
            numbers.add(String.valueOf(i));
        }
        return numbers;
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "KEY_SHARED")
    void qos0GoesToWhoeverIsThereAndIsNeverDoubled(Strategy strategy) {
        try (TestBroker broker = broker(strategy)) {
            RawClient member = broker.v5();
            member.subscribe(filter, 0);
            RawClient other = broker.v4();
            other.subscribe(filter, 0);
            RawClient publisher = broker.v5();
            Payloads.publish(publisher, topic, Payloads.of("p", 50), 0);
            Set<String> got = Set.copyOf(Pool.texts(Pool.of(member, other).take(50)));
            assertThat(got).containsExactlyInAnyOrderElementsOf(Payloads.of("p", 50));
        }
    }
}
