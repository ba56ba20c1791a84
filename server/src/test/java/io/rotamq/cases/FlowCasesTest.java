package io.rotamq.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.DropReason;
import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Receive Maximum, topic aliases, Maximum Packet Size. */
class FlowCasesTest extends CaseTest {

    @ParameterizedTest
    @Tag("C73")
    @ValueSource(booleans = {true, false})
    void eachConnectionStartsWithAFreshQuota(boolean isShared) {
        String id = Fresh.id();
        RawClient first = broker.client(lasting(id).with(Property.RECEIVE_MAXIMUM, 1));
        first.subscribe(isShared ? shared : topic, 1);
        publisher.publish(topic, "0", 1);
        hold(first, 1);
        first.reset();
        publish(4, 1);
        RawClient back = broker.client(lasting(id).with(Property.RECEIVE_MAXIMUM, 4));
        List<Received> firstFour = hold(back, 4);
        nothingMoreAt(back);
        assertThat(firstFour.getFirst().dup()).isTrue();
        firstFour.forEach(back::acknowledge);
        List<String> all = new ArrayList<>(texts(firstFour));
        all.addAll(texts(back.receive(1)));
        assertThat(all).isEqualTo(numbers(0, 4));
        nothingMoreAt(back);
    }

    @Test
    @Tag("C75")
    @Tag("C163")
    void moreUnfinishedPublishesThanTheReceiveMaximumEndTheConnection() {
        RawClient client = broker.open();
        Received connack = client.connect(ConnectPacket.v5(Fresh.id()));
        int allowed = (int) connack.properties().number(Property.RECEIVE_MAXIMUM);
        for (int id = 1; id <= allowed; id++) {
            client.send(PublishPacket.of(topic, "x").qos(2, id));
            client.expect(Type.PUBREC, id);
        }
        // Repeats and QoS 0 do not count.
        for (int i = 0; i < allowed; i++) {
            client.send(PublishPacket.of(topic, "x").qos(2, 1).dup());
            client.expect(Type.PUBREC, 1);
            client.send(PublishPacket.of(topic, "x"));
        }
        assertThat(client.isOpen()).isTrue();
        client.send(PublishPacket.of(topic, "x").qos(2, allowed + 1));
        client.expectDisconnect(0x93);
    }

    @Test
    @Tag("C77")
    void aliasesStayWithinTheMaximumOfTheCurrentConnection() {
        String id = Fresh.id();
        RawClient none = broker.client(lasting(id));
        none.subscribe(topic + "/#", 0);
        for (int i = 0; i < 20; i++) {
            publisher.publish(topic, "x", 0);
            assertThat(none.receive().properties().has(Property.TOPIC_ALIAS)).isFalse();
        }
        RawClient two = broker.client(lasting(id).with(Property.TOPIC_ALIAS_MAXIMUM, 2));
        Set<Long> known = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            publisher.publish(topic + "/" + i % 5, "x", 0);
            Received delivery = two.receive();
            long alias = delivery.properties().number(Property.TOPIC_ALIAS, 0);
            assertThat(alias).isBetween(0L, 2L);
            if (alias == 0 || known.add(alias)) {
                assertThat(delivery.topic()).isEqualTo(topic + "/" + i % 5);
            }
        }
        RawClient again = broker.client(lasting(id));
        publisher.publish(topic + "/0", "x", 0);
        Received last = again.receive();
        assertThat(last.properties().has(Property.TOPIC_ALIAS)).isFalse();
        assertThat(last.topic()).isEqualTo(topic + "/0");
    }

    @ParameterizedTest
    @Tag("C78")
    @CsvSource({
        "3007 0000 03 230001 78, 0x82, 0x94", // never set
        "3008 0001 74 03 230000 78, 0x94, 0x82", // zero
        "3008 0001 74 03 23ffff 78, 0x94, 0x94", // above the maximum
    })
    void wrongAliasesEndTheConnection(String hex, String code, String orThis) {
        RawClient client = broker.v5();
        client.send(hex);
        client.expectDisconnect(Integer.decode(code), Integer.decode(orThis));
    }

    @Test
    @Tag("C78")
    void aliasesDieWithTheConnectionAlsoOfAResumedSession() {
        String id = Fresh.id();
        RawClient first = broker.client(lasting(id));
        first.send(PublishPacket.of(topic, "x").alias(1));
        first.ping();
        first.reset();
        RawClient back = broker.client(lasting(id));
        back.send(PublishPacket.of("", "x").alias(1));
        back.expectDisconnect(0x82, 0x94);
    }

    @Test
    @Tag("C78")
    void aQos2MessageKeepsItsTopicWhenItsAliasIsMappedAnew() {
        RawClient subscriber = broker.v5();
        subscriber.subscribe(topic + "/+", 2);
        RawClient client = broker.v5();
        client.send(PublishPacket.of(topic + "/a", "first").alias(1).qos(2, 1));
        client.expect(Type.PUBREC, 1);
        client.send(PublishPacket.of(topic + "/b", "second").alias(1).qos(2, 2));
        client.expect(Type.PUBREC, 2);
        client.send(PublishPacket.of("", "third").alias(1));
        client.send(AckPacket.pubrel(1));
        client.expect(Type.PUBCOMP, 1);
        assertThat(subscriber.receive(3))
                .extracting(d -> d.topic().substring(topic.length()) + d.text())
                .containsExactlyInAnyOrder("/afirst", "/bsecond", "/bthird");
    }

    @Test
    @Tag("C79")
    void aliasesTakeNothingAwayAndAreNotSharedBetweenConnections() {
        List<RawClient> subscribers = new ArrayList<>();
        for (int maximum : new int[] {0, 1, 10}) {
            RawClient subscriber =
                    broker.client(
                            ConnectPacket.v5(Fresh.id())
                                    .with(Property.TOPIC_ALIAS_MAXIMUM, maximum));
            subscriber.subscribe(topic + "/#", 1);
            subscribers.add(subscriber);
        }
        String id = Fresh.id();
        RawClient away = broker.client(lasting(id));
        away.subscribe(topic + "/#", 1);
        away.leave();
        for (int i = 0; i < 3; i++) {
            publisher.publish(rich(i == 0 ? topic + "/a" : ""));
            for (RawClient subscriber : subscribers) {
                checkRich(subscriber.receive());
            }
        }
        RawClient back = broker.client(lasting(id));
        for (Received delivery : back.receive(3)) {
            checkRich(delivery);
            assertThat(delivery.topic()).isEqualTo(topic + "/a");
        }
    }

    private static PublishPacket rich(String name) {
        return PublishPacket.of(name, "rich")
                .qos(1, 1)
                .alias(3)
                .with(Property.CONTENT_TYPE, "text/plain")
                .with(Property.RESPONSE_TOPIC, "answers")
                .with(Property.CORRELATION_DATA, "abc".getBytes(StandardCharsets.UTF_8))
                .user("a", "1")
                .user("a", "1");
    }

    private static void checkRich(Received delivery) {
        assertThat(delivery.properties().text(Property.CONTENT_TYPE)).isEqualTo("text/plain");
        assertThat(delivery.properties().text(Property.RESPONSE_TOPIC)).isEqualTo("answers");
        assertThat(delivery.properties().binary(Property.CORRELATION_DATA))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("abc");
        assertThat(delivery.properties().users()).hasSize(2);
    }

    @ParameterizedTest
    @Tag("C81")
    @ValueSource(ints = {1, 2})
    void anOversizedMessageAtTheHeadOfAQueueIsSkipped(int qos) {
        String id = Fresh.id();
        RawClient first = broker.client(lasting(id));
        first.subscribe(topic, qos);
        first.leave();
        publisher.publish(topic, "x".repeat(200), qos);
        publisher.publish(topic, "s1", qos);
        publisher.publish(topic, "s2", qos);
        long dropped = broker.dropped(DropReason.TOO_LARGE);
        RawClient back =
                broker.client(
                        lasting(id)
                                .with(Property.MAXIMUM_PACKET_SIZE, 64)
                                .with(Property.RECEIVE_MAXIMUM, 1));
        assertThat(texts(back.receive(2))).containsExactly("s1", "s2");
        broker.awaitDropped(DropReason.TOO_LARGE, dropped + 1);
        nothingMoreAt(back);
    }
}
