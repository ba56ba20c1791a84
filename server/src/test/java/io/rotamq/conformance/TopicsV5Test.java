package io.rotamq.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.UnsubscribePacket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MQTT 5.0 chapters 3.3.4 and 4.7: topic filters and what they match. */
@Tag("mqtt5")
@Execution(ExecutionMode.CONCURRENT)
class TopicsV5Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    private final String topic = Fresh.topic();
    private final RawClient client = broker.v5();
    private final RawClient publisher = broker.v5();

    private int codeOf(String filter) {
        return client.trySubscribe(SubscribePacket.id(1).filter(filter, 0)).code();
    }

    /** The topics of those publishes that reach a subscriber of the filter. */
    private List<String> matches(String filter, String... topics) {
        RawClient subscriber = broker.v5();
        subscriber.subscribe(filter, 0);
        for (String each : topics) {
            publisher.publish(each, "x", 0);
        }
        return subscriber.deliveriesUntilCanary(publisher).stream().map(Received::topic).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a#", "a/#/b", "#/a", "a/b#", "##", "a/##"})
    @Tag("MQTT-4.7.1-1")
    void aMisplacedHashIsRefused(String filter) {
        assertThat(codeOf(filter)).isEqualTo(0x8F);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a+", "+a/b", "a/b+", "++", "a/+b/c"})
    @Tag("MQTT-4.7.1-2")
    void aMisplacedPlusIsRefused(String filter) {
        assertThat(codeOf(filter)).isEqualTo(0x8F);
    }

    @ParameterizedTest
    @ValueSource(strings = {"#", "a/#", "+", "+/a", "a/+/c", "+/+/#", "/", "//", "/+"})
    @Tag("MQTT-4.7.1-1")
    @Tag("MQTT-4.7.1-2")
    void wellPlacedWildcardsAreGranted(String filter) {
        assertThat(broker.v5().subscribe(filter, 0).code()).isZero();
    }

    @Test
    @Tag("X5-4.7.1-a")
    void hashMatchesTheParentToo() {
        assertThat(matches(topic + "/#", topic, topic + "/", topic + "/a/b", topic + "s", "x"))
                .containsExactly(topic, topic + "/", topic + "/a/b");
    }

    @Test
    @Tag("X5-4.7.1-b")
    void plusMatchesExactlyOneLevelThatMayBeEmpty() {
        assertThat(matches(topic + "/+", topic, topic + "/", topic + "/a", topic + "/a/b"))
                .containsExactly(topic + "/", topic + "/a");
        String slash = "/" + topic;
        assertThat(matches("+/" + topic, slash)).containsExactly(slash);
        assertThat(matches("/+", slash)).contains(slash);
        RawClient subscriber = broker.v5();
        subscriber.subscribe("+", 0);
        publisher.publish(slash, "x", 0);
        publisher.publish(topic, "y", 0);
        assertThat(subscriber.deliveriesUntilCanary(publisher))
                .extracting(Received::topic)
                .contains(topic)
                .doesNotContain(slash);
    }

    @Test
    @Tag("MQTT-4.7.2-1")
    void leadingWildcardsDoNotMatchTopicsWithADollar() {
        String dollar = "$" + topic;
        String name = dollar + "/x";
        assertThat(matches("#", name)).doesNotContain(name);
        assertThat(matches("+/x", name)).doesNotContain(name);
        assertThat(matches("+/#", name)).doesNotContain(name);
        assertThat(matches(dollar + "/#", name)).containsExactly(name);
        assertThat(matches(dollar + "/+", name)).containsExactly(name);
        RawClient system = broker.v5();
        system.subscribe("$SYS/#", 0);
        assertThat(system.read(Duration.ofSeconds(15)).topic()).startsWith("$SYS/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"$SYS/a", "$share/g/a", "$queue/a"})
    @Tag("X5-4.7.2-a")
    void clientsMayNotPublishToTopicsOfTheBroker(String name) {
        Received ack = publisher.publish(name, "x", 1);
        assertThat(ack.code()).isEqualTo(0x87);
        assertThat(publisher.publish(name, "x", 2).code()).isEqualTo(0x87);
        publisher.publish(name, "x", 0);
        publisher.ping();
    }

    @Test
    @Tag("MQTT-4.7.3-1")
    void emptyFiltersAreRefused() {
        client.send(SubscribePacket.id(1).filter("", 0));
        Received answer = client.read();
        assertThat(answer.code()).isGreaterThanOrEqualTo(0x80);
        RawClient other = broker.v5();
        other.send(UnsubscribePacket.id(1).filter(""));
        assertThat(other.read().code()).isGreaterThanOrEqualTo(0x80);
    }

    @Test
    @Tag("MQTT-4.7.3-3")
    void theLongestTopicAndManyLevelsAreDeliveredOrRefusedCleanly() {
        String longest = topic + "/" + "x".repeat(65_535 - topic.length() - 1);
        assertThat(matches(topic + "/+", longest)).containsExactly(longest);
        assertThat(matches(longest, longest)).containsExactly(longest);
        RawClient deep = broker.v5();
        deep.send(PublishPacket.of(topic + "/a".repeat(10_000), "x").qos(1, 1));
        Received answer = deep.read();
        assertThat(answer.code()).isIn(0x00, 0x10, 0x90, 0x82, 0x81);
        client.ping();
    }

    @Test
    @Tag("MQTT-4.7.3-4")
    void matchingIsExact() {
        String composed = topic + "\u00E9";
        String decomposed = topic + "e\u0301";
        assertThat(matches(composed, composed, decomposed)).containsExactly(composed);
        assertThat(matches(topic + "/Accounts", topic + "/ACCOUNTS", topic + "/accounts"))
                .isEmpty();
        assertThat(matches(topic + "//b", topic + "/b", topic + "//b"))
                .containsExactly(topic + "//b");
        assertThat(matches("/" + topic, topic, "/" + topic, "//" + topic))
                .containsExactly("/" + topic);
    }

    @Test
    @Tag("X5-4.7.3-a")
    void spacesAndSlashesAreSignificant() {
        String[] names = {topic, topic + "/", "/" + topic, topic + " ", " " + topic, topic + "/ "};
        for (String name : names) {
            assertThat(matches(name, names)).containsExactly(name);
        }
        RawClient subscriber = broker.v5();
        subscriber.subscribe("/", 0);
        publisher.publish("/", "slash", 0);
        assertThat(subscriber.receive().topic()).isEqualTo("/");
    }

    @Test
    @Tag("X5-4.8.1-a")
    @Tag("MQTT-4.5.0-1")
    void everySubscriberGetsACopy() {
        List<RawClient> subscribers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            RawClient each = broker.v5();
            each.subscribe(i % 2 == 0 ? topic : topic + "/#", 0);
            subscribers.add(each);
        }
        publisher.publish(topic, "x", 0);
        subscribers.forEach(each -> assertThat(each.receive().text()).isEqualTo("x"));
        subscribers.getFirst().expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-4.5.0-1")
    void everyMatchingSessionGetsTheMessageOnce() {
        ConnectPacket connect = ConnectPacket.v5(Fresh.id()).lasting(60);
        RawClient absent = broker.client(connect);
        absent.subscribe(topic + "/+", 2);
        absent.leave();
        client.subscribe(topic + "/x", 2);
        RawClient wild = broker.v5();
        wild.subscribe(topic + "/#", 2);
        publisher.publish(topic + "/x", "once", 2);
        for (RawClient each : List.of(client, wild, broker.client(connect))) {
            assertThat(each.receive().text()).isEqualTo("once");
            each.expectNothingFrom(publisher);
        }
    }

    @Test
    @Tag("MQTT-3.3.4-2")
    @Tag("MQTT-3.3.4-3")
    @Tag("MQTT-3.3.4-4")
    void overlappingSubscriptionsGiveOneCopyAtTheHighestQosWithAllIdentifiers() {
        client.subscribe(SubscribePacket.id(1).identifier(1).filter(topic + "/#", 2));
        client.subscribe(SubscribePacket.id(2).identifier(2).filter(topic + "/b", 0));
        client.subscribe(SubscribePacket.id(3).filter(topic + "/+", 1));
        publisher.publish(topic + "/b", "x", 2);
        Received copy = client.receive();
        assertThat(copy.qos()).isEqualTo(2);
        assertThat(copy.identifiers()).containsExactlyInAnyOrder(1L, 2L);
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("X5-3.3.4-b")
    void theSameIdentifierOfTwoSubscriptionsIsRepeated() {
        client.subscribe(SubscribePacket.id(1).identifier(5).filter(topic + "/#", 0));
        client.subscribe(SubscribePacket.id(2).identifier(5).filter(topic + "/b", 0));
        publisher.publish(topic + "/b", "x", 0);
        assertThat(client.receive().identifiers()).containsExactly(5L, 5L);
        client.expectNothingFrom(publisher);
    }

    @AutoClose
    private static final TestBroker separate = TestBroker.start("subscriptions.overlap=separate");

    @Test
    @Tag("MQTT-3.3.4-5")
    void separateCopiesHaveTheirOwnIdentifiers() {
        RawClient subscriber = separate.v5();
        subscriber.subscribe(SubscribePacket.id(1).identifier(1).filter(topic + "/#", 0));
        subscriber.subscribe(SubscribePacket.id(2).identifier(2).filter(topic + "/b", 0));
        subscriber.subscribe(SubscribePacket.id(3).filter(topic + "/+", 0));
        RawClient source = separate.v5();
        source.publish(topic + "/b", "x", 0);
        assertThat(subscriber.deliveriesUntilCanary(source))
                .extracting(Received::identifiers)
                .containsExactlyInAnyOrder(List.of(1L), List.of(2L), List.of());
    }
}
