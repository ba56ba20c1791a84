package io.rotamq.testkit;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket client (RFC 6455) that sends exactly the frames a test wants. What the broker sends
 * is checked: unmasked, in binary frames, of whole MQTT packets when joined.
 */
public final class WebSocketClient implements AutoCloseable {
    public static final int CONTINUATION = 0;
    public static final int TEXT = 1;
    public static final int BINARY = 2;
    public static final int CLOSE = 8;
    public static final int PING = 9;
    public static final int PONG = 10;

    private static final int FINAL = 0x80;
    private static final byte[] MASK = {1, 2, 3, 4};

    /** A frame from the broker. */
    public record Frame(int opcode, byte[] payload) {}

    private final Socket socket;
    private final DataInputStream in;
    private String response = "";
    private ByteBuffer rest = ByteBuffer.allocate(0);

    private WebSocketClient(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(socket.getInputStream());
    }

    /** Connects and asks for the upgrade, offering these subprotocols (null: no such header). */
    public static WebSocketClient connect(int port, String path, @Nullable String protocols)
            throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) RawClient.PATIENCE.toMillis());
        WebSocketClient client = new WebSocketClient(socket);
        String request =
                "GET %s HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n".formatted(path)
                        + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                        + (protocols == null ? "" : "Sec-WebSocket-Protocol: " + protocols + "\r\n")
                        + "\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        client.readResponse();
        return client;
    }

    private void readResponse() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        response = head.toString();
    }

    /** Status line and header fields of the answer. */
    public String response() {
        return response;
    }

    public boolean isUpgraded() {
        return response.startsWith("HTTP/1.1 101");
    }

    /** A whole message in one frame. */
    public WebSocketClient send(int opcode, byte[] payload) throws IOException {
        return send(opcode, payload, true);
    }

    public WebSocketClient send(int opcode, byte[] payload, boolean last) throws IOException {
        Bytes frame = new Bytes().u8(opcode | (last ? FINAL : 0));
        if (payload.length < 126) {
            frame.u8(0x80 | payload.length);
        } else {
            frame.u8(0x80 | 126).u16(payload.length);
        }
        frame.raw(MASK);
        for (int i = 0; i < payload.length; i++) {
            frame.u8(payload[i] ^ MASK[i % 4]);
        }
        socket.getOutputStream().write(frame.toArray());
        return this;
    }

    public Frame readFrame() throws IOException {
        int first = in.readUnsignedByte();
        int length = in.readUnsignedByte();
        ServerRules.require(length < 0x80, "a server masks no frames");
        if (length == 126) {
            length = in.readUnsignedShort();
        } else if (length == 127) {
            length = Math.toIntExact(in.readLong());
        }
        byte[] payload = new byte[length];
        in.readFully(payload);
        return new Frame(first & 0x0F, payload);
    }

    /** The next MQTT packet; every frame until it is complete must be a binary one. */
    public Received readPacket(int level) throws IOException {
        PacketReader reader = new PacketReader(level);
        Received packet = reader.next(rest);
        while (packet == null) {
            Frame frame = readFrame();
            ServerRules.require(frame.opcode() == BINARY, "[MQTT-6.0.0-1] opcode " + frame);
            rest =
                    ByteBuffer.allocate(rest.remaining() + frame.payload().length)
                            .put(rest)
                            .put(frame.payload())
                            .flip();
            packet = reader.next(rest);
        }
        return packet;
    }

    /** Reads to the end of the stream; fails when MQTT comes before it. */
    public void expectClosed() throws IOException {
        try {
            Frame frame = readFrame();
            while (frame.opcode() != BINARY) {
                frame = readFrame();
            }
            throw new AssertionError("a binary frame instead of the end");
        } catch (EOFException | SocketException e) {
            // closed, as it must be
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
