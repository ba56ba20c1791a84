package io.rotamq.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import io.rotamq.testkit.UnsubscribePacket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MQTT 3.1.1 chapters 3.8 to 3.11: SUBSCRIBE and UNSUBSCRIBE. */
@Tag("mqtt311")
@Execution(ExecutionMode.CONCURRENT)
class SubscribeV4Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    private final String topic = Fresh.topic();
    private final RawClient client = broker.v4();
    private final RawClient publisher = broker.v4();

    @ParameterizedTest
    @ValueSource(strings = {"80", "81", "83", "8A"})
    @Tag("MQTT-3.8.1-1")
    void wrongFlagsOfSubscribeCloseTheConnection(String firstByte) {
        client.send(firstByte + "06 0001 0001 61 00").expectClosed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"A0", "A1", "A3"})
    @Tag("MQTT-3.10.1-1")
    void wrongFlagsOfUnsubscribeCloseTheConnection(String firstByte) {
        client.send(firstByte + "05 0001 0001 61").expectClosed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"60", "61", "63"})
    @Tag("MQTT-3.6.1-1")
    void wrongFlagsOfPubrelCloseTheConnection(String firstByte) {
        client.send(firstByte + "02 0001").expectClosed();
    }

    @Test
    @Tag("MQTT-3.8.3-1")
    @Tag("MQTT-3.10.3-1")
    void filtersThatAreNotUtf8CloseTheConnection() {
        byte[] bad = {(byte) 0xFF};
        broker.v4().send(SubscribePacket.id(1).filter(bad, 0)).expectClosed();
        broker.v4().send(UnsubscribePacket.id(1).filter("good").filter(bad)).expectClosed();
    }

    @Test
    @Tag("MQTT-3.8.3-3")
    void aSubscribeWithoutAFilterOrAQosClosesTheConnection() {
        broker.v4().send(SubscribePacket.id(1)).expectClosed();
        broker.v4().send("82 05 0001 0001 61").expectClosed();
    }

    @Test
    @Tag("MQTT-3.10.3-2")
    void anUnsubscribeWithoutAFilterClosesTheConnection() {
        client.send(UnsubscribePacket.id(1)).expectClosed();
    }

    @ParameterizedTest
    @ValueSource(ints = {0x03, 0x04, 0x08, 0x10, 0x80})
    @Tag("MQTT-3.8.3-4")
    void reservedBitsBesideTheQosCloseTheConnection(int qos) {
        client.send(SubscribePacket.id(1).filter(topic, qos)).expectClosed();
    }

    @Test
    @Tag("MQTT-3.8.4-1")
    void aSubscribeIsAnsweredAndWhatFollowsIsDelivered() {
        for (int i = 0; i < 20; i++) {
            client.subscribe(topic + "/" + i, 0);
            publisher.publish(topic + "/" + i, "x", 0);
            assertThat(client.receive().topic()).isEqualTo(topic + "/" + i);
        }
    }

    @Test
    @Tag("MQTT-3.8.4-3")
    void subscribingAgainReplacesAndRepeatsRetainedMessages() {
        publisher.publish(PublishPacket.of(topic, "retained").qos(1, 1).retain());
        List<String> live = new ArrayList<>();
        int repeats = 0;
        client.subscribe(topic, 2);
        for (int i = 0; i < 40; i++) {
            publisher.send(PublishPacket.of(topic, "m" + i).qos(1, i + 1));
            client.subscribe(topic, 1);
        }
        client.subscribe(topic, 0);
        publisher.send(PublishPacket.of(topic, "end").qos(1, 100));
        int endQos = -1; // the end has another QoS than the rest and may overtake it
        while (repeats < 42 || live.size() < 40 || endQos < 0) {
            Received each = client.receive();
            if (each.retain()) {
                repeats++;
            } else if (each.text().equals("end")) {
                endQos = each.qos();
            } else {
                live.add(each.text());
            }
        }
        client.expectNothingFrom(publisher);
        assertThat(endQos).isZero();
        assertThat(repeats).isEqualTo(42);
        assertThat(live).isEqualTo(IntStream.range(0, 40).mapToObj(i -> "m" + i).toList());
    }

    @Test
    @Tag("MQTT-3.8.4-4")
    void severalFiltersActLikeSubscribesInARow() {
        Received suback =
                client.subscribe(
                        SubscribePacket.id(1).filter(topic, 0).filter("u", 1).filter(topic, 2));
        assertThat(suback.codes()).containsExactly(0, 1, 2);
        publisher.publish(topic, "x", 2);
        assertThat(client.receive().qos()).isEqualTo(2);
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-3.8.4-6")
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
    @Tag("MQTT-3.9.3-1")
    @Tag("MQTT-3.9.3-2")
    @Tag("MQTT-4.7.1-2")
    @Tag("MQTT-4.7.1-3")
    void theSubackHasACodePerFilterInOrder() {
        String[] filters = {"a#", "#", "a/#/b", "a/#", "a+", "a/b+", "+", "a/+/c", "$share//t"};
        SubscribePacket packet = SubscribePacket.id(1);
        for (int i = 0; i < filters.length; i++) {
            packet.filter(filters[i], i % 3);
        }
        RawClient own = broker.v4();
        assertThat(own.trySubscribe(packet).codes())
                .containsExactly(0x80, 1, 0x80, 0, 0x80, 0x80, 0, 1, 0x80);
    }

    @Test
    @Tag("MQTT-3.10.4-1")
    void onlyTheSameFilterIsRemoved() {
        client.subscribe(topic + "/+", 0);
        client.subscribe(topic + "/b", 0);
        client.unsubscribe(topic + "/#");
        client.unsubscribe(topic + "/b");
        publisher.publish(topic + "/b", "x", 0);
        assertThat(client.receive().text()).isEqualTo("x");
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-3.10.4-2")
    @Tag("MQTT-3.10.4-6")
    void oneUnsubackEndsSeveralSubscriptions() {
        client.subscribe(SubscribePacket.id(1).filter(topic + "/a", 0).filter(topic + "/b", 0));
        client.send(
                UnsubscribePacket.id(300)
                        .filter(topic + "/a")
                        .filter(topic + "/b")
                        .filter(topic + "/x"));
        assertThat(client.expect(Type.UNSUBACK).hex()).isEqualTo("b002012c");
        publisher.publish(topic + "/a", "x", 1);
        publisher.publish(topic + "/b", "x", 1);
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-3.10.4-3")
    void deliveriesThatWereBegunAreFinishedAfterAnUnsubscribe() {
        client.subscribe(topic, 2);
        publisher.publish(topic, "x", 2);
        int id = client.delivery().packetId();
        client.unsubscribe(topic);
        client.send(AckPacket.pubrec(id));
        client.expect(Type.PUBREL, id);
        client.send(AckPacket.pubcomp(id));
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("X3-4.7-a")
    void anOldClientIsAMemberOfTheSameGroupAsNewOnes() {
        RawClient modern = broker.v5();
        modern.subscribe("$share/g/" + topic, 1);
        client.subscribe("$share/g/" + topic, 1);
        for (int i = 0; i < 10; i++) {
            publisher.publish(topic, "m" + i, 1);
        }
        assertThat(client.deliveriesUntilCanary(publisher)).hasSize(5);
        assertThat(modern.deliveriesUntilCanary(publisher)).hasSize(5);
    }

    @AutoClose
    private static final TestBroker limited =
            TestBroker.start("mqtt.wildcard-subscription-available=false", "sharing.enabled=false");

    @Test
    @Tag("MQTT-3.8.3-2")
    @Tag("X3-4.7-a")
    @Tag("MQTT-3.9.3-2")
    void whatTheBrokerDoesNotSupportIsRefused() {
        RawClient own = limited.v4();
        SubscribePacket packet =
                SubscribePacket.id(1)
                        .filter("a/#", 0)
                        .filter("a", 1)
                        .filter("$share/g/a", 0)
                        .filter("+", 0);
        assertThat(own.trySubscribe(packet).codes()).containsExactly(0x80, 1, 0x80, 0x80);
    }
}
