package io.rotamq.scenarios;

import static io.rotamq.scenarios.Payloads.nothingMoreAt;
import static io.rotamq.scenarios.Payloads.range;
import static io.rotamq.scenarios.Payloads.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rotamq.clients.HiveMq5;
import io.rotamq.testkit.Admin;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.KeyLedger;
import io.rotamq.testkit.KeyWorker;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A7: settings of groups change while messages flow. */
class ChangeScenariosTest {
    private static final int SECONDS = Integer.getInteger("scenarios.seconds", 5);

    private static final List<String> STRATEGIES =
            List.of(
                    "round_robin_per_group",
                    "round_robin",
                    "random",
                    "local",
                    "least_inflight",
                    "sticky",
                    "hash_clientid",
                    "hash_topic",
                    "failover",
                    "exclusive",
                    "key_shared");

    private final String topic = Fresh.topic();
    private final String filter = "$share/g/" + topic;

    /** Members of one group, and who got what. */
    private static final class Group implements AutoCloseable {
        final List<HiveMq5> members = new ArrayList<>();

        Group(TestBroker broker, String filter) {
            for (int i = 0; i < 4; i++) {
                members.add(HiveMq5.connect(broker));
                members.get(i).subscribe(filter, 1);
            }
        }

        /** How many members got some of these, once all of them are there. */
        int takersOf(List<String> payloads) {
            Set<String> wanted = new HashSet<>(payloads);
            List<Integer> counts = new ArrayList<>();
            await().atMost(Duration.ofSeconds(10))
                    .until(
                            () -> {
                                counts.clear();
                                members.forEach(m -> counts.add(count(m, wanted)));
                                return counts.stream().mapToInt(i -> i).sum() >= wanted.size();
                            });
            return (int) counts.stream().filter(count -> count > 0).count();
        }

        private static int count(HiveMq5 member, Set<String> wanted) {
            return (int) member.inbox().payloads().stream().filter(wanted::contains).count();
        }

        @Override
        public void close() {
            members.forEach(HiveMq5::close);
        }
    }

    /** A stretch of the load under one strategy: waits until some of it was published. */
    private static int takers(Load load, Group group, int messages) {
        int from = load.published().size();
        await().atMost(Duration.ofSeconds(10))
                .until(() -> load.published().size() >= from + messages);
        return group.takersOf(load.published().subList(from, from + messages));
    }

    @ParameterizedTest(name = "A7: round_robin -> sticky -> hash_topic -> random, {0} shards")
    @ValueSource(ints = {1, 2})
    void theNextMessageObeysAndNothingIsLostOrDoubled(int shards) {
        try (TestBroker broker =
                        TestBroker.administered(
                                "sharing.default-strategy=round_robin", "node.shards=" + shards);
                Admin admin = broker.admin();
                Group group = new Group(broker, filter);
                Group other = new Group(broker, "$share/other/" + topic);
                HiveMq5 publisher = HiveMq5.connect(broker)) {
            Load load = new Load(publisher, topic);
            load.run(
                    Duration.ofSeconds(SECONDS),
                    () -> {
                        assertThat(takers(load, group, 100)).isEqualTo(4);
                        admin.rule("g", topic, "\"strategy\":\"sticky\"");
                        assertThat(takers(load, group, 300)).isEqualTo(1);
                        admin.rule("g", topic, "\"strategy\":\"hash_topic\"");
                        assertThat(takers(load, group, 300)).isEqualTo(1);
                        admin.rule("g", topic, "\"strategy\":\"random\"");
                        assertThat(takers(load, group, 300)).isEqualTo(4);
                        admin.rule("g", topic, "\"strategy\":\"failover\"");
                        assertThat(takers(load, group, 300)).isEqualTo(1);
                        admin.reset("g", topic);
                        assertThat(takers(load, group, 100)).isEqualTo(4);
                    });
            Payloads.eachOnceAt(load.published(), group.members.toArray(HiveMq5[]::new));
            Payloads.eachOnceAt(load.published(), other.members.toArray(HiveMq5[]::new));
            for (HiveMq5 member : other.members) {
                assertThat(member.inbox().size())
                        .as("the other group was not touched")
                        .isCloseTo(
                                load.published().size() / 4,
                                Offset.offset(load.published().size() / 8));
            }
        }
    }

    @ParameterizedTest(name = "A7: from every strategy to every other, {0} shards")
    @ValueSource(ints = {1, 2})
    void everyChangeKeepsEveryMessage(int shards) {
        try (TestBroker broker =
                        TestBroker.administered("sharing.key=topic", "node.shards=" + shards);
                Admin admin = broker.admin();
                Group group = new Group(broker, filter);
                HiveMq5 publisher = HiveMq5.connect(broker)) {
            // It takes its time, and what it holds is given to the others in the end.
            RawClient slow =
                    broker.client(ConnectPacket.v5(Fresh.id()).with(Property.RECEIVE_MAXIMUM, 5));
            slow.subscribe(filter, 1);
            List<String> atSlow = new ArrayList<>();
            Load load = new Load(publisher, topic);
            load.run(
                    Duration.ofSeconds(SECONDS),
                    () -> changeAllTheTime(admin, load, slow, atSlow, new Random(shards)));
            slow.ping();
            slow.reset();
            assertThat(atSlow).doesNotHaveDuplicates();
            List<String> expected = new ArrayList<>(load.published());
            expected.removeAll(atSlow);
            Payloads.eachOnceAt(expected, group.members.toArray(HiveMq5[]::new));
        }
    }

    private void changeAllTheTime(
            Admin admin, Load load, RawClient slow, List<String> atSlow, Random random) {
        while (load.published().size() < SECONDS * 900) {
            String next = STRATEGIES.get(random.nextInt(STRATEGIES.size()));
            admin.rule("g", topic, "\"strategy\":\"%s\"".formatted(next));
            Received delivery = slow.poll(Duration.ofMillis(20));
            for (int i = 0; i < 20 && delivery != null; i++) {
                atSlow.add(delivery.text());
                slow.acknowledge(delivery);
                delivery = slow.poll(Duration.ofMillis(2));
            }
            if (delivery != null) {
                atSlow.add(delivery.text());
                slow.acknowledge(delivery);
            }
        }
        admin.rule("g", topic, "\"strategy\":\"random\"");
    }

    @Test
    @DisplayName(
            "A7: a rule for the group wins against another default, also one set while running")
    void aRuleWinsAgainstTheDefault() {
        try (TestBroker broker = TestBroker.administered("sharing.default-strategy=failover");
                Admin admin = broker.admin()) {
            RawClient publisher = broker.v5();
            admin.rule("g", "*", "\"strategy\":\"round_robin\"");
            assertThat(takers(broker, publisher, "g")).isEqualTo(4);
            assertThat(takers(broker, publisher, "other")).isEqualTo(1);
            // A new default touches whoever has no rule.
            admin.rule("*", "*", "\"strategy\":\"round_robin_per_group\"");
            assertThat(takers(broker, publisher, "other")).isEqualTo(4);
            admin.rule("g", "*", "\"strategy\":\"failover\"");
            assertThat(takers(broker, publisher, "g")).isEqualTo(1);
            assertThat(takers(broker, publisher, "other")).isEqualTo(4);
            RawClient member = broker.v5();
            member.subscribe(filter, 1);
            assertThat(admin.group("g", topic)).contains("failover");
        }
    }

    /** How many of four members of this group share forty messages of one publisher. */
    private int takers(TestBroker broker, RawClient publisher, String share) {
        List<RawClient> members = IntStream.range(0, 4).mapToObj(i -> broker.v5()).toList();
        members.forEach(member -> member.subscribe("$share/" + share + "/" + topic, 1));
        Payloads.publish(publisher, topic, Payloads.of("p", 40), 1);
        int takers = Pool.of(members).takers(40).size();
        members.forEach(RawClient::leave);
        return takers;
    }

    @Test
    @DisplayName(
            "A7: what waits when the strategy changes is neither lost nor doubled, and in order")
    void whatWaitsSurvivesEveryChange() {
        try (TestBroker broker =
                        TestBroker.administered(
                                "sharing.default-strategy=sticky", "sharing.key=topic");
                Admin admin = broker.admin()) {
            RawClient full =
                    broker.client(ConnectPacket.v5(Fresh.id()).with(Property.RECEIVE_MAXIMUM, 3));
            full.subscribe(filter, 1);
            RawClient publisher = broker.v5();
            List<String> published = range("p", 1, 40);
            Payloads.publish(publisher, topic, published.subList(0, 20), 1);
            List<String> got = new ArrayList<>();
            List<String> strategies =
                    List.of("hash_topic", "key_shared", "round_robin", "failover", "key_shared");
            for (int i = 0; i < strategies.size(); i++) {
                admin.rule("g", topic, "\"strategy\":\"%s\"".formatted(strategies.get(i)));
                List<String> next = published.subList(20 + 4 * i, 24 + 4 * i);
                Payloads.publish(publisher, topic, next, 1);
                got.addAll(texts(full.receive(4)));
            }
            got.addAll(texts(full.receive(20)));
            assertThat(got).isEqualTo(published);
            nothingMoreAt(full);
        }
    }

    @Test
    @DisplayName("A7: a strategy without order becomes key_shared: from then on keys are in order")
    void aGroupThatBecomesKeySharedIsInOrderFromThenOn() {
        try (TestBroker broker = TestBroker.administered("sharing.key=topic-level:2");
                Admin admin = broker.admin()) {
            KeyLedger ledger = new KeyLedger();
            String all = "$share/g/" + topic + "/#";
            // These are in flight, more than one of each key, when the strategy changes.
            RawClient old = broker.v5();
            old.subscribe(all, 1);
            RawClient publisher = broker.v5();
            List<String> keys = IntStream.range(0, 20).mapToObj(i -> "k" + i).toList();
            keys.forEach(key -> publisher.publish(topic + "/" + key, "old 1", 1));
            keys.forEach(key -> publisher.publish(topic + "/" + key, "old 2", 1));
            Payloads.hold(old, 40).forEach(old::acknowledge);
            admin.rule("g", "*", "\"strategy\":\"key_shared\"");
            old.leave();
            List<KeyWorker> workers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                ConnectPacket connect = ConnectPacket.v5(Fresh.id());
                workers.add(KeyWorker.start(broker, connect, all, ledger, 3));
            }
            for (int number = 1; number <= 20; number++) {
                for (String key : keys) {
                    publisher.publish(topic + "/" + key, KeyLedger.payload(key, number), 1);
                }
            }
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> keys.stream().allMatch(key -> ledger.done(key) == 20));
            workers.forEach(KeyWorker::leave);
            ledger.mustHaveFinished(keys, 20);
            assertThat(ledger.repeated()).isZero();
        }
    }
}
