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
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MQTT 3.1.1 chapters 1.5, 2 and 4.8: malformed packets end the connection without a word. */
@Tag("mqtt311")
@Execution(ExecutionMode.CONCURRENT)
class DataV4Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    private final String topic = Fresh.topic();
    private final RawClient watcher = broker.v4();

    private void expectNothingRouted() {
        watcher.expectNothingFrom(watcher);
    }

    @ParameterizedTest
    @ValueSource(strings = {"EDA080", "C0AF", "FF", "C328"})
    @Tag("MQTT-1.5.3-1")
    @Tag("MQTT-3.3.2-1")
    @Tag("MQTT-4.8.0-1")
    void aTopicThatIsNotUtf8ClosesTheConnection(String bad) {
        watcher.subscribe(topic + "/#", 0);
        String hex = HexFormat.of().formatHex((topic + "/").getBytes(StandardCharsets.UTF_8));
        broker.v4().send(PublishPacket.ofRawTopic(hex + bad)).expectClosed();
        expectNothingRouted();
    }

    @Test
    @Tag("MQTT-1.5.3-2")
    @Tag("MQTT-4.7.3-2")
    void aNulInAStringClosesTheConnection() {
        broker.open().send(ConnectPacket.v4("a\0b")).expectClosed();
        broker.v4().send(PublishPacket.of("a\0b", "x")).expectClosed();
        broker.v4().send(SubscribePacket.id(1).filter("a\0b", 0)).expectClosed();
    }

    @Test
    @Tag("MQTT-1.5.3-3")
    void aByteOrderMarkIsAnOrdinaryCharacter() {
        watcher.subscribe("\uFEFF" + topic, 0);
        watcher.publish(topic, "without", 0);
        watcher.publish("\uFEFF" + topic, "with", 0);
        assertThat(watcher.receive().topic()).isEqualTo("\uFEFF" + topic);
    }

    @ParameterizedTest
    @ValueSource(strings = {"41 02 0001", "51 02 0001", "72 02 0001", "C1 00", "E1 00"})
    @Tag("MQTT-2.2.2-2")
    @Tag("MQTT-4.8.0-1")
    void wrongHeaderFlagsCloseTheConnection(String packet) {
        broker.v4().send(packet).expectClosed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"00 00", "F0 00", "20 02 0000", "90 03 0001 00", "B0 02 0001", "D0 00"})
    @Tag("MQTT-4.8.0-1")
    void packetTypesNoClientSendsCloseTheConnection(String packet) {
        broker.v4().send(packet).expectClosed();
    }

    @Test
    @Tag("MQTT-2.2.2-1")
    @Tag("MQTT-3.1.4-4")
    @Tag("MQTT-3.2.2-3")
    @Tag("MQTT-3.12.4-1")
    @Tag("MQTT-3.10.4-4")
    void thePacketsOfTheBrokerHaveTheirFixedForm() {
        RawClient client = broker.open();
        assertThat(client.connect(ConnectPacket.v4(Fresh.id()).resume()).hex())
                .isEqualTo("20020000");
        assertThat(client.subscribe(SubscribePacket.id(4660).filter(topic, 2)).hex())
                .isEqualTo("9003123402");
        client.send(PublishPacket.of(topic, "x").qos(2, 258));
        assertThat(client.await(Type.PUBREC, 258).hex()).isEqualTo("50020102");
        client.send(AckPacket.pubrel(258));
        assertThat(client.await(Type.PUBCOMP, 258).hex()).isEqualTo("70020102");
        Received delivery = client.delivery();
        int id = delivery.packetId();
        client.send(AckPacket.pubrec(id));
        assertThat(client.expect(Type.PUBREL).hex()).isEqualTo("6202%04x".formatted(id));
        client.send(AckPacket.pubcomp(id));
        client.send(PublishPacket.of(Fresh.topic(), "x").qos(1, 772));
        assertThat(client.expect(Type.PUBACK).hex()).isEqualTo("40020304");
        client.send(UnsubscribePacket.id(300).filter(topic));
        assertThat(client.expect(Type.UNSUBACK).hex()).isEqualTo("b002012c");
        client.send("C0 00");
        assertThat(client.expect(Type.PINGRESP).hex()).isEqualTo("d000");
    }

    @Test
    @Tag("X3-2.2.3-a")
    void aLengthOfFiveBytesClosesTheConnectionAtOnce() {
        broker.v4().send("30 FF FF FF FF 01").expectClosed();
        watcher.subscribe(topic, 0);
        byte[] large = new byte[300_000];
        watcher.publish(PublishPacket.of(topic, "").payload(large));
        assertThat(watcher.receive().payload()).hasSize(large.length);
    }

    @Test
    @Tag("MQTT-2.3.1-1")
    void theIdentifier0ClosesTheConnection() {
        watcher.subscribe(topic, 0);
        broker.v4().send(SubscribePacket.id(0).filter(topic, 0)).expectClosed();
        broker.v4().send(UnsubscribePacket.id(0).filter(topic)).expectClosed();
        broker.v4().send(PublishPacket.of(topic, "x").qos(1, 0)).expectClosed();
        broker.v4().send(PublishPacket.of(topic, "x").qos(2, 0)).expectClosed();
        expectNothingRouted();
    }

    @Test
    @Tag("MQTT-2.3.1-4")
    void identifiersOfDeliveriesAreDistinctAndKeptWhenSentAgain() {
        ConnectPacket connect = ConnectPacket.v4(Fresh.id()).resume();
        RawClient client = broker.client(connect);
        client.subscribe(topic, 2);
        for (int i = 0; i < 100; i++) {
            watcher.publish(topic, "m" + i, 1 + i % 2);
        }
        List<Received> held = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            held.add(client.delivery());
        }
        RawClient.identifiers(held);
        client.reset();
        RawClient resumed = broker.client(connect);
        for (Received first : held) {
            assertThat(resumed.delivery().packetId()).isEqualTo(first.packetId());
        }
    }

    @Test
    @Tag("MQTT-2.3.1-5")
    void aQos0DeliveryHasNoIdentifier() {
        watcher.subscribe(topic, 1);
        watcher.publish(topic, "p", 0);
        assertThat(watcher.receive().raw()).isEqualTo(new Bytes().text(topic).u8('p').packet(0x30));
    }

    @Test
    @Tag("MQTT-2.3.1-6")
    @Tag("MQTT-3.3.4-1")
    void acknowledgementsRepeatTheIdentifierOfThePublish() {
        watcher.send(PublishPacket.of(topic, "a"));
        watcher.send(PublishPacket.of(topic, "a").qos(1, 7));
        watcher.expect(Type.PUBACK, 7);
        watcher.send(PublishPacket.of(topic, "b").qos(2, 65_535));
        watcher.expect(Type.PUBREC, 65_535);
        watcher.send(AckPacket.pubrel(65_535));
        watcher.expect(Type.PUBCOMP, 65_535);
    }

    @Test
    @Tag("MQTT-2.3.1-7")
    @Tag("MQTT-3.8.4-2")
    @Tag("MQTT-3.10.4-5")
    void subackAndUnsubackRepeatTheIdentifierOfTheRequest() {
        watcher.send(
                SubscribePacket.id(1).filter(topic, 0),
                SubscribePacket.id(65_535).filter(topic + "/x", 0),
                SubscribePacket.id(4660).filter(topic, 0),
                UnsubscribePacket.id(300).filter(topic),
                UnsubscribePacket.id(77).filter(Fresh.topic()));
        watcher.expect(Type.SUBACK, 1);
        watcher.expect(Type.SUBACK, 65_535);
        watcher.expect(Type.SUBACK, 4660);
        watcher.expect(Type.UNSUBACK, 300);
        watcher.expect(Type.UNSUBACK, 77);
    }

    @Test
    @Tag("MQTT-7.1.1-1")
    void theBordersOfSegmentsMeanNothing() {
        RawClient client = broker.open().level(4);
        Bytes all = new Bytes().raw(ConnectPacket.v4(Fresh.id()).encode());
        all.raw(SubscribePacket.id(1).filter(topic, 1).encode(4));
        all.raw(PublishPacket.of(topic, "byte by byte").qos(1, 2).encode(4));
        for (byte one : all.toArray()) {
            client.send(new byte[] {one});
        }
        client.expect(Type.CONNACK);
        client.await(Type.SUBACK, 1);
        client.await(Type.PUBACK, 2);
        assertThat(client.receive().text()).isEqualTo("byte by byte");
        Bytes hundred = new Bytes();
        for (int i = 0; i < 100; i++) {
            hundred.raw(PublishPacket.of(topic, "m" + i).encode(4));
        }
        client.send(hundred.toArray());
        for (int i = 0; i < 100; i++) {
            assertThat(client.receive().text()).isEqualTo("m" + i);
        }
    }
}
