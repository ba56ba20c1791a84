package io.rotamq.conformance;

import static io.rotamq.testkit.Property.MAXIMUM_PACKET_SIZE;
import static io.rotamq.testkit.Property.REASON_STRING;
import static io.rotamq.testkit.Property.RECEIVE_MAXIMUM;
import static io.rotamq.testkit.Property.SESSION_EXPIRY;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** MQTT 5.0 chapters 3.14 and 4.13: how connections end, and that others are not touched. */
@Tag("mqtt5")
@Execution(ExecutionMode.CONCURRENT)
class DisconnectV5Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    private final String topic = Fresh.topic();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10 00", // no protocol name
                "10 04 0004 4D51", // cut in the protocol name
                "10 0A 0004 4D515454 05 02 0000", // no properties
                "16 03 444944", // an RTMP or TLS greeting, or noise
                "47 45 54 20 2F 20 48 54 54 50 2F 31 2E 31 0D 0A 0D 0A"
            })
    @Tag("MQTT-3.14.0-1")
    @Tag("MQTT-4.13.1-1")
    void beforeASuccessfulConnackThereIsNoDisconnect(String garbage) {
        List<Received> answer = broker.open().send(garbage).readUntilClosed(RawClient.PATIENCE);
        assertThat(answer).allMatch(packet -> packet.type() == Type.CONNACK);
    }

    @Test
    @Tag("MQTT-3.14.2-2")
    @Tag("MQTT-3.14.4-1")
    @Tag("MQTT-3.14.4-2")
    void nothingFollowsADisconnectOfTheBroker() {
        RawClient client = broker.client(ConnectPacket.v5(Fresh.id()).with(RECEIVE_MAXIMUM, 1));
        client.subscribe(topic, 1);
        RawClient publisher = broker.v5();
        for (int i = 0; i < 5; i++) {
            publisher.publish(topic, "queued", 1);
        }
        client.delivery();
        client.send("00 00");
        Received disconnect = client.expectDisconnect(0x81, 0x82);
        assertThat(disconnect.properties().has(SESSION_EXPIRY)).isFalse();
    }

    @Test
    @Tag("MQTT-3.14.4-2")
    void theBrokerClosesAfterTheDisconnectOfAClient() {
        broker.v5().send("E0 00").expectClosed();
    }

    @Test
    @Tag("MQTT-3.14.4-1")
    void whatFollowsTheDisconnectOfAClientIsNotProcessed() {
        RawClient watcher = broker.v5();
        watcher.subscribe(topic, 0);
        RawClient client = broker.v5();
        client.send(AckPacket.disconnect(), PublishPacket.of(topic, "late")).expectClosed();
        watcher.expectNothingFrom(watcher);
    }

    @ParameterizedTest
    @CsvSource({
        "30 FF FF FF FF 7F, 0x81",
        "36 06 0001 61 0001 00, 0x81",
        "82 06 0001 00 0001 61, 0x81",
        "E0 02 00 7F, 0x81",
        "40 01 00, 0x81",
        "40 03 0001 55, 0x81",
        "70 04 0001 00 05, 0x81",
        "C0 01 00, 0x81",
        "E0 08 00 05 11 00000000 00, 0x81",
        "E0 0C 00 0A 11 00000000 11 00000000, 0x82"
    })
    @Tag("MQTT-4.13.1-1")
    @Tag("X5-4.13.1-a")
    @Tag("MQTT-3.14.2-1")
    void malformedPacketsEndTheConnectionWithACode(String packet, String code) {
        broker.v5().send(packet).expectDisconnect(Integer.decode(code), 0x82);
    }

    @Test
    @Tag("X5-4.13.1-b")
    void theErrorsOfOneClientDoNotTouchOthers() {
        List<RawClient> others = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            RawClient each = broker.v5();
            each.subscribe(topic, 1);
            others.add(each);
        }
        RawClient publisher = broker.v5();
        Random random = new Random(5);
        for (int round = 0; round < 40; round++) {
            byte[] noise = new byte[1 + random.nextInt(64)];
            random.nextBytes(noise);
            RawClient offender = round % 2 == 0 ? broker.v5() : broker.open();
            offender.send(noise);
            publisher.publish(topic, "m" + round, 1);
            offender.reset();
            for (RawClient each : others) {
                assertThat(each.receive().text()).isEqualTo("m" + round);
            }
        }
    }

    @Test
    @Tag("X5-3.14.2.1-d")
    @Tag("MQTT-4.13.2-1")
    void onShutdownEveryClientIsTold() {
        TestBroker own = TestBroker.start();
        RawClient first = own.v5();
        RawClient second = own.v5();
        own.stop();
        first.expectDisconnect(0x8B);
        second.expectDisconnect(0x8B);
        own.close();
    }

    @Test
    @Tag("MQTT-4.13.2-1")
    @Tag("MQTT-3.14.2-3")
    void aClientThatIsRemovedByTheOperatorIsTold() {
        ConnectPacket connect =
                ConnectPacket.v5(Fresh.id()).lasting(60).with(MAXIMUM_PACKET_SIZE, 20);
        RawClient client = broker.client(connect);
        assertThat(broker.kick(connect.clientId())).isTrue();
        Received disconnect = client.expectDisconnect(0x98);
        assertThat(disconnect.properties().has(REASON_STRING)).isFalse();
        assertThat(broker.kick(Fresh.id())).isFalse();
    }
}
