package io.rotamq.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import io.rotamq.testkit.UnsubscribePacket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** MQTT 5.0 chapters 1.5 and 2: strings, integers, fixed header, identifiers, properties. */
@Tag("mqtt5")
@Execution(ExecutionMode.CONCURRENT)
class DataV5Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    @ParameterizedTest
    @ValueSource(strings = {"EDA080", "C0AF", "FF", "C328", "F8888080"})
    @Tag("MQTT-1.5.4-1")
    @Tag("MQTT-3.3.2-1")
    void aTopicThatIsNotUtf8EndsTheConnection(String bad) {
        String topic = Fresh.topic();
        RawClient watcher = broker.v5();
        watcher.subscribe(topic + "/#", 0);
        RawClient offender = broker.v5();
        String hex = HexFormat.of().formatHex((topic + "/").getBytes(StandardCharsets.UTF_8));
        offender.send(PublishPacket.ofRawTopic(hex + bad));
        offender.expectDisconnect(0x81);
        watcher.expectNothingFrom(watcher);
    }

    @Test
    @Tag("MQTT-1.5.4-2")
    @Tag("MQTT-4.7.3-2")
    void aNulInAStringEndsTheConnection() {
        broker.open().send(ConnectPacket.v5("a\0b")).expectRefused(0x81, 0x85);
        broker.v5().send(PublishPacket.of("a\0b", "x")).expectDisconnect(0x81);
        broker.v5().send(SubscribePacket.id(1).filter("a\0b", 0)).expectDisconnect(0x81);
        broker.v5().send(UnsubscribePacket.id(1).filter("a\0b")).expectDisconnect(0x81);
    }

    @Test
    @Tag("MQTT-1.5.4-3")
    void aByteOrderMarkIsAnOrdinaryCharacter() {
        String topic = Fresh.topic();
        RawClient client = broker.v5();
        client.subscribe("\uFEFF" + topic, 0);
        client.publish(topic, "without", 0);
        client.publish("\uFEFF" + topic, "with", 0);
        Received delivery = client.receive();
        assertThat(delivery.text()).isEqualTo("with");
        assertThat(delivery.hex()).startsWith("30").contains("efbbbf");
        assertThat(delivery.topic()).isEqualTo("\uFEFF" + topic);
    }

    @ParameterizedTest
    @ValueSource(ints = {127, 128, 16_383, 16_384})
    @Tag("MQTT-1.5.5-1")
    void lengthsTakeTheShortestEncoding(int remainingLength) {
        String topic = Fresh.topic();
        RawClient client = broker.v5();
        client.subscribe(topic, 0);
        byte[] payload = new byte[remainingLength - 2 - topic.length() - 1];
        client.publish(PublishPacket.of(topic, "").payload(payload));
        Received delivery = client.receive();
        int lengthBytes = remainingLength < 128 ? 1 : remainingLength < 16_384 ? 2 : 3;
        assertThat(delivery.raw()).hasSize(1 + lengthBytes + remainingLength);
    }

    @Test
    @Tag("MQTT-1.5.5-1")
    void anOverlongLengthEndsTheConnection() {
        broker.v5().send("C0 80 00").expectDisconnect(0x81);
    }

    @Test
    @Tag("X5-1.5.5-a")
    void aLengthOfFiveBytesEndsTheConnectionAtOnce() {
        broker.v5().send("30 FF FF FF FF 7F").expectDisconnect(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"26 0001 61 0002 C328", "26 0002 C328 0001 61", "26 0001 61 0001 00"})
    @Tag("MQTT-1.5.7-1")
    void aUserPropertyThatIsNotUtf8EndsTheConnection(String property) {
        String topic = Fresh.topic();
        RawClient watcher = broker.v5();
        watcher.subscribe(topic, 0);
        broker.v5()
                .send(PublishPacket.of(topic, "x").rawProperties(property))
                .expectDisconnect(0x81);
        watcher.expectNothingFrom(watcher);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "41 02 0001",
                "51 02 0001",
                "60 02 0001",
                "72 02 0001",
                "C1 00",
                "E1 00",
                "D1 00",
                "80 07 0001 00 0001 61 00",
                "A0 06 0001 00 0001 61"
            })
    @Tag("MQTT-2.1.3-1")
    @Tag("MQTT-4.13.1-1")
    void reservedHeaderFlagsEndTheConnection(String packet) {
        broker.v5().send(packet).expectDisconnect(0x81, 0x82);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"00 00", "20 03 00 00 00", "90 04 0001 00 00", "B0 04 0001 00 00", "D0 00"})
    @Tag("X5-2.1.2-a")
    void packetsOnlyAServerSendsEndTheConnection(String packet) {
        broker.v5().send(packet).expectDisconnect(0x81, 0x82);
    }

    @Test
    @Tag("MQTT-2.2.1-2")
    @Tag("MQTT-2.2.2-1")
    void aQos0DeliveryHasNoIdentifierAndAnEmptyPropertyListIsWritten() {
        String topic = Fresh.topic();
        RawClient client = broker.v5();
        Received suback = client.subscribe(SubscribePacket.id(258).filter(topic, 1));
        assertThat(suback.hex()).isEqualTo("9004" + "0102" + "00" + "01");
        client.publish(topic, "p", 0);
        byte[] expected = new Bytes().text(topic).u8(0).u8('p').packet(0x30);
        assertThat(client.receive().raw()).isEqualTo(expected);
        client.publish(topic, "p", 1);
        client.ping();
        Received second = client.receive();
        byte[] withId = new Bytes().text(topic).u16(second.packetId()).u8(0).u8('p').packet(0x32);
        assertThat(second.raw()).isEqualTo(withId);
    }

    @Test
    @Tag("MQTT-2.2.1-3")
    void theIdentifier0EndsTheConnection() {
        String topic = Fresh.topic();
        RawClient watcher = broker.v5();
        watcher.subscribe(topic, 0);
        broker.v5().send(SubscribePacket.id(0).filter(topic, 0)).expectDisconnect(0x81, 0x82);
        broker.v5().send(UnsubscribePacket.id(0).filter(topic)).expectDisconnect(0x81, 0x82);
        broker.v5().send(PublishPacket.of(topic, "x").qos(1, 0)).expectDisconnect(0x81, 0x82);
        broker.v5().send(PublishPacket.of(topic, "x").qos(2, 0)).expectDisconnect(0x81, 0x82);
        watcher.expectNothingFrom(watcher);
    }

    @Test
    @Tag("MQTT-2.2.1-4")
    @Tag("MQTT-4.3.2-1")
    void deliveriesUseFreeIdentifiers() {
        String topic = Fresh.topic();
        RawClient subscriber = broker.v5();
        subscriber.subscribe(topic, 2);
        RawClient publisher = broker.v5();
        for (int i = 0; i < 100; i++) {
            publisher.publish(topic, "m" + i, 1 + i % 2);
        }
        List<Received> held = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            held.add(subscriber.delivery());
        }
        Set<Integer> used = RawClient.identifiers(held);
        assertThat(used).allMatch(id -> id > 0);
        List<Received> finished = held.subList(40, 60);
        finished.forEach(subscriber::acknowledge);
        finished.forEach(done -> used.remove(done.packetId()));
        for (int i = 0; i < finished.size(); i++) {
            publisher.publish(topic, "n" + i, 1 + i % 2);
            Received delivery = subscriber.delivery();
            assertThat(used.add(delivery.packetId())).as("%s is free", delivery).isTrue();
        }
    }

    @Test
    @Tag("MQTT-2.2.1-5")
    @Tag("MQTT-3.3.4-1")
    void acknowledgementsRepeatTheIdentifierOfThePublish() {
        RawClient client = broker.v5();
        client.send(PublishPacket.of(Fresh.topic(), "a"));
        client.send(PublishPacket.of(Fresh.topic(), "a").qos(1, 7));
        client.expect(Type.PUBACK, 7);
        client.send(PublishPacket.of(Fresh.topic(), "b").qos(2, 65_535));
        client.expect(Type.PUBREC, 65_535);
        client.send(AckPacket.pubrel(65_535));
        client.expect(Type.PUBCOMP, 65_535);
    }

    @Test
    @Tag("MQTT-2.2.1-6")
    @Tag("MQTT-3.8.4-2")
    @Tag("MQTT-3.10.4-5")
    void subackAndUnsubackRepeatTheIdentifierOfTheRequest() {
        String topic = Fresh.topic();
        RawClient client = broker.v5();
        client.send(
                SubscribePacket.id(1).filter(topic, 0),
                SubscribePacket.id(65_535).filter(topic + "/x", 0),
                UnsubscribePacket.id(300).filter(topic),
                SubscribePacket.id(4660).filter(topic, 0),
                UnsubscribePacket.id(77).filter(Fresh.topic()));
        client.expect(Type.SUBACK, 1);
        client.expect(Type.SUBACK, 65_535);
        client.expect(Type.UNSUBACK, 300);
        client.expect(Type.SUBACK, 4660);
        assertThat(client.expect(Type.UNSUBACK, 77).code()).isEqualTo(0x11);
    }

    @Test
    @Tag("X5-2.2.1-a")
    void theTwoDirectionsHaveIdentifiersOfTheirOwn() {
        String topic = Fresh.topic();
        RawClient client = broker.v5();
        client.subscribe(topic, 2);
        broker.v5().publish(topic, "held", 2);
        Received held = client.delivery();
        int id = held.packetId();
        client.send(PublishPacket.of(Fresh.topic(), "x").qos(2, id));
        client.expect(Type.PUBREC, id);
        client.send(AckPacket.pubrec(id));
        client.expect(Type.PUBREL, id);
        client.send(AckPacket.pubrel(id));
        assertThat(client.expect(Type.PUBCOMP, id).code()).isZero();
        client.send(AckPacket.pubcomp(id));
        client.expectNothingFrom(client);
    }

    @ParameterizedTest
    @CsvSource({
        "11 0000000A, 129", // session expiry: not in PUBLISH
        "7F 00, 129", // no such property
        "0B 01, 130", // subscription identifier: only from servers
        "03 0001 61 03 0001 62, 130",
        "01 00 01 00, 130",
        "02 0000000A 02 0000000A, 130",
        "08 0001 61 08 0001 61, 130",
        "09 0001 61 09 0001 61, 130",
        "23 0001 23 0001, 130",
        "02 00000A, 129" // cut short
    })
    @Tag("X5-2.2.2-a")
    @Tag("X5-2.2.2-b")
    @Tag("X5-2.2.2-c")
    @Tag("MQTT-3.3.4-6")
    void aPropertyThatDoesNotBelongThereEndsTheConnection(String property, int code) {
        String topic = Fresh.topic();
        RawClient watcher = broker.v5();
        watcher.subscribe(topic, 0);
        RawClient offender = broker.v5();
        offender.send(PublishPacket.of(topic, "x").rawProperties(property));
        // A Malformed Packet (0x81) and a Protocol Error (0x82) are told apart by this broker.
        offender.expectDisconnect(code);
        watcher.expectNothingFrom(watcher);
    }

    @Test
    @Tag("X5-2.2.2-b")
    void aRepeatedPropertyInConnectIsRefused() {
        ConnectPacket connect = ConnectPacket.v5(Fresh.id());
        broker.open().send(connect.rawProperties("27 00001000 27 00001000")).expectRefused(0x82);
    }

    @Test
    @Tag("X5-2.2.2-c")
    void aPropertyLengthPastTheEndOfThePacketEndsTheConnection() {
        broker.v5().send("30 05 0001 61 7F 00").expectDisconnect(0x81);
        broker.v5().ping();
    }
}
