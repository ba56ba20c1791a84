package io.rotamq.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What listens, and how it stops. */
class EndpointsTest {
    private static final TransportLimits LIMITS =
            new TransportLimits(10, Rig.OUTBOUND_BUFFER, Rig.CLOSE_TIMEOUT, Rig.SIZES);

    @Test
    void tellsWhichPortItGot() throws Exception {
        try (Rig rig = Rig.start()) {
            assertThat(rig.endpoints.bound())
                    .extracting(BoundEndpoint::name)
                    .containsExactly("mqtt", "websocket");
            assertThat(rig.endpoints.bound()).allMatch(bound -> bound.port() > 0);
        }
        assertThat(new BoundEndpoint("mqtt", "::1", 1883)).hasToString("mqtt [::1]:1883");
    }

    @Test
    void listensOnNothingIfOneAddressIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Rig rig = Rig.start()) {
            int free = freePort();
            List<Endpoint> wanted =
                    List.of(
                            new Endpoint("mqtt", "127.0.0.1", free, false, null),
                            new Endpoint(
                                    "websocket", "127.0.0.1", taken.getLocalPort(), false, "/"));
            assertThatThrownBy(() -> Endpoints.bind(wanted, null, LIMITS, rig.loops))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:" + taken.getLocalPort() + " (websocket)");
            new ServerSocket(free, 1, InetAddress.getLoopbackAddress()).close();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return any.getLocalPort();
        }
    }

    @Test
    void wantsACertificateForTls() throws Exception {
        try (Rig rig = Rig.start()) {
            List<Endpoint> wanted = List.of(new Endpoint("tls", "127.0.0.1", 0, true, null));
            assertThatThrownBy(() -> Endpoints.bind(wanted, null, LIMITS, rig.loops))
                    .hasMessage("tls: no certificate is configured");
        }
    }

    @Test
    void worksWithoutTheNativeLibrary() throws Exception {
        try (Rig rig = Rig.start(Transport.nio(), 100, null)) {
            assertThat(rig.loops.transport()).isEqualTo("nio");
            String id = Fresh.id();
            String topic = Fresh.topic();
            for (int i = 0; i < 2 * Rig.LOOPS; i++) {
                RawClient client = rig.client(ConnectPacket.v5(id));
                client.subscribe(topic, 1);
                client.send(PublishPacket.of(topic, "hello"));
                assertThat(client.receive().text()).isEqualTo("hello");
            }
            assertThat(rig.counters().moves()).isPositive();
        }
    }

    @Test
    void acceptsNobodyAnyMoreButServesTheOpenConnections() throws Exception {
        try (Rig rig = Rig.start()) {
            RawClient client = rig.client();
            rig.endpoints.stopAccepting();
            assertThatThrownBy(
                            () ->
                                    new Socket(
                                                    InetAddress.getLoopbackAddress(),
                                                    rig.endpoints.bound().getFirst().port())
                                            .close())
                    .isInstanceOf(IOException.class);
            client.ping();
            assertThat(rig.endpoints.awaitClosed(Duration.ofMillis(50))).isFalse();
            client.leave();
            assertThat(rig.endpoints.awaitClosed(Duration.ofSeconds(5))).isTrue();
        }
    }

    @Test
    void closesWhatIsStillOpenWhenTheLoopsStop() throws Exception {
        try (Rig rig = Rig.start()) {
            RawClient client = rig.client();
            rig.endpoints.stopAccepting();
            assertThat(rig.loops.stop(Duration.ofSeconds(5))).isTrue();
            client.expectClosed();
        }
    }
}
