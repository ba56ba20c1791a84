package io.rotamq.scenarios;

import static io.rotamq.scenarios.Payloads.nothingMoreAt;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.clients.ForeignClient;
import io.rotamq.clients.HiveMq5;
import io.rotamq.clients.Kind;
import io.rotamq.scenarios.Pool.Taken;
import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.TestBroker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Strategies that only balance: who gets the next message when all members keep up. */
class BalanceScenariosTest {
    private final String topic = Fresh.topic();
    private final String filter = "$share/g/" + topic;

    private static TestBroker broker(String strategy, int shards) {
        return TestBroker.start("sharing.default-strategy=" + strategy, "node.shards=" + shards);
    }

    private List<RawClient> members(TestBroker broker, int count) {
        List<RawClient> members = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            members.add(broker.v5());
            members.get(i).subscribe(filter, 1);
        }
        return members;
    }

    @ParameterizedTest(name = "A3: round_robin: each publisher''s messages rotate, {0} shards")
    @ValueSource(ints = {1, 2})
    void eachPublisherHasACursorOfItsOwn(int shards) {
        try (TestBroker broker = broker("round_robin", shards)) {
            List<RawClient> members = members(broker, 3);
            List<RawClient> publishers = List.of(broker.v5(), broker.v4());
            Pool pool = Pool.of(members);
            List<Taken> all = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                publishers.get(0).publish(topic, "x" + i, 1);
                publishers.get(1).publish(topic, "y" + i, 1);
                all.addAll(pool.take(2));
            }
            nothingMoreAt(members.toArray(RawClient[]::new));
            assertThat(Pool.texts(all)).hasSize(600).doesNotHaveDuplicates();
            for (String publisher : List.of("x", "y")) {
                Map<String, Integer> turns = turns(members, all);
                int first = turns.get(publisher + 0);
                for (int i = 0; i < 300; i++) {
                    assertThat(turns.get(publisher + i))
                            .as("turn of %s%d", publisher, i)
                            .isEqualTo((first + i) % 3);
                }
            }
        }
    }

    private static Map<String, Integer> turns(List<RawClient> members, List<Taken> all) {
        Map<String, Integer> turns = new HashMap<>();
        all.forEach(each -> turns.put(each.text(), members.indexOf(each.member())));
        return turns;
    }

    @ParameterizedTest(name = "A3: round_robin: ten publishers at once, {0} shards")
    @ValueSource(ints = {1, 2})
    void publishersDoNotDisturbEachOthersCursors(int shards) {
        try (TestBroker broker = broker("round_robin", shards)) {
            List<ForeignClient> members = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                members.add(HiveMq5.connect(broker));
                // At QoS 0 no window can make anybody lose a turn.
                members.get(i).subscribe(filter, 0);
            }
            List<HiveMq5> publishers = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                publishers.add(HiveMq5.connect(broker));
            }
            IntStream.range(0, 10)
                    .parallel()
                    .forEach(
                            i -> publishers.get(i).publishAll(topic, Payloads.of("p" + i, 300), 1));
            for (ForeignClient member : members) {
                List<String> got =
                        member.inbox().await(1_000).stream().map(d -> d.payload()).toList();
                assertThat(got).hasSize(1_000);
                for (int i = 0; i < 10; i++) {
                    String publisher = "p" + i + ":";
                    assertThat(got.stream().filter(p -> p.startsWith(publisher))).hasSize(100);
                }
            }
            publishers.forEach(HiveMq5::close);
            members.forEach(ForeignClient::close);
        }
    }

    @ParameterizedTest(name = "{0}: every member gets about its share, and nobody everything")
    @CsvSource({"random", "local"})
    void uniformChoiceGivesEachMemberAboutItsShare(String strategy) {
        try (TestBroker broker = broker(strategy, 2)) {
            List<RawClient> members = members(broker, 4);
            RawClient publisher = broker.v5();
            Pool pool = Pool.of(members);
            List<Taken> all = new ArrayList<>();
            for (int i = 0; i < 80; i++) {
                Payloads.publish(publisher, topic, Payloads.of("p" + i, 25), 1);
                all.addAll(pool.take(25));
            }
            assertThat(Pool.texts(all)).doesNotHaveDuplicates();
            for (RawClient member : members) {
                // Six standard deviations of a fair draw.
                assertThat(Pool.textsAt(member, all)).hasSizeBetween(380, 620);
            }
        }
    }

    @Test
    @DisplayName("least_inflight: the member with the most free window gets the message")
    void whoHasTheMostRoomGetsTheMessage() {
        try (TestBroker broker = broker("least_inflight", 2)) {
            List<RawClient> members = members(broker, 3);
            RawClient publisher = broker.v5();
            Pool pool = Pool.of(members);
            Payloads.publish(publisher, topic, Payloads.of("even", 30), 1);
            List<Taken> held = pool.hold(30);
            for (RawClient member : members) {
                assertThat(Pool.textsAt(member, held)).as("while all have the same").hasSize(10);
            }
            // Only one of them works: it has more room from now on, and gets everything.
            RawClient quick = members.get(1);
            held.stream()
                    .filter(each -> each.member().equals(quick))
                    .forEach(each -> quick.send(ack(each)));
            quick.ping();
            for (int i = 0; i < 50; i++) {
                publisher.publish(topic, "quick" + i, 1);
                assertThat(quick.receive().text()).isEqualTo("quick" + i);
                quick.ping();
            }
            nothingMoreAt(members.toArray(RawClient[]::new));
        }
    }

    private static AckPacket ack(Taken each) {
        return AckPacket.puback(each.delivery().packetId());
    }

    @ParameterizedTest(name = "{0}: mixed clients get every message once")
    @ValueSource(
            strings = {
                "round_robin_per_group",
                "round_robin",
                "random",
                "local",
                "least_inflight",
                "sticky",
                "hash_clientid",
                "hash_topic",
                "failover",
                "key_shared"
            })
    void everyStrategyGivesEveryMessageToOneMember(String strategy) {
        try (TestBroker broker = broker(strategy, 2);
                ForeignClient a = Kind.HIVEMQ_5.connect(broker);
                ForeignClient b = Kind.PAHO_3.connect(broker);
                ForeignClient c = Kind.PAHO_5.connect(broker);
                ForeignClient d = Kind.MOSQUITTO_5.connect(broker)) {
            List<ForeignClient> members = List.of(a, b, c, d);
            members.forEach(member -> member.subscribe("$share/g/" + topic + "/#", 1));
            List<String> published = new ArrayList<>();
            IntStream.range(0, 6)
                    .parallel()
                    .forEach(
                            i -> {
                                try (HiveMq5 publisher = HiveMq5.connect(broker)) {
                                    List<String> own = Payloads.of("p" + i, 200);
                                    publisher.publishAll(topic + "/" + i, own, 1);
                                }
                            });
            for (int i = 0; i < 6; i++) {
                published.addAll(Payloads.of("p" + i, 200));
            }
            Payloads.eachOnceAt(published, a, b, c, d);
        }
    }
}
