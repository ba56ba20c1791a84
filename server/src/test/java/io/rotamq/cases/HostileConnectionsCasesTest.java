package io.rotamq.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.TestBroker;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Connections that announce much, say little, or never say CONNECT. */
class HostileConnectionsCasesTest {
    private static final int SOCKETS = 300;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    @AutoClose
    private static final TestBroker broker =
            TestBroker.start("limits.connect-timeout=2s", "websocket.enabled=true");

    private Canary canary;

    @BeforeEach
    void openCanary() {
        canary = new Canary(broker);
    }

    @AfterEach
    void canaryMustLive() {
        canary.mustLive();
        canary.close();
    }

    private static List<RawClient> open(int count) {
        return Stream.generate(broker::open).limit(count).toList();
    }

    /** All of them are closed by the broker, within the CONNECT time-out and a little. */
    private static void mustEnd(List<RawClient> clients, long start) {
        Duration limit = CONNECT_TIMEOUT.plusSeconds(3);
        for (RawClient client : clients) {
            Duration left = limit.minusNanos(System.nanoTime() - start);
            client.level(5).readUntilClosed(left.isPositive() ? left : Duration.ofMillis(1));
            client.close();
        }
    }

    /** Of the heap, and outside of it, where buffers are. */
    private static long usedMemory() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        long direct = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
        return runtime.totalMemory() - runtime.freeMemory() + direct;
    }

    @Test
    @Tag("C90")
    void hugeAnnouncedLengthsBeforeTheLoginTakeNoMemory() {
        long before = usedMemory();
        long start = System.nanoTime();
        List<RawClient> clients = open(SOCKETS);
        for (int i = 0; i < clients.size(); i++) {
            clients.get(i).send(i % 2 == 0 ? "30ffffff7f" : "10ffffff7f 0004 4d515454 05 02 003c");
        }
        canary.mustLive();
        assertThat(usedMemory() - before).isLessThan(64 << 20);
        mustEnd(clients, start);
    }

    @Test
    @Tag("C90")
    void aLengthAboveTheAnnouncedMaximumIsRefusedBeforeItsBodyComes() {
        RawClient client = broker.v5();
        client.send("30ffffff7f");
        client.expectDisconnect(0x95);
    }

    @Test
    @Tag("C96")
    void silentConnectionsAreClosedInTime() {
        long start = System.nanoTime();
        List<RawClient> clients = open(SOCKETS);
        canary.mustLive();
        mustEnd(clients, start);
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isGreaterThan(CONNECT_TIMEOUT.minusMillis(200));
    }

    @Test
    @Tag("C96")
    void aByteNowAndThenIsNoConnect() {
        long start = System.nanoTime();
        byte[] connect = ConnectPacket.v5(Fresh.id()).encode();
        RawClient slow = broker.open().level(5);
        int sent = 0;
        while (sent < connect.length - 1 && trickle(slow, connect[sent])) {
            sent++;
        }
        assertThat(sent).isLessThan(connect.length - 1);
        mustEnd(List.of(slow), start);
    }

    /** Sends one byte and waits a little; false when the connection has ended. */
    private static boolean trickle(RawClient client, byte next) {
        try {
            client.send(new byte[] {next});
            return client.poll(Duration.ofMillis(200)) == null;
        } catch (UncheckedIOException | AssertionError e) {
            return false;
        }
    }

    @Test
    @Tag("C96")
    void halfAWebSocketUpgradeIsClosedInTime() {
        long start = System.nanoTime();
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            RawClient client = RawClient.connect(broker.webSocketPort());
            client.send(
                    "GET /mqtt HTTP/1.1\r\nHost: broker\r\n".getBytes(StandardCharsets.US_ASCII));
            clients.add(client);
        }
        mustEnd(clients, start);
    }
}
