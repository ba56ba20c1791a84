package io.rotamq.conformance;

import static io.rotamq.testkit.Property.CONTENT_TYPE;
import static io.rotamq.testkit.Property.CORRELATION_DATA;
import static io.rotamq.testkit.Property.MESSAGE_EXPIRY;
import static io.rotamq.testkit.Property.PAYLOAD_FORMAT;
import static io.rotamq.testkit.Property.RESPONSE_TOPIC;
import static io.rotamq.testkit.SubscribePacket.RETAIN_NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Props;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
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

/** MQTT 5.0 chapter 3.3: PUBLISH, its flags and the properties that are passed on. */
@Tag("mqtt5")
@Execution(ExecutionMode.CONCURRENT)
class PublishV5Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    private final String topic = Fresh.topic();
    private final ConnectPacket lasting = ConnectPacket.v5(Fresh.id()).lasting(60);
    private final RawClient publisher = broker.v5();

    /** The same message as a client gets it live, from the queue of its session, and retained. */
    private List<Received> liveQueuedAndRetained(PublishPacket packet) {
        RawClient live = broker.v5();
        live.subscribe(topic, 1);
        RawClient absent = broker.client(lasting);
        absent.subscribe(topic, 1);
        absent.leave();
        publisher.publish(packet.qos(1, 1).retain());
        RawClient late = broker.v5();
        late.subscribe(topic, 1);
        return List.of(live.receive(), broker.client(lasting).receive(), late.receive());
    }

    @Test
    @Tag("MQTT-3.3.1-1")
    @Tag("MQTT-4.3.3-3")
    @Tag("MQTT-4.4.0-1")
    void aPublishSentAgainHasDup1AndItsOldIdentifier() {
        RawClient client = broker.client(lasting);
        client.subscribe(topic, 2);
        publisher.publish(topic, "one", 1);
        publisher.publish(topic, "two", 2);
        Received one = client.delivery();
        Received two = client.delivery();
        client.reset();
        RawClient resumed = broker.client(lasting);
        for (Received first : List.of(one, two)) {
            Received again = resumed.receive();
            assertThat(again.dup()).isTrue();
            assertThat(again.packetId()).isEqualTo(first.packetId());
            assertThat(again.text()).isEqualTo(first.text());
            assertThat(again.qos()).isEqualTo(first.qos());
        }
    }

    @Test
    @Tag("MQTT-3.3.1-2")
    @Tag("MQTT-4.3.1-1")
    void qos0NeverHasDup() {
        RawClient client = broker.v5();
        client.subscribe(topic, 0);
        publisher.send("38" + "%02x".formatted(topic.length() + 4) + hexOf(topic) + "00 78");
        if (publisher.isOpen()) {
            assertThat(client.receive().firstByte()).isEqualTo(0x30);
        } else {
            client.expectNothingFrom(client);
        }
    }

    private static String hexOf(String text) {
        return HexFormat.of().formatHex(new Bytes().text(text).toArray());
    }

    @Test
    @Tag("MQTT-3.3.1-3")
    @Tag("MQTT-4.3.2-2")
    @Tag("MQTT-4.3.3-2")
    void dupOfADeliveryDoesNotComeFromThePublisher() {
        RawClient live = broker.v5();
        live.subscribe(topic, 2);
        RawClient absent = broker.client(lasting);
        absent.subscribe(topic, 2);
        absent.leave();
        publisher.publish(PublishPacket.of(topic, "one").qos(1, 1).dup());
        publisher.publish(PublishPacket.of(topic, "two").qos(2, 2).dup());
        for (RawClient client : List.of(live, broker.client(lasting))) {
            assertThat(client.receive().firstByte()).isEqualTo(0x32);
            assertThat(client.receive().firstByte()).isEqualTo(0x34);
        }
    }

    @Test
    @Tag("MQTT-3.3.1-4")
    void theQos3EndsTheConnection() {
        RawClient client = broker.v5();
        client.subscribe(topic, 0);
        broker.v5().send(PublishPacket.of(topic, "x").qos(3, 1)).expectDisconnect(0x81);
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-3.3.2-1")
    void aTopicLongerThanThePacketEndsTheConnection() {
        broker.v5().send("30 05 00FF 61 00 78").expectDisconnect(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/+", "/#", "+b", "/a#b"})
    @Tag("MQTT-3.3.2-2")
    @Tag("MQTT-4.7.0-1")
    void aTopicWithWildcardsEndsTheConnection(String suffix) {
        RawClient client = broker.v5();
        client.subscribe(topic + "/#", 0);
        RawClient offender = broker.v5();
        offender.send(PublishPacket.of(topic + suffix, "x")).expectDisconnect(0x90, 0x82, 0x81);
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-3.3.2-3")
    void deliveriesHaveTheTopicOfThePublish() {
        RawClient client = broker.v5();
        client.subscribe(topic + "/+/c", 0);
        List<String> matching = List.of("/x/c", "//c", "/y z/c");
        for (String name : List.of("/x/c", "/c", "/x/c/d", "//c", "/x/C", "/y z/c")) {
            publisher.publish(PublishPacket.of(topic + name, name).retain());
        }
        assertThat(client.deliveriesUntilCanary(publisher))
                .allMatch(each -> each.topic().equals(topic + each.text()))
                .extracting(Received::text)
                .isEqualTo(matching);
        RawClient late = broker.v5();
        late.subscribe(topic + "/+/c", 0);
        assertThat(late.deliveriesUntilCanary(publisher))
                .allMatch(each -> each.topic().equals(topic + each.text()))
                .extracting(Received::text)
                .containsExactlyInAnyOrderElementsOf(matching);
    }

    @Test
    @Tag("MQTT-3.3.2-4")
    void thePayloadFormatIsPassedOn() {
        PublishPacket text = PublishPacket.of(topic, "x").with(PAYLOAD_FORMAT, 1);
        assertThat(liveQueuedAndRetained(text))
                .allMatch(each -> each.properties().number(PAYLOAD_FORMAT) == 1);
        PublishPacket bytes = PublishPacket.of(topic, "x").with(PAYLOAD_FORMAT, 0);
        RawClient client = broker.v5();
        client.subscribe(topic, RETAIN_NEVER);
        publisher.publish(bytes);
        publisher.publish(PublishPacket.of(topic, "x"));
        assertThat(client.receive().properties().number(PAYLOAD_FORMAT, 0)).isZero();
        assertThat(client.receive().properties().number(PAYLOAD_FORMAT, 0)).isZero();
    }

    @Test
    @Tag("X5-3.3.2.3.2-a")
    void aPayloadIsNotHeldAgainstItsFormat() {
        RawClient client = broker.v5();
        client.subscribe(topic, 2);
        for (int qos = 1; qos <= 2; qos++) {
            PublishPacket wrong = PublishPacket.of(topic, "").payload(new byte[] {(byte) 0xFF});
            Received ack = publisher.publish(wrong.qos(qos, qos).with(PAYLOAD_FORMAT, 1));
            assertThat(ack.code()).isZero();
            assertThat(client.receive().payload()).containsExactly(0xFF);
        }
    }

    @Test
    @Tag("MQTT-3.3.2-13")
    @Tag("MQTT-3.3.2-19")
    void textPropertiesThatAreNotUtf8EndTheConnection() {
        broker.v5()
                .send(PublishPacket.of(topic, "x").rawProperties("08 0001 FF"))
                .expectDisconnect(0x81);
        broker.v5()
                .send(PublishPacket.of(topic, "x").rawProperties("03 0001 FF"))
                .expectDisconnect(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"r/#", "+", "r/+/x"})
    @Tag("MQTT-3.3.2-14")
    void aResponseTopicWithWildcardsEndsTheConnection(String responseTopic) {
        RawClient client = broker.v5();
        client.subscribe(topic, 0);
        broker.v5()
                .send(PublishPacket.of(topic, "x").with(RESPONSE_TOPIC, responseTopic))
                .expectDisconnect(0x82, 0x90, 0x81);
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-3.3.2-15")
    @Tag("MQTT-3.3.2-16")
    @Tag("MQTT-3.3.2-20")
    void responseTopicCorrelationDataAndContentTypeArePassedOn() {
        PublishPacket packet =
                PublishPacket.of(topic, "x")
                        .with(RESPONSE_TOPIC, "r/1")
                        .with(CORRELATION_DATA, new byte[] {0, (byte) 0xFF, 0x10})
                        .with(CONTENT_TYPE, "application/json");
        for (Received each : liveQueuedAndRetained(packet)) {
            assertThat(each.properties().text(RESPONSE_TOPIC)).isEqualTo("r/1");
            assertThat(each.properties().binary(CORRELATION_DATA)).containsExactly(0, 0xFF, 0x10);
            assertThat(each.properties().text(CONTENT_TYPE)).isEqualTo("application/json");
        }
        RawClient client = broker.v5();
        client.subscribe(topic, RETAIN_NEVER);
        publisher.publish(PublishPacket.of(topic, "x").with(CORRELATION_DATA, new byte[0]));
        assertThat(client.receive().properties().binary(CORRELATION_DATA)).isEmpty();
    }

    @Test
    @Tag("MQTT-3.3.2-17")
    @Tag("MQTT-3.3.2-18")
    void userPropertiesArePassedOnInOrder() {
        List<Props.Pair> pairs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            pairs.add(new Props.Pair(i % 3 == 0 ? "b" : "a" + i % 2, i % 4 == 0 ? "" : "v" + i));
        }
        PublishPacket packet = PublishPacket.of(topic, "x");
        pairs.forEach(pair -> packet.user(pair.name(), pair.value()));
        RawClient member = broker.v5();
        member.subscribe("$share/g/" + topic, 1);
        assertThat(liveQueuedAndRetained(packet))
                .allMatch(each -> each.properties().users().equals(pairs));
        assertThat(member.receive().properties().users()).isEqualTo(pairs);
    }

    @Test
    @Tag("X5-3.3.4-e")
    void oldAndNewClientsExchangeMessages() {
        RawClient old = broker.v4();
        old.subscribe(topic, 1);
        PublishPacket packet = PublishPacket.of(topic, "new").qos(1, 1).retain();
        publisher.publish(packet.user("a", "b").with(CONTENT_TYPE, "t").with(MESSAGE_EXPIRY, 60));
        Received atOld = old.receive();
        byte[] plain = new Bytes().text(topic).u16(atOld.packetId()).raw("6e6577").packet(0x32);
        assertThat(atOld.raw()).isEqualTo(plain);
        RawClient lateOld = broker.v4();
        lateOld.subscribe(topic, 0);
        assertThat(lateOld.receive().raw())
                .isEqualTo(new Bytes().text(topic).raw("6e6577").packet(0x31));
        RawClient fresh = broker.v5();
        fresh.subscribe(topic, RETAIN_NEVER);
        broker.v4().publish(PublishPacket.of(topic, "old").retain());
        assertThat(fresh.receive().raw())
                .isEqualTo(new Bytes().text(topic).u8(0).raw("6f6c64").packet(0x30));
        RawClient late = broker.v5();
        late.subscribe(topic, 0);
        assertThat(late.receive().properties().entries()).isEmpty();
    }
}
