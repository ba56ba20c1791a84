package io.rotamq.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import io.rotamq.testkit.WebSocketClient;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Chapter 6 of both standards: MQTT over WebSocket. */
@Execution(ExecutionMode.CONCURRENT)
class WebSocketTest {
    private static final String PATH = "/mqtt";

    @AutoClose private static final TestBroker broker = TestBroker.withWebSocket();

    private final String topic = Fresh.topic();

    private static WebSocketClient open() throws IOException {
        WebSocketClient client = WebSocketClient.connect(broker.webSocketPort(), PATH, "mqtt");
        assertThat(client.response()).startsWith("HTTP/1.1 101");
        return client;
    }

    private static void textFrameCloses(ConnectPacket connect) throws IOException {
        try (WebSocketClient client = open()) {
            client.send(WebSocketClient.TEXT, connect.encode()).expectClosed();
        }
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-6.0.0-1")
    void aTextFrameClosesTheConnection() throws IOException {
        textFrameCloses(ConnectPacket.v5(Fresh.id()));
        try (WebSocketClient client = open()) {
            client.send(WebSocketClient.BINARY, ConnectPacket.v5(Fresh.id()).encode());
            assertThat(client.readPacket(5).code()).isZero();
            client.send(WebSocketClient.TEXT, Bytes.hex("C000")).expectClosed();
        }
    }

    @Test
    @Tag("mqtt311")
    @Tag("MQTT-6.0.0-1")
    void aTextFrameClosesTheConnectionOfAnOldClient() throws IOException {
        textFrameCloses(ConnectPacket.v4(Fresh.id()));
    }

    /** CONNECT in single bytes, then many packets in one frame, then one packet in fragments. */
    private void framesMeanNothing(int level) throws IOException {
        try (WebSocketClient client = open()) {
            for (byte one : ConnectPacket.of(level, Fresh.id()).encode()) {
                client.send(WebSocketClient.BINARY, new byte[] {one});
            }
            assertThat(client.readPacket(level).code()).isZero();
            Bytes many = new Bytes().raw(SubscribePacket.id(1).filter(topic, 0).encode(level));
            for (int i = 0; i < 20; i++) {
                many.raw(PublishPacket.of(topic, "m" + i).encode(level));
            }
            client.send(WebSocketClient.BINARY, many.toArray());
            assertThat(client.readPacket(level).type()).isEqualTo(Type.SUBACK);
            for (int i = 0; i < 20; i++) {
                assertThat(client.readPacket(level).text()).isEqualTo("m" + i);
            }
            byte[] last = PublishPacket.of(topic, "fragments").encode(level);
            client.send(WebSocketClient.BINARY, Arrays.copyOfRange(last, 0, 3), false);
            client.send(WebSocketClient.PING, new byte[] {7});
            client.send(WebSocketClient.CONTINUATION, Arrays.copyOfRange(last, 3, 6), false);
            int end = last.length;
            client.send(WebSocketClient.CONTINUATION, Arrays.copyOfRange(last, 6, end), true);
            WebSocketClient.Frame pong = client.readFrame();
            assertThat(pong.opcode()).isEqualTo(WebSocketClient.PONG);
            assertThat(pong.payload()).containsExactly(7);
            assertThat(client.readPacket(level).text()).isEqualTo("fragments");
        }
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-6.0.0-2")
    void theBordersOfFramesMeanNothing() throws IOException {
        framesMeanNothing(5);
    }

    @Test
    @Tag("mqtt311")
    @Tag("MQTT-6.0.0-2")
    void theBordersOfFramesMeanNothingToOldClients() throws IOException {
        framesMeanNothing(4);
    }

    private static void onlyMqttIsSelected() throws IOException {
        for (String offer : new String[] {null, "foo", "mqttv3.1"}) {
            try (WebSocketClient client =
                    WebSocketClient.connect(broker.webSocketPort(), PATH, offer)) {
                assertThat(client.response()).startsWith("HTTP/1.1 400");
            }
        }
        try (WebSocketClient client =
                WebSocketClient.connect(broker.webSocketPort(), PATH, "foo, mqtt")) {
            assertThat(client.response().lines().map(line -> line.toLowerCase(Locale.ROOT)))
                    .contains("sec-websocket-protocol: mqtt");
        }
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-6.0.0-3")
    @Tag("MQTT-6.0.0-4")
    void theSubprotocolIsMqttAndNothingElse() throws IOException {
        onlyMqttIsSelected();
    }

    @Test
    @Tag("mqtt311")
    @Tag("MQTT-6.0.0-3")
    @Tag("MQTT-6.0.0-4")
    void theSubprotocolIsMqttForOldClientsToo() throws IOException {
        onlyMqttIsSelected();
    }
}
