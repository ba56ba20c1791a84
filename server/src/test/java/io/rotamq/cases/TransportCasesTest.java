package io.rotamq.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rotamq.clients.Certificate;
import io.rotamq.testkit.Await;
import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS and WebSocket. */
class TransportCasesTest {
    private static TestBroker broker;
    private static Certificate first;
    private static Path directory;

    private final String topic = Fresh.topic();

    @BeforeAll
    static void start(@TempDir Path files) {
        directory = files;
        first = Certificate.make(files, "first");
        broker =
                TestBroker.start(
                        "tls.enabled=true",
                        "tls.certificate=" + first.certificate(),
                        "tls.private-key=" + first.key(),
                        "tls.reload-interval=200ms",
                        "websocket.enabled=true");
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private byte[] session() {
        return new Bytes()
                .raw(ConnectPacket.v5(Fresh.id()).encode())
                .raw(SubscribePacket.id(1).filter("$share/g/" + topic, 1).encode(5))
                .raw(PublishPacket.of(topic, "framed").qos(1, 2).encode(5))
                .toArray();
    }

    private static void served(RawClient client) {
        assertThat(client.expect(Type.CONNACK).code()).isZero();
        client.await(Type.SUBACK, 1);
        client.await(Type.PUBACK, 2);
        assertThat(client.receive().text()).isEqualTo("framed");
    }

    @Test
    @Tag("C104")
    void packetsMayLieAcrossSegmentsInAnyWay() {
        byte[] session = session();
        RawClient bytewise = broker.open().level(5);
        for (byte next : session) {
            bytewise.send(new byte[] {next});
        }
        served(bytewise);
        bytewise.close();
        RawClient atOnce = broker.open().level(5);
        atOnce.send(session());
        served(atOnce);
    }

    @Test
    @Tag("C104")
    void packetsMayLieAcrossFramesInAnyWay() throws IOException {
        for (int size : new int[] {1, 2, 7, 1_000}) {
            try (WebSocketPeer socket = WebSocketPeer.open(broker.webSocketPort())) {
                RawClient client = socket.client().level(5);
                byte[] session = session();
                for (int i = 0; i < session.length; i += size) {
                    int end = Math.min(session.length, i + size);
                    socket.frame(0x82, Arrays.copyOfRange(session, i, end));
                }
                served(client);
            }
        }
    }

    @Test
    @Tag("C104")
    void framesMayBeFragmentedWithPingsInBetween() throws IOException {
        try (WebSocketPeer socket = WebSocketPeer.open(broker.webSocketPort())) {
            RawClient client = socket.client().level(5);
            byte[] session = session();
            socket.frame(0x02, Arrays.copyOf(session, 5));
            socket.frame(0x89, "ten bytes!".getBytes(StandardCharsets.UTF_8));
            socket.frame(0x00, Arrays.copyOfRange(session, 5, 30));
            socket.frame(0x80, Arrays.copyOfRange(session, 30, session.length));
            served(client);
            assertThat(socket.pongs()).containsExactly("ten bytes!");
        }
    }

    @Test
    @Tag("C104")
    void aTextFrameEndsTheConnection() throws IOException {
        try (WebSocketPeer socket = WebSocketPeer.open(broker.webSocketPort())) {
            RawClient client = socket.client().level(5);
            socket.frame(0x81, session());
            assertThat(client.readUntilClosed(RawClient.PATIENCE)).isEmpty();
        }
    }

    @Test
    @Tag("C105")
    void webSocketPingsAreAnsweredAndDoNotCountForTheKeepAlive() throws IOException {
        try (WebSocketPeer socket = WebSocketPeer.open(broker.webSocketPort())) {
            RawClient client = socket.client();
            client.connect(ConnectPacket.v5(Fresh.id()).keepAlive(1));
            long start = System.nanoTime();
            boolean open = true;
            while (open) {
                socket.frame(0x89, new byte[10]);
                var next = client.poll(Duration.ofMillis(200));
                if (next != null) {
                    assertThat(next.type()).isEqualTo(Type.DISCONNECT);
                    assertThat(next.code()).isEqualTo(0x8D);
                    open = false;
                }
                assertThat(Duration.ofNanos(System.nanoTime() - start))
                        .isLessThan(Duration.ofSeconds(4));
            }
            assertThat(socket.pongs()).isNotEmpty();
        }
    }

    @Test
    @Tag("C105")
    void aCloseFrameIsAnsweredAndEndsTheConnection() throws IOException {
        try (WebSocketPeer socket = WebSocketPeer.open(broker.webSocketPort())) {
            RawClient client = socket.client();
            client.connect(ConnectPacket.v5(Fresh.id()));
            socket.frame(0x88, new byte[] {3, (byte) 0xE8});
            assertThat(client.readUntilClosed(RawClient.PATIENCE)).isEmpty();
            assertThat(socket.isClosedByFrame()).isTrue();
        }
    }

    @Test
    @Tag("C106")
    void aRenewedCertificateIsUsedForNewConnectionsAndABadOneIsNot() throws IOException {
        RawClient old = tls(first);
        Certificate renewed = Certificate.make(directory, "renewed");
        replace(renewed.key(), first.key());
        replace(renewed.certificate(), first.certificate());
        await().atMost(Duration.ofSeconds(10)).ignoreExceptions().until(() -> trusts(renewed));
        assertThat(old.isOpen()).isTrue();
        assertThat(trusts(first)).isFalse();

        Files.writeString(first.certificate(), "this is no certificate");
        Await.elapsed(Duration.ofSeconds(1));
        assertThat(trusts(renewed)).isTrue();
        assertThat(old.isOpen()).isTrue();
    }

    private static void replace(Path source, Path target) throws IOException {
        Files.copy(source, target, StandardCopyOption.REPLACE_EXISTING);
    }

    private static RawClient tls(Certificate trusted) {
        try {
            SSLSocket socket =
                    (SSLSocket)
                            trusted.context()
                                    .getSocketFactory()
                                    .createSocket("127.0.0.1", broker.tlsPort());
            socket.startHandshake();
            RawClient client = RawClient.on(socket);
            client.connect(ConnectPacket.v5(Fresh.id()));
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a client that trusts this certificate alone is served. */
    private static boolean trusts(Certificate certificate) {
        try (RawClient client = tls(certificate)) {
            return client.isOpen();
        } catch (UncheckedIOException e) {
            assertThat(e.getCause()).isInstanceOf(SSLException.class);
            return false;
        }
    }

    @Test
    @Tag("C96")
    void garbageOnTheTlsPortCostsOnlyItsConnection() throws IOException {
        for (int i = 0; i < 20; i++) {
            RawClient client = RawClient.connect(broker.tlsPort());
            client.level(5).send(session());
            client.close();
        }
        List<String> plain = List.of("GET / HTTP/1.1\r\n\r\n", "\0\0\0\0\0\0\0\0");
        for (String bytes : plain) {
            RawClient client = RawClient.connect(broker.webSocketPort());
            client.send(bytes.getBytes(StandardCharsets.UTF_8));
            client.close();
        }
        try (WebSocketPeer socket = WebSocketPeer.open(broker.webSocketPort())) {
            RawClient client = socket.client();
            client.connect(ConnectPacket.v5(Fresh.id()));
            assertThat(client.isOpen()).isTrue();
        }
    }
}
