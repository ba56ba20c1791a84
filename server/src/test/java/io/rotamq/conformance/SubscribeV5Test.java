package io.rotamq.conformance;

import static io.rotamq.testkit.Property.MAXIMUM_PACKET_SIZE;
import static io.rotamq.testkit.SubscribePacket.NO_LOCAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import io.rotamq.testkit.UnsubscribePacket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** MQTT 5.0 chapters 3.8 to 3.11: SUBSCRIBE and UNSUBSCRIBE. */
@Tag("mqtt5")
@Execution(ExecutionMode.CONCURRENT)
class SubscribeV5Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    private final String topic = Fresh.topic();
    private final RawClient client = broker.v5();
    private final RawClient publisher = broker.v5();

    @ParameterizedTest
    @ValueSource(strings = {"80", "81", "83", "8A"})
    @Tag("MQTT-3.8.1-1")
    void wrongFlagsOfSubscribeEndTheConnection(String firstByte) {
        client.send(firstByte + "07 0001 00 0001 61 00").expectDisconnect(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"A0", "A1", "A3", "AA"})
    @Tag("MQTT-3.10.1-1")
    void wrongFlagsOfUnsubscribeEndTheConnection(String firstByte) {
        client.send(firstByte + "06 0001 00 0001 61").expectDisconnect(0x81);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x60, 0x61, 0x63, 0x6A})
    @Tag("MQTT-3.6.1-1")
    void wrongFlagsOfPubrelEndTheConnection(int firstByte) {
        client.send(new Bytes().u16(1).packet(firstByte)).expectDisconnect(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"82 05 0001 02 0B 00", "82 09 0001 02 0B 00 0001 61 00"})
    @Tag("X5-3.8.2.1.2-a")
    void theSubscriptionIdentifier0EndsTheConnection(String packet) {
        client.send(packet).expectDisconnect(0x82);
    }

    @Test
    @Tag("X5-3.8.2.1.2-a")
    void twoSubscriptionIdentifiersEndTheConnection() {
        client.send(SubscribePacket.id(1).identifier(1).identifier(2).filter(topic, 0))
                .expectDisconnect(0x82);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 127, 128, 268_435_455})
    @Tag("X5-3.8.2.1.2-a")
    void subscriptionIdentifiersComeBack(int identifier) {
        client.subscribe(SubscribePacket.id(1).identifier(identifier).filter(topic, 0));
        publisher.publish(topic, "x", 0);
        assertThat(client.receive().identifiers()).containsExactly((long) identifier);
    }

    @Test
    @Tag("X5-3.8.2.1.2-b")
    void aRepeatedSubscribeReplacesTheIdentifierAndAReconnectKeepsIt() {
        ConnectPacket connect = ConnectPacket.v5(Fresh.id()).lasting(60);
        RawClient first = broker.client(connect);
        first.subscribe(SubscribePacket.id(1).identifier(1).filter(topic, 1));
        first.subscribe(SubscribePacket.id(2).identifier(2).filter(topic, 1));
        publisher.publish(topic, "x", 1);
        assertThat(first.receive().identifiers()).containsExactly(2L);
        first.leave();
        publisher.publish(topic, "queued", 1);
        RawClient resumed = broker.client(connect);
        publisher.publish(topic, "live", 1);
        assertThat(resumed.receive().identifiers()).containsExactly(2L);
        assertThat(resumed.receive().identifiers()).containsExactly(2L);
        resumed.subscribe(SubscribePacket.id(3).filter(topic, 1));
        publisher.publish(topic, "x", 1);
        assertThat(resumed.receive().identifiers()).isEmpty();
    }

    @Test
    @Tag("MQTT-3.8.3-1")
    @Tag("MQTT-3.10.3-1")
    void filtersThatAreNotUtf8EndTheConnection() {
        byte[] bad = {(byte) 0xFF};
        broker.v5().send(SubscribePacket.id(1).filter(bad, 0)).expectDisconnect(0x81);
        broker.v5().send(UnsubscribePacket.id(1).filter(bad)).expectDisconnect(0x81);
    }

    @Test
    @Tag("MQTT-3.8.3-2")
    void aSubscribeWithoutAFilterEndsTheConnection() {
        broker.v5().send(SubscribePacket.id(1)).expectDisconnect(0x82);
        broker.v5().send("82 06 0001 00 0001 61").expectDisconnect(0x81);
    }

    @Test
    @Tag("MQTT-3.10.3-2")
    void anUnsubscribeWithoutAFilterEndsTheConnection() {
        client.send(UnsubscribePacket.id(1)).expectDisconnect(0x82);
    }

    @Test
    @Tag("MQTT-3.8.3-3")
    void noLocalKeepsAClientsOwnMessagesAway() {
        ConnectPacket connect = ConnectPacket.v5(Fresh.id()).lasting(60);
        RawClient first = broker.client(connect);
        first.subscribe(topic, NO_LOCAL);
        first.subscribe(topic + "/plain", 0);
        first.publish(topic, "own", 0);
        first.publish(topic + "/plain", "plain", 0);
        publisher.publish(topic, "other", 0);
        assertThat(List.of(first.receive().text(), first.receive().text()))
                .containsExactlyInAnyOrder("plain", "other");
        first.leave();
        for (int i = 0; i < 2; i++) { // after a resume, and after a takeover
            RawClient resumed = broker.client(connect);
            resumed.publish(topic, "own", 0);
            resumed.ping();
            publisher.publish(topic, "other", 0);
            assertThat(resumed.receive().text()).isEqualTo("other");
        }
    }

    @Test
    @Tag("MQTT-3.8.3-4")
    void noLocalOnASharedFilterEndsTheConnection() {
        client.send(SubscribePacket.id(1).filter("$share/g/" + topic, NO_LOCAL | 1))
                .expectDisconnect(0x82);
    }

    @ParameterizedTest
    @CsvSource({"0x40, 0x81", "0x80, 0x81", "0xC1, 0x81", "0x03, 0x82", "0x30, 0x82"})
    @Tag("MQTT-3.8.3-5")
    @Tag("X5-3.8.3.1-a")
    @Tag("X5-3.8.3.1-b")
    void wrongSubscriptionOptionsEndTheConnection(String options, String code) {
        client.send(SubscribePacket.id(1).filter(topic, Integer.decode(options)))
                .expectDisconnect(Integer.decode(code), 0x81);
    }

    @Test
    @Tag("MQTT-3.8.4-1")
    void whatIsPublishedAfterTheSubackIsDelivered() {
        for (int i = 0; i < 50; i++) {
            client.subscribe(topic + "/" + i, 0);
            publisher.publish(topic + "/" + i, "x", 0);
            assertThat(client.receive().topic()).isEqualTo(topic + "/" + i);
        }
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-3.8.4-3")
    void subscribingAgainReplacesTheSubscription() {
        client.subscribe(topic, 2);
        client.subscribe(topic, 0);
        publisher.publish(topic, "x", 2);
        assertThat(client.receive().qos()).isZero();
        client.expectNothingFrom(publisher);
        assertThat(client.unsubscribe(topic).code()).isZero();
        publisher.publish(topic, "x", 2);
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-3.8.4-5")
    void severalFiltersActLikeSubscribesInARow() {
        Received suback =
                client.subscribe(
                        SubscribePacket.id(1).filter(topic, 0).filter("u", 0).filter(topic, 2));
        assertThat(suback.codes()).containsExactly(0, 0, 2);
        publisher.publish(topic, "x", 2);
        assertThat(client.receive().qos()).isEqualTo(2);
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-3.8.4-6")
    @Tag("MQTT-3.9.3-1")
    void theSubackHasACodePerFilterInOrder() {
        SubscribePacket packet = SubscribePacket.id(1);
        List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            boolean bad = i % 4 == 3;
            packet.filter(topic + "/" + i + (bad ? "#" : ""), i % 3);
            expected.add(bad ? 0x8F : i % 3);
        }
        assertThat(client.trySubscribe(packet).codes()).isEqualTo(expected);
    }

    @Test
    @Tag("MQTT-3.8.4-8")
    void aDeliveryHasTheLowerOfBothQos() {
        for (int granted = 0; granted <= 2; granted++) {
            client.subscribe(topic + granted, granted);
            for (int published = 0; published <= 2; published++) {
                publisher.publish(topic + granted, "x", published);
                assertThat(client.receive().qos()).isEqualTo(Math.min(granted, published));
            }
        }
    }

    @Test
    @Tag("MQTT-3.10.4-1")
    void onlyTheSameFilterIsRemoved() {
        client.subscribe(topic + "/+", 0);
        client.subscribe(topic + "/b", 0);
        assertThat(client.unsubscribe(topic + "/#", topic.toUpperCase(Locale.ROOT) + "/+").codes())
                .containsExactly(0x11, 0x11);
        assertThat(client.unsubscribe(topic + "/b").code()).isZero();
        publisher.publish(topic + "/b", "x", 0);
        assertThat(client.receive().text()).isEqualTo("x");
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-3.10.4-2")
    void afterTheUnsubackNothingIsDeliveredOrQueued() {
        ConnectPacket connect = ConnectPacket.v5(Fresh.id()).lasting(60);
        RawClient lasting = broker.client(connect);
        lasting.subscribe(topic, 1);
        lasting.unsubscribe(topic);
        publisher.publish(topic, "x", 1);
        lasting.expectNothingFrom(publisher);
        lasting.leave();
        publisher.publish(topic, "y", 1);
        broker.client(connect).expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-3.10.4-3")
    void deliveriesThatWereBegunAreFinishedAfterAnUnsubscribe() {
        ConnectPacket connect = ConnectPacket.v5(Fresh.id()).lasting(60);
        RawClient lasting = broker.client(connect);
        lasting.subscribe(topic, 2);
        publisher.publish(topic, "one", 1);
        publisher.publish(topic, "two", 2);
        Received one = lasting.delivery();
        Received two = lasting.delivery();
        lasting.unsubscribe(topic);
        lasting.send(AckPacket.pubrec(two.packetId()));
        lasting.expect(Type.PUBREL, two.packetId());
        lasting.send(AckPacket.pubcomp(two.packetId()));
        lasting.leave();
        RawClient resumed = broker.client(connect);
        Received again = resumed.receive();
        assertThat(again.packetId()).isEqualTo(one.packetId());
        assertThat(again.dup()).isTrue();
        resumed.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-3.10.4-4")
    @Tag("MQTT-3.10.4-6")
    @Tag("MQTT-3.11.3-1")
    @Tag("MQTT-3.11.3-2")
    void theUnsubackHasACodePerFilterInOrder() {
        client.subscribe(SubscribePacket.id(1).filter(topic + "/a", 0).filter(topic + "/b", 0));
        Received unsuback = client.unsubscribe(topic + "/a", topic + "/b", topic + "/a");
        assertThat(unsuback.codes()).containsExactly(0x00, 0x00, 0x11);
        client.subscribe(SubscribePacket.id(1).filter(topic + "/a", 0).filter(topic + "/b", 0));
        unsuback = client.unsubscribe(topic + "/a", topic, topic + "/b");
        assertThat(unsuback.codes()).containsExactly(0x00, 0x11, 0x00);
        client.ping();
    }

    @Test
    @Tag("MQTT-3.11.2-1")
    void anUnsubackFitsASmallClient() {
        RawClient narrow =
                broker.client(ConnectPacket.v5(Fresh.id()).with(MAXIMUM_PACKET_SIZE, 64));
        narrow.send(UnsubscribePacket.id(1).filter("never/subscribed"));
        Received unsuback = narrow.expect(Type.UNSUBACK, 1);
        assertThat(unsuback.codes()).containsExactly(0x11);
    }
}
