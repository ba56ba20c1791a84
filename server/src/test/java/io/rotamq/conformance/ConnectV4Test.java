package io.rotamq.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.Await;
import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import io.rotamq.testkit.WillMessage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** MQTT 3.1.1 chapter 3.1: CONNECT and its answer. */
@Tag("mqtt311")
@Execution(ExecutionMode.CONCURRENT)
class ConnectV4Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    private final String topic = Fresh.topic();

    private static Bytes connect(int flags) {
        return ConnectPacket.header("MQTT", 4, flags, 0).text(Fresh.id());
    }

    private static RawClient offer(Bytes connect) {
        return broker.open().level(4).send(connect.packet(0x10));
    }

    @ParameterizedTest
    @ValueSource(strings = {"C0 00", "30 04 0001 61 78", "82 06 0001 0001 61 00"})
    @Tag("MQTT-3.1.0-1")
    void aFirstPacketOtherThanConnectClosesTheConnection(String packet) {
        broker.open().level(4).send(packet).expectClosed();
    }

    @Test
    @Tag("MQTT-3.1.0-2")
    @Tag("MQTT-3.1.2-8")
    void aSecondConnectClosesTheConnectionAndTheWillIsPublished() {
        RawClient watcher = broker.v4();
        watcher.subscribe(topic, 0);
        ConnectPacket connect = ConnectPacket.v4(Fresh.id()).will(WillMessage.of(topic, "will"));
        broker.client(connect).send(connect).expectClosed();
        assertThat(watcher.receive().text()).isEqualTo("will");
    }

    @Test
    @Tag("MQTT-3.1.2-1")
    void aWrongProtocolNameClosesTheConnection() {
        offer(ConnectPacket.header("MQTX", 4, 2, 0).text(Fresh.id())).expectClosed();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 6, 0x84})
    @Tag("MQTT-3.1.2-2")
    @Tag("MQTT-3.2.2-5")
    void anUnknownProtocolLevelIsRefused(int level) {
        RawClient client = offer(ConnectPacket.header("MQTT", level, 2, 0).text(Fresh.id()));
        if (level == 6) {
            client.level(5); // a newer client, to be told in the newest form
            client.expectRefused(0x84);
        } else {
            assertThat(client.expect(Type.CONNACK).hex()).isEqualTo("20020001");
            client.expectClosed();
        }
    }

    static List<Arguments> malformed() {
        return List.of(
                Arguments.of("MQTT-3.1.2-3", connect(0x03)),
                Arguments.of("MQTT-3.1.2-9", connect(0x06)),
                Arguments.of("MQTT-3.1.2-9", connect(0x06).text("topic")),
                Arguments.of("MQTT-3.1.2-11", connect(0x2A)),
                Arguments.of("MQTT-3.1.2-13", connect(0x0A)),
                Arguments.of("MQTT-3.1.2-14", connect(0x1E).text("topic").text("x")),
                Arguments.of("MQTT-3.1.2-15", connect(0x22)),
                Arguments.of("MQTT-3.1.2-18", connect(0x02).text("user")),
                Arguments.of("MQTT-3.1.2-19", connect(0x82)),
                Arguments.of("MQTT-3.1.2-20", connect(0x82).text("user").text("secret")),
                Arguments.of("MQTT-3.1.2-21", connect(0xC2).text("user")),
                Arguments.of("MQTT-3.1.2-22", connect(0x42).text("secret")),
                Arguments.of("MQTT-3.1.3-3", ConnectPacket.header("MQTT", 4, 2, 0)),
                Arguments.of(
                        "MQTT-3.1.3-4", ConnectPacket.header("MQTT", 4, 2, 0).raw("0002 FFFE")),
                Arguments.of("MQTT-3.1.3-10", connect(0x06).raw("0002 C080").text("x")),
                Arguments.of("MQTT-3.1.3-11", connect(0x82).raw("0001 FF")),
                Arguments.of("MQTT-3.1.4-1", connect(0x02).u8(0)),
                Arguments.of("MQTT-3.1.4-1", connect(0x06).text("a/#").text("x")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("malformed")
    @Tag("MQTT-3.1.2-3")
    @Tag("MQTT-3.1.2-9")
    @Tag("MQTT-3.1.2-11")
    @Tag("MQTT-3.1.2-13")
    @Tag("MQTT-3.1.2-14")
    @Tag("MQTT-3.1.2-15")
    @Tag("MQTT-3.1.2-18")
    @Tag("MQTT-3.1.2-19")
    @Tag("MQTT-3.1.2-20")
    @Tag("MQTT-3.1.2-21")
    @Tag("MQTT-3.1.2-22")
    @Tag("MQTT-3.1.3-3")
    @Tag("MQTT-3.1.3-4")
    @Tag("MQTT-3.1.3-10")
    @Tag("MQTT-3.1.3-11")
    @Tag("MQTT-3.1.4-1")
    void aMalformedConnectIsClosedWithoutAConnack(String statement, Bytes connect) {
        assertThat(statement).startsWith("MQTT-");
        offer(connect).expectClosed();
    }

    @Test
    @Tag("MQTT-3.1.3-11")
    void aPasswordMayBeAnyBytes() {
        RawClient client = offer(connect(0xC2).text("user").raw("0002 00FF"));
        assertThat(client.expect(Type.CONNACK).hex()).isEqualTo("20020000");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "z",
                "0123456789abcdefghijklm",
                "nopqrstuvwxyzABCDEFGHIJ",
                "KLMNOPQRSTUVWXYZ"
            })
    @Tag("MQTT-3.1.3-5")
    @Tag("MQTT-3.1.4-4")
    void clientIdentifiersOfLettersAndDigitsAreAccepted(String id) {
        assertThat(broker.open().connect(ConnectPacket.v4(id)).hex()).isEqualTo("20020000");
    }

    @Test
    @Tag("MQTT-3.1.3-6")
    @Tag("MQTT-3.1.3-7")
    void emptyClientIdentifiersGetDistinctOnes() {
        RawClient first = broker.client(ConnectPacket.v4(""));
        RawClient second = broker.client(ConnectPacket.v4(""));
        first.ping();
        second.ping();
    }

    @Test
    @Tag("MQTT-3.1.3-8")
    @Tag("MQTT-3.2.2-5")
    void anEmptyClientIdentifierWithoutCleanSessionIsRefused() {
        RawClient client = broker.open().send(ConnectPacket.v4("").resume());
        assertThat(client.expect(Type.CONNACK).hex()).isEqualTo("20020002");
        client.expectClosed();
    }

    @Test
    @Tag("MQTT-3.1.2-23")
    void aClientThatPingsStaysConnected() {
        RawClient client = broker.client(ConnectPacket.v4(Fresh.id()).keepAlive(2));
        for (int i = 0; i < 3; i++) {
            Await.elapsed(Duration.ofMillis(1500));
            client.ping();
        }
    }

    @Test
    @Tag("MQTT-3.1.2-24")
    @Tag("MQTT-3.1.2-8")
    void aSilentClientIsClosedAfterOneAndAHalfKeepAlivesAndItsWillIsPublished() {
        RawClient watcher = broker.v4();
        watcher.subscribe(topic, 0);
        RawClient forever = broker.client(ConnectPacket.v4(Fresh.id()).keepAlive(0));
        ConnectPacket connect = ConnectPacket.v4(Fresh.id()).will(WillMessage.of(topic, "will"));
        RawClient client = broker.client(connect.keepAlive(1));
        long start = System.nanoTime();
        client.expectClosed();
        assertThat((System.nanoTime() - start) / 1_000_000).isBetween(1300L, 3500L);
        assertThat(watcher.receive().text()).isEqualTo("will");
        assertThat(forever.poll(Duration.ofMillis(1500))).isNull();
        forever.ping();
    }

    @Test
    @Tag("X3-3.1.4-a")
    @Tag("MQTT-3.2.0-1")
    void packetsMayFollowConnectInTheSameSegment() {
        RawClient client = broker.open();
        client.send(
                ConnectPacket.v4(Fresh.id()),
                SubscribePacket.id(1).filter(topic, 1),
                PublishPacket.of(topic, "early"));
        client.expect(Type.CONNACK);
        client.await(Type.SUBACK, 1);
        assertThat(client.receive().text()).isEqualTo("early");
    }

    @AutoClose
    private static final TestBroker strict =
            TestBroker.start("limits.connect-timeout=1500ms", "mqtt.client-id-pattern=[a-z0-9]*");

    @Test
    @Tag("X3-3.1.4-b")
    void aConnectionWithoutAConnectIsClosed() {
        strict.open().expectClosed(Duration.ofSeconds(4));
    }

    @Test
    @Tag("MQTT-3.1.3-9")
    @Tag("MQTT-3.2.2-5")
    void aForbiddenClientIdentifierIsRefused() {
        RawClient client = strict.open().send(ConnectPacket.v4("Not-Allowed"));
        assertThat(client.expect(Type.CONNACK).hex()).isEqualTo("20020002");
        client.expectClosed();
    }

    @AutoClose
    private static final TestBroker crowded = TestBroker.start("limits.max-connections=1");

    @Test
    @Tag("MQTT-3.2.2-6")
    void aConnectionTooManyIsClosedWithoutACode() {
        RawClient first = crowded.v4();
        crowded.open().level(4).expectClosed();
        first.ping();
    }
}
