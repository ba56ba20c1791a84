package io.rotamq.server.net;

import static io.rotamq.server.net.RawWebSocket.BINARY;
import static io.rotamq.server.net.RawWebSocket.CLOSE;
import static io.rotamq.server.net.RawWebSocket.CONTINUATION;
import static io.rotamq.server.net.RawWebSocket.FIN;
import static io.rotamq.server.net.RawWebSocket.PING;
import static io.rotamq.server.net.RawWebSocket.PONG;
import static io.rotamq.server.net.RawWebSocket.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.SubscribePacket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** MQTT in the frames of a WebSocket, which may be cut in any way. */
class WebSocketTest {
    private static final byte[] PINGREQ = Bytes.hex("C0 00");
    private static final byte[] PINGRESP = Bytes.hex("D0 00");

    @AutoClose private static final Rig rig = Rig.start();

    private static Socket socket() throws IOException {
        return rig.closing(new Socket(InetAddress.getLoopbackAddress(), rig.port("websocket")));
    }

    /** All that comes until the connection is closed. */
    private static String text(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }

    private static RawWebSocket open() throws IOException {
        return RawWebSocket.open(socket());
    }

    private static RawWebSocket connected() throws IOException {
        RawWebSocket socket = open();
        socket.send(FIN | BINARY, ConnectPacket.v4(Fresh.id()).encode());
        assertThat(socket.stream(4)).isEqualTo(Bytes.hex("20 02 00 00"));
        return socket;
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-6.0.0-4")
    void talksWithTheClientOfTheJavaPlatform() throws Exception {
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        WebSocket client =
                HttpClient.newHttpClient()
                        .newWebSocketBuilder()
                        .subprotocols("mqttv3.1", "mqtt")
                        .buildAsync(
                                URI.create("ws://127.0.0.1:" + rig.port("websocket") + "/mqtt"),
                                new Collector(received))
                        .get(5, TimeUnit.SECONDS);
        assertThat(client.getSubprotocol()).isEqualTo("mqtt");
        client.sendBinary(ByteBuffer.wrap(ConnectPacket.v4(Fresh.id()).encode()), true).get();
        assertThat(received.poll(5, TimeUnit.SECONDS)).isEqualTo("20020000");
        client.sendPing(ByteBuffer.wrap(new byte[] {1, 2, 3})).get();
        assertThat(received.poll(5, TimeUnit.SECONDS)).isEqualTo("pong 010203");
        client.sendClose(WebSocket.NORMAL_CLOSURE, "bye").get();
        assertThat(received.poll(5, TimeUnit.SECONDS)).isEqualTo("close 1000");
    }

    private record Collector(BlockingQueue<String> received) implements WebSocket.Listener {
        @Override
        public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
            received.add(hex(data));
            socket.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onPong(WebSocket socket, ByteBuffer message) {
            received.add("pong " + hex(message));
            socket.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
            received.add("close " + status);
            return null;
        }

        private static String hex(ByteBuffer data) {
            byte[] bytes = new byte[data.remaining()];
            data.get(bytes);
            return HexFormat.of().formatHex(bytes);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /mqtt, '', 400",
        "GET, /mqtt, mqttv3.1, 400",
        "GET, /mqtt, MQTT, 400",
        "POST, /mqtt, mqtt, 400",
        "GET, /, mqtt, 404",
        "GET, /mqtt2, mqtt, 404"
    })
    void refusesOtherRequests(String method, String path, String subprotocol, int status)
            throws IOException {
        Socket socket = socket();
        assertThat(RawWebSocket.answer(socket, method, path, subprotocol))
                .startsWith("HTTP/1.1 " + status);
        socket.getInputStream().readAllBytes(); // ends: the connection is closed
    }

    @ParameterizedTest
    @ValueSource(strings = {"mqtt", "mqttv3.1, mqtt", "mqtt,other"})
    void findsTheSubprotocolAmongOthers(String offered) throws IOException {
        assertThat(RawWebSocket.answer(socket(), "GET", "/mqtt?x=y", offered))
                .startsWith("HTTP/1.1 101 ")
                .containsIgnoringCase("sec-websocket-protocol: mqtt\r\n");
    }

    @Test
    void refusesAnotherVersionOfTheProtocolAndNamesItsOwn() throws IOException {
        Socket socket = socket();
        socket.getOutputStream()
                .write(
                        ("GET /mqtt HTTP/1.1\r\nUpgrade: websocket\r\nConnection: upgrade\r\n"
                                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                                        + "Sec-WebSocket-Protocol: mqtt\r\n"
                                        + "Sec-WebSocket-Version: 8\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
        assertThat(text(socket))
                .startsWith("HTTP/1.1 426")
                .containsIgnoringCase("sec-websocket-version: 13\r\n");
    }

    @Test
    void survivesRequestsThatAreNoHttp() throws IOException {
        for (String request : new String[] {"\0\0\0\r\n\r\n", "x".repeat(100_000) + "\r\n\r\n"}) {
            Socket socket = socket();
            socket.setSoTimeout(5_000);
            try {
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                socket.getInputStream().readAllBytes();
            } catch (SocketException reset) {
                // as good an end as any
            }
        }
        connected().close();
        assertThat(rig.counters().containedFailures()).isZero();
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-6.0.0-2")
    void takesPacketsCutIntoFramesAtAnyByte() throws IOException {
        byte[] stream =
                new Bytes().raw(ConnectPacket.v4(Fresh.id()).encode()).raw(PINGREQ).toArray();
        for (int cut = 1; cut < stream.length; cut++) {
            RawWebSocket socket = open();
            socket.send(FIN | BINARY, Arrays.copyOf(stream, cut));
            socket.send(FIN | BINARY, Arrays.copyOfRange(stream, cut, stream.length));
            assertThat(socket.stream(6)).endsWith(PINGRESP);
            socket.close();
        }
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-6.0.0-2")
    void takesManyPacketsInOneFrameThatIsCutIntoSegments() throws IOException {
        String topic = Fresh.topic();
        byte[] payload = new byte[700];
        Bytes stream =
                new Bytes()
                        .raw(ConnectPacket.v4(Fresh.id()).encode())
                        .raw(SubscribePacket.id(1).filter(topic, 0).encode(4));
        for (int i = 0; i < 100; i++) {
            stream.raw(PublishPacket.of(topic, "").payload(payload).encode(4));
        }
        stream.raw(PINGREQ);
        byte[] frame = RawWebSocket.frame(FIN | BINARY, stream.toArray()); // a 64-bit length
        RawWebSocket socket = open();
        for (int i = 0; i < frame.length; i += 1_111) {
            socket.send(Arrays.copyOfRange(frame, i, Math.min(frame.length, i + 1_111)));
        }
        int answers = 4 + 5 + 100 * PublishPacket.of(topic, "").payload(payload).encode(4).length;
        assertThat(socket.stream(answers + 2)).hasSize(answers + 2).endsWith(PINGRESP);
    }

    @Test
    void takesFragmentsWithAPingBetween() throws IOException {
        RawWebSocket socket = open();
        byte[] connect = ConnectPacket.v4(Fresh.id()).encode();
        byte[] ping = "0123456789".getBytes(StandardCharsets.US_ASCII);
        socket.send(BINARY, Arrays.copyOf(connect, 5));
        socket.send(FIN | PING, ping);
        assertThat(socket.read())
                .satisfies(
                        frame -> {
                            assertThat(frame.opcode()).isEqualTo(PONG);
                            assertThat(frame.payload()).isEqualTo(ping);
                        });
        socket.send(CONTINUATION, new byte[0]);
        socket.send(FIN | CONTINUATION, Arrays.copyOfRange(connect, 5, connect.length));
        assertThat(socket.stream(4)).isEqualTo(Bytes.hex("20 02 00 00"));
        socket.send(FIN | PONG, ping); // nobody asked, and nobody minds
        socket.send(FIN | BINARY, PINGREQ);
        assertThat(socket.stream(2)).isEqualTo(PINGRESP);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-6.0.0-1")
    void closesOnTextFrames() throws IOException {
        RawWebSocket socket = connected();
        socket.send(FIN | TEXT, PINGREQ);
        assertThat(socket.expectClose()).isEqualTo(1003);
        RawWebSocket stranger = open();
        stranger.send(FIN | TEXT, PINGREQ);
        assertThat(stranger.expectClose()).isEqualTo(1003);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "82 02 C0 00", // not masked
                "C2 82 00 00 00 00 C0 00", // a reserved bit
                "80 82 00 00 00 00 C0 00", // the continuation of nothing
                "83 80 00 00 00 00", // an opcode that does not exist
                "09 80 00 00 00 00", // a fragmented ping
                "89 FE 00 7E 00 00 00 00", // a ping that is too long
                "82 FF FF FF FF FF FF FF FF FF 00 00 00 00", // a negative length
                "02 80 00 00 00 00 82 80 00 00 00 00" // a message within a message
            })
    void closesOnFramesThatAreNotAllowed(String frames) throws IOException {
        RawWebSocket socket = connected();
        socket.send(Bytes.hex(frames));
        assertThat(socket.expectClose()).isEqualTo(1002);
    }

    @Test
    void answersCloseWithClose() throws IOException {
        RawWebSocket socket = connected();
        socket.send(FIN | CLOSE, new byte[] {0x03, (byte) 0xE8});
        assertThat(socket.expectClose()).isEqualTo(1000);
    }

    @Test
    void closesTheWebSocketWhenMqttEnds() throws IOException {
        RawWebSocket socket = connected();
        socket.send(FIN | BINARY, Bytes.hex("E0 00"));
        assertThat(socket.expectClose()).isEqualTo(1000);
    }

    @Test
    void letsKeepAliveExpireAlthoughTheWebSocketIsPinged() throws IOException {
        RawWebSocket socket = open();
        socket.send(FIN | BINARY, ConnectPacket.v4(Fresh.id()).keepAlive(1).encode());
        socket.stream(4);
        long start = System.nanoTime();
        RawWebSocket.Frame frame;
        do {
            socket.send(FIN | PING, new byte[0]);
            frame = socket.read();
        } while (frame.opcode() == PONG);
        assertThat(frame.opcode()).isEqualTo(CLOSE);
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofMillis(1_400), Duration.ofMillis(3_000));
    }

    @Test
    void movesToTheLoopThatOwnsTheSession() throws IOException {
        String id = Fresh.id();
        long before = rig.counters().moves();
        for (int i = 0; i < 3 * Rig.LOOPS; i++) {
            RawWebSocket socket = open();
            socket.send(
                    FIN | BINARY,
                    new Bytes().raw(ConnectPacket.v4(id).encode()).raw(PINGREQ).toArray());
            assertThat(socket.stream(6)).endsWith(PINGRESP);
        }
        assertThat(rig.counters().moves()).isGreaterThan(before);
    }

    @Test
    void speaksMqttOnlyInsideOfTheWebSocket() throws IOException {
        Socket plain = socket();
        plain.getOutputStream().write(ConnectPacket.v4(Fresh.id()).encode());
        plain.getOutputStream().write("\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(text(plain)).startsWith("HTTP/1.1 400");
    }
}
