package io.rotamq.conformance;

import static io.rotamq.testkit.Property.RESPONSE_TOPIC;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import io.rotamq.testkit.WillMessage;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** MQTT 5.0 chapter 3.1: the form of CONNECT. */
@Tag("mqtt5")
@Execution(ExecutionMode.CONCURRENT)
class ConnectV5Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    /** A CONNECT up to the client identifier, without properties. */
    private static Bytes connect(int flags) {
        return ConnectPacket.header("MQTT", 5, flags, 0).u8(0).text(Fresh.id());
    }

    private static RawClient offer(Bytes connect) {
        return broker.open().send(connect.packet(0x10));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "C0 00",
                "30 05 0001 61 00 78",
                "F0 00",
                "E0 00",
                "82 07 0001 00 0001 61 00"
            })
    @Tag("MQTT-3.1.0-1")
    @Tag("MQTT-3.14.0-1")
    void aFirstPacketOtherThanConnectClosesTheConnectionWithoutAnAnswer(String packet) {
        broker.open().send(packet).expectClosed();
    }

    @Test
    @Tag("MQTT-3.1.0-2")
    @Tag("MQTT-3.2.0-2")
    void aSecondConnectEndsTheConnectionAndTheWillIsPublished() {
        String topic = Fresh.topic();
        RawClient watcher = broker.v5();
        watcher.subscribe(topic, 0);
        ConnectPacket connect = ConnectPacket.v5(Fresh.id()).will(WillMessage.of(topic, "will"));
        broker.client(connect).send(connect).expectDisconnect(0x82);
        assertThat(watcher.receive().text()).isEqualTo("will");
    }

    @Test
    @Tag("MQTT-3.1.2-1")
    void aProtocolNameOtherThanMqttIsRefused() {
        Bytes connect = ConnectPacket.header("MQTX", 5, 2, 0).u8(0).text(Fresh.id());
        List<Received> answer = offer(connect).readUntilClosed(RawClient.PATIENCE);
        assertThat(answer).allMatch(packet -> packet.code() == 0x84).hasSizeLessThan(2);
    }

    @Test
    @Tag("MQTT-3.1.2-2")
    @Tag("MQTT-3.2.2-7")
    @Tag("MQTT-3.2.2-8")
    void anUnknownProtocolLevelIsRefused() {
        Bytes connect = ConnectPacket.header("MQTT", 6, 2, 0).u8(0).text(Fresh.id());
        List<Received> answer = offer(connect).readUntilClosed(RawClient.PATIENCE);
        assertThat(answer).allMatch(packet -> packet.code() == 0x84).hasSizeLessThan(2);
        broker.v4().ping();
        broker.v5().ping();
    }

    @Test
    @Tag("MQTT-3.1.2-3")
    void theReservedConnectFlagIsCheckedBeforeASessionIsTakenOver() {
        ConnectPacket connect = ConnectPacket.v5(Fresh.id());
        RawClient live = broker.client(connect);
        Bytes bad = ConnectPacket.header("MQTT", 5, 0x03, 0).u8(0).text(connect.clientId());
        offer(bad).expectRefused(0x81);
        live.ping();
    }

    @Test
    @Tag("MQTT-3.1.2-9")
    void aWillFlagWithoutWillFieldsIsRefused() {
        offer(connect(0x06)).expectRefused(0x81);
        offer(connect(0x06).u8(0)).expectRefused(0x81);
        offer(connect(0x06).u8(0).text("topic")).expectRefused(0x81);
    }

    @Test
    @Tag("MQTT-3.1.2-11")
    void aWillQosWithoutTheWillFlagIsRefused() {
        offer(connect(0x0A)).expectRefused(0x81);
    }

    @Test
    @Tag("MQTT-3.1.2-12")
    void theWillQos3IsRefused() {
        offer(connect(0x1E).u8(0).text("topic").text("payload")).expectRefused(0x81);
    }

    @Test
    @Tag("MQTT-3.1.2-13")
    void willRetainWithoutTheWillFlagIsRefused() {
        offer(connect(0x22)).expectRefused(0x81);
    }

    @Test
    @Tag("MQTT-3.1.2-16")
    @Tag("MQTT-3.1.4-1")
    void aUserNameWithoutItsFlagIsRefused() {
        offer(connect(0x02).text("user")).expectRefused(0x81);
    }

    @Test
    @Tag("MQTT-3.1.2-17")
    void aUserNameFlagWithoutAUserNameIsRefused() {
        offer(connect(0x82)).expectRefused(0x81);
    }

    @Test
    @Tag("MQTT-3.1.2-18")
    void aPasswordWithoutItsFlagIsRefused() {
        offer(connect(0x82).text("user").text("secret")).expectRefused(0x81);
    }

    @Test
    @Tag("MQTT-3.1.2-19")
    void aPasswordFlagWithoutAPasswordIsRefused() {
        offer(connect(0xC2).text("user")).expectRefused(0x81);
    }

    @Test
    @Tag("X5-3.1.2.9-a")
    void aPasswordWithoutAUserNameIsWellFormed() {
        broker.client(ConnectPacket.v5(Fresh.id()).password(new byte[] {0, (byte) 0xFF})).ping();
    }

    @ParameterizedTest
    @CsvSource({
        "21 0000, 130, receive maximum 0",
        "27 00000000, 130, maximum packet size 0",
        "19 02, 130, request response information",
        "17 02, 130, request problem information",
        "16 0001 61, 130, authentication data without method",
        "11 00000001 11 00000001, 130, session expiry twice",
        "22 0001 22 0001, 130, topic alias maximum twice",
        "01 00, 129, a property of PUBLISH",
        "18 00000001, 129, a property of the will",
        "7E 00, 129, an unknown property",
        "27 0000, 129, cut short"
    })
    @Tag("X5-3.1.2.11.3-a")
    @Tag("X5-3.1.2.11.4-a")
    @Tag("X5-3.1.2.11.6-a")
    @Tag("X5-3.1.2.11.10-a")
    @Tag("MQTT-3.1.4-1")
    void aWrongPropertyIsRefused(String property, int code, String what) {
        RawClient client = broker.open();
        client.send(ConnectPacket.v5(Fresh.id()).rawProperties(property));
        client.expectRefused(code);
    }

    @Test
    @Tag("MQTT-3.1.4-1")
    void aMalformedConnectLeavesTheStoredSessionAlone() {
        ConnectPacket connect = ConnectPacket.v5(Fresh.id()).lasting(60);
        broker.client(connect).reset();
        Bytes trailing = ConnectPacket.header("MQTT", 5, 2, 0).u8(0).text(connect.clientId()).u8(0);
        offer(trailing).expectRefused(0x81);
        assertThat(broker.open().connect(connect).sessionPresent()).isTrue();
    }

    @Test
    @Tag("MQTT-3.1.3-3")
    void aMissingClientIdentifierIsRefused() {
        offer(ConnectPacket.header("MQTT", 5, 2, 0).u8(0)).expectRefused(0x81);
    }

    @Test
    @Tag("MQTT-3.1.3-4")
    void aClientIdentifierThatIsNotUtf8IsRefused() {
        Bytes connect = ConnectPacket.header("MQTT", 5, 2, 0).u8(0).raw("0002 FFFE");
        offer(connect).expectRefused(0x81, 0x85);
    }

    @Test
    @Tag("MQTT-3.1.3-11")
    void aWillTopicThatIsNotUtf8IsRefused() {
        offer(connect(0x06).u8(0).raw("0002 C080").text("x")).expectRefused(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/#", "a/+/b", "+", ""})
    @Tag("X5-3.1.3.3-a")
    @Tag("MQTT-4.7.0-1")
    void aWillTopicThatIsNoTopicNameIsRefused(String topic) {
        RawClient client = broker.open();
        client.send(ConnectPacket.v5(Fresh.id()).will(WillMessage.of(topic, "x")));
        client.expectRefused(0x90, 0x81, 0x82);
    }

    @Test
    @Tag("MQTT-3.3.2-14")
    void aResponseTopicWithWildcardsInTheWillIsRefused() {
        WillMessage will = WillMessage.of(Fresh.topic(), "x").with(RESPONSE_TOPIC, "r/#");
        RawClient client = broker.open();
        client.send(ConnectPacket.v5(Fresh.id()).will(will));
        client.expectRefused(0x82, 0x90, 0x81);
    }

    @Test
    @Tag("MQTT-3.1.3-12")
    void aUserNameThatIsNotUtf8IsRefused() {
        offer(connect(0x82).raw("0001 FF")).expectRefused(0x81);
        RawClient binaryPassword = broker.open();
        binaryPassword.send(connect(0xC2).text("user").raw("0001 FF").packet(0x10));
        assertThat(binaryPassword.expect(Type.CONNACK).code()).isZero();
    }

    @Test
    @Tag("X5-3.1.4-a")
    @Tag("MQTT-4.2-1")
    void packetsMayFollowConnectInTheSameSegment() {
        String topic = Fresh.topic();
        RawClient client = broker.open();
        client.send(
                ConnectPacket.v5(Fresh.id()),
                SubscribePacket.id(1).filter(topic, 1),
                PublishPacket.of(topic, "early"));
        client.expect(Type.CONNACK);
        client.await(Type.SUBACK, 1);
        assertThat(client.receive().text()).isEqualTo("early");
    }

    @Test
    @Tag("MQTT-4.2-1")
    void theBordersOfSegmentsMeanNothing() {
        String topic = Fresh.topic();
        RawClient client = broker.open();
        Bytes all = new Bytes().raw(ConnectPacket.v5(Fresh.id()).encode());
        all.raw(SubscribePacket.id(1).filter(topic, 1).encode(5));
        all.raw(PublishPacket.of(topic, "byte by byte").qos(1, 2).encode(5));
        for (byte one : all.toArray()) {
            client.send(new byte[] {one});
        }
        client.expect(Type.CONNACK);
        client.await(Type.SUBACK, 1);
        client.await(Type.PUBACK, 2);
        assertThat(client.receive().text()).isEqualTo("byte by byte");
        Bytes hundred = new Bytes();
        for (int i = 0; i < 100; i++) {
            hundred.raw(PublishPacket.of(topic, "m" + i).encode(5));
        }
        client.send(hundred.toArray());
        for (int i = 0; i < 100; i++) {
            assertThat(client.receive().text()).isEqualTo("m" + i);
        }
    }
}
