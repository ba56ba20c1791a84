package io.rotamq.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.rotamq.server.net.TlsFiles.ClientCertificates;
import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS from PEM files that change while the broker runs. */
class TlsTest {
    private static final Duration RELOAD = Duration.ofMillis(50);

    @TempDir private static Path made;
    private static Certificates server;
    private static Certificates renewed;
    private static Certificates device;
    private static Certificates stranger;

    @TempDir private Path files;

    @BeforeAll
    static void makeCertificates() {
        server = Certificates.ec(made, "server");
        renewed = Certificates.rsa(made, "renewed");
        device = Certificates.ec(made, "device");
        stranger = Certificates.ec(made, "stranger");
    }

    private TlsFiles files(ClientCertificates clients, @Nullable String password) throws Exception {
        Certificates.write(certificate(), server.certificatePem());
        Certificates.write(
                key(), password == null ? server.keyPem() : server.encryptedKeyPem(password));
        Certificates.write(authorities(), device.certificatePem());
        return new TlsFiles(
                certificate(),
                key(),
                password,
                authorities(),
                clients,
                List.of("TLSv1.2", "TLSv1.3"),
                RELOAD);
    }

    private Path certificate() {
        return files.resolve("server.pem");
    }

    private Path key() {
        return files.resolve("server.key");
    }

    private Path authorities() {
        return files.resolve("ca.pem");
    }

    private static SSLSocket socket(Rig rig, SSLContext context, String endpoint)
            throws IOException {
        SSLSocket socket =
                (SSLSocket)
                        context.getSocketFactory().createSocket("127.0.0.1", rig.port(endpoint));
        socket.setSoTimeout(5_000);
        return rig.closing(socket);
    }

    private static RawClient client(Rig rig, SSLContext context) throws IOException {
        RawClient client = RawClient.on(socket(rig, context, "tls"));
        client.connect(ConnectPacket.v5(Fresh.id()));
        return client;
    }

    private static X509Certificate shown(Rig rig, Certificates expected) throws Exception {
        SSLSocket socket = socket(rig, expected.client(), "tls");
        socket.startHandshake();
        return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void carriesMqttOverBothVersions(String version) throws Exception {
        try (Rig rig = Rig.start(files(ClientCertificates.NONE, null))) {
            SSLSocket socket = socket(rig, server.client(), "tls");
            socket.setEnabledProtocols(new String[] {version});
            RawClient client = RawClient.on(socket);
            client.connect(ConnectPacket.v5(Fresh.id()));
            assertThat(socket.getSession().getProtocol()).isEqualTo(version);
            String topic = Fresh.topic();
            byte[] payload = new byte[900_000];
            payload[payload.length - 1] = 7;
            client.subscribe(topic, 1);
            client.send(PublishPacket.of(topic, "").payload(payload).qos(1, 9));
            Received first = client.read();
            Received second = client.read();
            assertThat(List.of(first.type(), second.type()))
                    .containsExactlyInAnyOrder(Type.PUBACK, Type.PUBLISH);
            assertThat((first.type() == Type.PUBLISH ? first : second).payload())
                    .isEqualTo(payload);
        }
    }

    @Test
    void carriesMqttOverSecureWebSocket() throws Exception {
        try (Rig rig = Rig.start(files(ClientCertificates.NONE, null))) {
            RawWebSocket socket = RawWebSocket.open(socket(rig, server.client(), "wss"));
            byte[] connect = ConnectPacket.v4(Fresh.id()).encode();
            socket.send(RawWebSocket.BINARY, Arrays.copyOf(connect, 3));
            socket.send(RawWebSocket.FIN, Arrays.copyOfRange(connect, 3, connect.length));
            assertThat(socket.stream(4)).isEqualTo(Bytes.hex("20 02 00 00"));
            socket.send(RawWebSocket.FIN | RawWebSocket.TEXT, new byte[1]);
            assertThat(socket.expectClose()).isEqualTo(1003);
        }
    }

    @Test
    void movesToTheLoopThatOwnsTheSession() throws Exception {
        try (Rig rig = Rig.start(files(ClientCertificates.NONE, null))) {
            String id = Fresh.id();
            for (int i = 0; i < 3 * Rig.LOOPS; i++) {
                RawClient client = RawClient.on(socket(rig, server.client(), "tls")).level(4);
                client.send(
                        new Bytes()
                                .raw(ConnectPacket.v4(id).encode())
                                .raw("C0 00 C0 00")
                                .toArray());
                assertThat(client.expect(Type.CONNACK).code()).isZero();
                client.expect(Type.PINGRESP);
                client.expect(Type.PINGRESP);
                client.ping();
            }
            assertThat(rig.counters().moves()).isPositive();
            assertThat(rig.counters().containedFailures()).isZero();
        }
    }

    @Test
    void showsTheRenewedCertificateAndKeepsOldConnections() throws Exception {
        try (Rig rig = Rig.start(files(ClientCertificates.NONE, null))) {
            RawClient old = client(rig, server.client());
            Certificates.write(key(), renewed.keyPem());
            Certificates.write(certificate(), renewed.certificatePem());
            await().until(() -> rig.counters().tlsReloads() == 1);
            assertThat(shown(rig, renewed)).isEqualTo(renewed.certificate);
            assertThatThrownBy(() -> shown(rig, server)).isInstanceOf(SSLException.class);
            old.ping();
        }
    }

    @Test
    void keepsTheOldCertificateWhileTheNewFilesAreBroken() throws Exception {
        try (Rig rig = Rig.start(files(ClientCertificates.NONE, null))) {
            Certificates.write(certificate(), renewed.certificatePem()); // not yet its key
            await().until(() -> rig.counters().failedTlsReloads() == 1);
            assertThat(shown(rig, server)).isEqualTo(server.certificate);
            Certificates.write(certificate(), "no certificate");
            await().until(() -> rig.counters().failedTlsReloads() == 2);
            Files.delete(key());
            await().until(() -> rig.counters().failedTlsReloads() == 3);
            assertThat(shown(rig, server)).isEqualTo(server.certificate);
            rig.endpoints.reloadTls(); // the same content is not reported again
            assertThat(rig.counters().failedTlsReloads()).isEqualTo(3);
            Certificates.write(key(), server.keyPem());
            Certificates.write(certificate(), server.certificatePem());
            await().until(() -> rig.counters().tlsReloads() >= 1);
            assertThat(shown(rig, server)).isEqualTo(server.certificate);
        }
    }

    @Test
    void asksForClientCertificates() throws Exception {
        try (Rig rig = Rig.start(files(ClientCertificates.REQUIRED, null))) {
            client(rig, server.client(device)).ping();
            assertThat(rig.seen.element().certificateSubject()).isEqualTo("CN=device");
            assertThat(rig.seen.element().listener()).isEqualTo("tls");
            assertThatThrownBy(() -> client(rig, server.client()).ping()).isNotNull();
            assertThatThrownBy(() -> client(rig, server.client(stranger)).ping()).isNotNull();
            assertThat(rig.seen).hasSize(1);
            await().until(() -> rig.counters().failedHandshakes() == 2);
        }
    }

    @Test
    void takesClientCertificatesIfThereAreAny() throws Exception {
        try (Rig rig = Rig.start(files(ClientCertificates.OPTIONAL, null))) {
            client(rig, server.client()).ping();
            assertThat(rig.seen.remove().certificateSubject()).isNull();
            client(rig, server.client(device)).ping();
            assertThat(rig.seen.remove().certificateSubject()).isEqualTo("CN=device");
        }
    }

    @Test
    void trustsARemovedAuthorityNoLongerNotEvenForResumedSessions() throws Exception {
        try (Rig rig = Rig.start(files(ClientCertificates.REQUIRED, null))) {
            SSLContext context = server.client(device);
            RawClient old = client(rig, context);
            Certificates.write(authorities(), stranger.certificatePem());
            await().until(() -> rig.counters().tlsReloads() == 1);
            assertThatThrownBy(() -> client(rig, context).ping()).isNotNull();
            client(rig, server.client(stranger)).ping();
            old.ping();
        }
    }

    @Test
    void readsAnEncryptedKey() throws Exception {
        try (Rig rig = Rig.start(files(ClientCertificates.NONE, "secret"))) {
            client(rig, server.client()).ping();
        }
    }

    @Test
    void tellsWhatIsWrongWithTheFiles() throws Exception {
        TlsFiles good = files(ClientCertificates.NONE, null);
        Certificates.write(key(), renewed.keyPem());
        expectRefused(good, "the private key does not belong to the certificate");
        Certificates.write(key(), server.encryptedKeyPem("secret"));
        expectRefused(good, key() + ": the key is encrypted and no password is configured");
        Certificates.write(key(), server.keyPem().replace("PRIVATE KEY", "EC PRIVATE KEY"));
        expectRefused(good, key() + ": the key is not PKCS#8");
        Certificates.write(key(), server.certificatePem());
        expectRefused(good, key() + ": no private key in it");
        Certificates.write(key(), server.keyPem());
        Certificates.write(certificate(), "");
        expectRefused(good, certificate() + ": no certificate in it");
        Files.delete(certificate());
        expectRefused(good, certificate() + ": cannot be read");
    }

    @Test
    void tellsThatThePasswordIsWrong() throws Exception {
        files(ClientCertificates.NONE, "secret");
        expectRefused(
                new TlsFiles(
                        certificate(),
                        key(),
                        "wrong",
                        null,
                        ClientCertificates.NONE,
                        List.of("TLSv1.3"),
                        Duration.ZERO),
                key() + ": the key cannot be decrypted with this password");
    }

    private static void expectRefused(TlsFiles files, String message) {
        assertThatThrownBy(() -> TlsContexts.load(files, new TransportCounters()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void closesHalfDoneHandshakes() throws Exception {
        try (Rig rig = Rig.start(files(ClientCertificates.NONE, null))) {
            List<RawClient> halting = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                halting.add(rig.closing(RawClient.connect(rig.port("tls"))));
                halting.getLast().send(i % 2 == 0 ? "16 03 01 02 00 01" : "");
            }
            client(rig, server.client()).ping();
            Duration soon = Rig.CONNECT_TIMEOUT.plusSeconds(3);
            halting.forEach(each -> each.expectClosed(soon));
        }
    }

    @Test
    void refusesPlainMqtt() throws Exception {
        try (Rig rig = Rig.start(files(ClientCertificates.NONE, null))) {
            RawClient plain = rig.closing(RawClient.connect(rig.port("tls")));
            plain.send(ConnectPacket.v5(Fresh.id()).encode());
            await().until(() -> rig.counters().failedHandshakes() == 1);
            await().until(() -> rig.endpoints.open() == 0);
            assertThat(rig.counters().containedFailures()).isZero();
        }
    }
}
