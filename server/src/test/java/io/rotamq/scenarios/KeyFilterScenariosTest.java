package io.rotamq.scenarios;

import static io.rotamq.scenarios.Payloads.nothingMoreAt;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.DropReason;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** key_shared: which keys there are, who takes which, and who may be a member. */
class KeyFilterScenariosTest {
    private static final String NAME = "device";

    @AutoClose
    private static final TestBroker broker =
            TestBroker.start(
                    "sharing.default-strategy=key_shared", "sharing.key=user-property:" + NAME);

    private final String topic = Fresh.topic();
    private final String filter = "$share/g/" + topic;
    private RawClient publisher;
    private int nextId;

    @BeforeEach
    void connectPublisher() {
        publisher = broker.v5();
    }

    private RawClient member(String... keyFilters) {
        RawClient member = broker.v5();
        subscribe(member, keyFilters);
        return member;
    }

    private void subscribe(RawClient member, String... keyFilters) {
        SubscribePacket packet = SubscribePacket.id(1).filter(filter, 1);
        for (String each : keyFilters) {
            packet.user("key-filter", each);
        }
        member.subscribe(packet);
    }

    /** The payload is the key. */
    private Received publish(String key) {
        return publisher.publish(message(key, key));
    }

    private PublishPacket message(String key, String payload) {
        return PublishPacket.of(topic, payload).qos(1, ++nextId).user(NAME, key);
    }

    private static void gets(RawClient member, String... keys) {
        List<String> got = Payloads.texts(member.receive(keys.length));
        assertThat(got).containsExactlyInAnyOrder(keys);
    }

    @Test
    @Tag("C137")
    void everyKeyGoesToAMemberWhoseFilterMatchesIt() {
        RawClient payment = member("payment");
        RawClient ship = member("ship*");
        RawClient region = member("eu-west-?");
        long dropped = broker.dropped(DropReason.KEY_FILTERED);
        publish("payment");
        publish("shipping");
        publish("ship");
        publish("eu-west-1");
        publish("eu-west-é");
        // One character outside of the basic plane: two in UTF-16, four bytes.
        publish("eu-west-\uD83D\uDE00");
        gets(payment, "payment");
        gets(ship, "shipping", "ship");
        gets(region, "eu-west-1", "eu-west-é", "eu-west-\uD83D\uDE00");
        assertThat(broker.dropped(DropReason.KEY_FILTERED)).isEqualTo(dropped);

        // Keys of nobody are skipped and counted, and delay nobody.
        List<String> nobodys = List.of("payments", "eu-west-10", "eu-west-", "other", "", "*", "?");
        nobodys.forEach(this::publish);
        publish("payment");
        gets(payment, "payment");
        broker.awaitDropped(DropReason.KEY_FILTERED, dropped + nobodys.size());

        // A member without a filter takes all keys, those of others too when it is their owner.
        RawClient all = member();
        nobodys.forEach(this::publish);
        gets(all, nobodys.toArray(String[]::new));
        broker.awaitDropped(DropReason.KEY_FILTERED, dropped + nobodys.size());
        nothingMoreAt(payment, ship, region, all);
    }

    @Test
    void aMemberMayHaveSeveralFiltersAndSubscribingAgainReplacesThem() {
        RawClient member = member("a*", "b?");
        long dropped = broker.dropped(DropReason.KEY_FILTERED);
        publish("apple");
        publish("b1");
        publish("b12");
        gets(member, "apple", "b1");
        broker.awaitDropped(DropReason.KEY_FILTERED, dropped + 1);
        subscribe(member, "b*");
        publish("apple");
        publish("b12");
        gets(member, "b12");
        broker.awaitDropped(DropReason.KEY_FILTERED, dropped + 2);
        subscribe(member);
        publish("apple");
        publish("b12");
        gets(member, "apple", "b12");
        nothingMoreAt(member);
    }

    @Test
    void theKeyOfAMemberThatIsAwayIsSkippedUnlessAnotherTakesIt() {
        String id = Fresh.id();
        RawClient ship = broker.client(ConnectPacket.v5(id).lasting(600));
        subscribe(ship, "ship*");
        RawClient other = member("other");
        ship.leave();
        long dropped = broker.dropped(DropReason.KEY_FILTERED);
        publish("shipping");
        publish("other");
        gets(other, "other");
        broker.awaitDropped(DropReason.KEY_FILTERED, dropped + 1);
        RawClient back = broker.client(ConnectPacket.v5(id).lasting(600));
        publish("shipping");
        gets(back, "shipping");
        nothingMoreAt(back, other);
    }

    @Test
    void theKeyOfAMemberThatKeepsItsTurnWaitsForIt() {
        try (TestBroker keeping =
                TestBroker.start(
                        "sharing.default-strategy=key_shared",
                        "sharing.key=user-property:" + NAME,
                        "sharing.offline-members=keep")) {
            String id = Fresh.id();
            RawClient ship = keeping.client(ConnectPacket.v5(id).lasting(600));
            subscribe(ship, "ship*");
            RawClient other = keeping.v5();
            subscribe(other, "other");
            ship.leave();
            RawClient source = keeping.v5();
            List<String> waiting = Payloads.of("ship", 20);
            waiting.forEach(each -> source.publish(message("shipping", each)));
            source.publish(message("other", "other"));
            gets(other, "other");
            RawClient back = keeping.client(ConnectPacket.v5(id).lasting(600));
            assertThat(Payloads.texts(back.receive(20))).isEqualTo(waiting);
            nothingMoreAt(back, other);
            assertThat(keeping.dropped(DropReason.KEY_FILTERED)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5})
    void aMemberAtQos0IsRefused(int level) {
        RawClient client = broker.client(level);
        SubscribePacket mixed = SubscribePacket.id(3).filter(filter, 0).filter(topic + "/plain", 0);
        Received suback = client.trySubscribe(mixed);
        assertThat(suback.codes()).containsExactly(level == 5 ? 0x83 : 0x80, 0);
        if (level == 5) {
            assertThat(suback.properties().text(Property.REASON_STRING))
                    .containsIgnoringCase("qos");
        }
        client.subscribe(filter, 1);
        publish("key");
        gets(client, "key");
    }

    @Test
    @Tag("C137")
    void messagesWithoutAKeyAreRoutedByTheirPublisherAndBlockNobody() {
        List<RawClient> members = List.of(member(), member(), member());
        List<RawClient> publishers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            publishers.add(i % 2 == 0 ? broker.v5() : broker.v4());
        }
        // Nobody acknowledges: one message of each publisher is in flight, the others wait.
        for (RawClient each : publishers) {
            for (String payload : Payloads.of("m", 3)) {
                each.publish(topic, publishers.indexOf(each) + " " + payload, 1);
            }
        }
        List<Pool.Taken> firsts = Pool.of(members).hold(20);
        assertThat(firsts).allMatch(each -> each.text().endsWith("m:1"));
        assertThat(Pool.takersOf(firsts)).hasSize(3);
        // Odd keys pass them by.
        String long64 = "x".repeat(65_000);
        for (String key : List.of("", "*", "é", "\uD83D\uDE00", long64)) {
            publisher.publish(message(key, "odd"));
        }
        assertThat(Pool.texts(Pool.of(members).take(5))).allMatch("odd"::equals);
        for (RawClient member : members) {
            firsts.stream()
                    .filter(each -> each.member().equals(member))
                    .forEach(each -> member.acknowledge(each.delivery()));
        }
        List<Pool.Taken> rest = Pool.of(members).take(40);
        for (int i = 0; i < 20; i++) {
            String own = i + " ";
            assertThat(Pool.texts(rest).stream().filter(text -> text.startsWith(own)))
                    .containsExactly(own + "m:2", own + "m:3");
        }
    }

    @Test
    void theFirstUserPropertyOfTheNameIsTheKey() {
        RawClient member = member("first");
        publisher.publish(message("first", "m").user(NAME, "second").user("x", "third"));
        gets(member, "m");
        long dropped = broker.dropped(DropReason.KEY_FILTERED);
        publisher.publish(message("second", "m").user(NAME, "first"));
        broker.awaitDropped(DropReason.KEY_FILTERED, dropped + 1);
        nothingMoreAt(member);
    }

    @ParameterizedTest
    @ValueSource(strings = {"topic", "topic-level:2", "topic-level:3", "client-id"})
    void keysComeFromTheTopicOrThePublisherToo(String key) {
        // What is in flight of key "a" of topic t/a/b, published by p, holds up exactly these.
        Map<String, List<String>> sameKey =
                Map.of(
                        "topic", List.of("p t/a/b", "q t/a/b"),
                        "topic-level:2", List.of("p t/a/b", "q t/a/b", "p t/a/c", "q t/a/c"),
                        "topic-level:3", List.of("p t/a/b", "q t/a/b", "q t/x/b"),
                        "client-id", List.of("p t/a/b", "p t/a/c", "p t/x/c"));
        List<String> all =
                List.of("p t/a/b", "q t/a/b", "p t/a/c", "q t/a/c", "q t/x/b", "p t/x/c");
        try (TestBroker other =
                TestBroker.start("sharing.default-strategy=key_shared", "sharing.key=" + key)) {
            RawClient p = other.client(ConnectPacket.v5("p"));
            RawClient q = other.client(ConnectPacket.v4("q"));
            RawClient member = other.v5();
            member.subscribe("$share/g/t/#", 1);
            p.publish("t/a/b", "p t/a/b", 1);
            Received first = member.delivery();
            all.stream()
                    .skip(1)
                    .forEach(
                            each -> {
                                RawClient from = each.startsWith("p") ? p : q;
                                from.publish(each.substring(2), each, 1);
                            });
            List<String> free = new ArrayList<>();
            Received next = member.poll(Payloads.QUIET);
            while (next != null) {
                member.acknowledge(next);
                free.add(next.text());
                next = member.poll(Payloads.QUIET);
            }
            List<String> expected = new ArrayList<>(all);
            expected.removeAll(sameKey.get(key));
            assertThat(free).containsExactlyInAnyOrderElementsOf(expected);
            member.acknowledge(first);
            int held = sameKey.get(key).size() - 1;
            assertThat(Payloads.texts(member.receive(held)))
                    .containsExactlyElementsOf(
                            all.stream().filter(sameKey.get(key)::contains).skip(1).toList());
        }
    }
}
