package io.rotamq.conformance;

import static io.rotamq.testkit.Property.SERVER_KEEP_ALIVE;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.Await;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import io.rotamq.testkit.WillMessage;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** MQTT 5.0 chapter 3.1.2.10: keep alive, and the time a CONNECT may take. */
@Tag("mqtt5")
@Execution(ExecutionMode.CONCURRENT)
class KeepAliveV5Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    @AutoClose
    private static final TestBroker dictating = TestBroker.start("mqtt.server-keep-alive=2");

    @AutoClose
    private static final TestBroker impatient = TestBroker.start("limits.connect-timeout=500ms");

    private static ConnectPacket keepAlive(int seconds) {
        return ConnectPacket.v5(Fresh.id()).keepAlive(seconds);
    }

    private static long closedAfterMillis(RawClient client) {
        long start = System.nanoTime();
        client.expectDisconnect(0x8D);
        return (System.nanoTime() - start) / 1_000_000;
    }

    @Test
    @Tag("MQTT-3.1.2-20")
    @Tag("MQTT-3.12.4-1")
    void aClientThatPingsStaysConnected() {
        RawClient client = broker.client(keepAlive(2));
        for (int i = 0; i < 3; i++) {
            Await.elapsed(Duration.ofMillis(1500));
            assertThat(client.send("C0 00").expect(Type.PINGRESP).hex()).isEqualTo("d000");
        }
    }

    @Test
    @Tag("MQTT-3.1.2-22")
    @Tag("MQTT-3.2.2-22")
    void aSilentClientIsClosedAfterOneAndAHalfKeepAlivesAndItsWillIsPublished() {
        String topic = Fresh.topic();
        RawClient watcher = broker.v5();
        watcher.subscribe(topic, 0);
        RawClient client = broker.open();
        Received connack = client.connect(keepAlive(1).will(WillMessage.of(topic, "will")));
        assertThat(connack.properties().has(SERVER_KEEP_ALIVE)).isFalse();
        assertThat(closedAfterMillis(client)).isBetween(1300L, 3500L);
        assertThat(watcher.receive().text()).isEqualTo("will");
        broker.client(keepAlive(60)).ping();
    }

    @Test
    @Tag("MQTT-3.1.2-22")
    void anyPacketKeepsAClientAlive() {
        RawClient client = broker.client(keepAlive(2));
        for (int i = 0; i < 3; i++) {
            Await.elapsed(Duration.ofMillis(1500));
            client.publish(Fresh.topic(), "x", 0);
        }
        client.ping();
    }

    @Test
    @Tag("X5-3.1.2.10-a")
    void theKeepAlive0MeansNoTimeout() {
        RawClient client = broker.client(keepAlive(0));
        assertThat(client.poll(Duration.ofSeconds(4))).isNull();
        client.ping();
    }

    @Test
    @Tag("X5-3.1.2.10-b")
    void whatTheBrokerSendsDoesNotKeepAClientAlive() {
        String topic = Fresh.topic();
        RawClient watcher = broker.v5();
        watcher.subscribe(topic + "/will", 0);
        RawClient client =
                broker.client(keepAlive(1).will(WillMessage.of(topic + "/will", "will")));
        client.subscribe(topic, 0);
        RawClient publisher = broker.v5();
        long start = System.nanoTime();
        Received packet = client.poll(Duration.ofMillis(1));
        while (packet == null || packet.type() == Type.PUBLISH) {
            publisher.publish(topic, "x", 0);
            packet = client.poll(Duration.ofMillis(50));
            assertThat(System.nanoTime() - start).isLessThan(4_000_000_000L);
        }
        assertThat(packet.code()).isEqualTo(0x8D);
        assertThat(watcher.receive().text()).isEqualTo("will");
    }

    @Test
    @Tag("MQTT-3.1.2-21")
    @Tag("MQTT-3.2.2-21")
    void theKeepAliveOfTheServerRules() {
        long start = System.nanoTime();
        RawClient silent = dictating.open();
        Received connack = silent.connect(keepAlive(60));
        assertThat(connack.properties().number(SERVER_KEEP_ALIVE)).isEqualTo(2);
        RawClient pinging = dictating.client(keepAlive(60));
        for (int i = 0; i < 2; i++) {
            Await.elapsed(Duration.ofMillis(1500));
            pinging.ping();
        }
        silent.expectDisconnect(0x8D);
        assertThat(System.nanoTime() - start).isGreaterThan(2_800_000_000L);
        pinging.ping();
    }

    @Test
    @Tag("X5-3.1.4-b")
    void aConnectionWithoutAConnectIsClosed() {
        RawClient silent = impatient.open();
        silent.expectClosed(Duration.ofSeconds(3));
        RawClient dripping = impatient.open();
        byte[] connect = ConnectPacket.v5(Fresh.id() + "a".repeat(200)).encode();
        long start = System.nanoTime();
        boolean open = true;
        for (int i = 0; open && i < connect.length - 1; i++) {
            open = drip(dripping, connect[i]);
        }
        assertThat(open).isFalse();
        assertThat(System.nanoTime() - start).isLessThan(3_000_000_000L);
    }

    /** Sends a byte, waits a little, and tells whether the connection is open. */
    private static boolean drip(RawClient client, byte one) {
        try {
            client.send(new byte[] {one});
            return client.poll(Duration.ofMillis(50)) == null;
        } catch (UncheckedIOException | AssertionError e) {
            return false;
        }
    }
}
