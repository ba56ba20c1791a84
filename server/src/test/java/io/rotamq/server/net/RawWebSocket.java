package io.rotamq.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.Bytes;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A WebSocket client that sends exactly the frames that the test wants. */
final class RawWebSocket implements AutoCloseable {
    static final int CONTINUATION = 0x0;
    static final int TEXT = 0x1;
    static final int BINARY = 0x2;
    static final int CLOSE = 0x8;
    static final int PING = 0x9;
    static final int PONG = 0xA;
    static final int FIN = 0x80;

    private static final int PATIENCE_MILLIS = 5_000;
    private static final byte[] MASK = {0x11, (byte) 0xA2, 0x33, (byte) 0xC4};

    private final Socket socket;
    private final DataInputStream in;

    /** A frame from the broker. */
    record Frame(int first, byte[] payload) {
        int opcode() {
            return first & 0xF;
        }

        int closeCode() {
            return (payload[0] & 0xFF) << 8 | payload[1] & 0xFF;
        }
    }

    private RawWebSocket(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
    }

    /** Upgraded, with the subprotocol of MQTT. */
    static RawWebSocket open(Socket socket) throws IOException {
        RawWebSocket opened = new RawWebSocket(socket);
        String head = opened.request("GET", "/mqtt", "mqtt");
        assertThat(head).startsWith("HTTP/1.1 101 ").containsIgnoringCase("protocol: mqtt\r\n");
        // The answer to this key is the one of RFC 6455, section 1.3.
        assertThat(head).containsIgnoringCase("accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n");
        return opened;
    }

    /** The head of the answer to a request. */
    static String answer(Socket socket, String method, String path, String subprotocol)
            throws IOException {
        return new RawWebSocket(socket).request(method, path, subprotocol);
    }

    private String request(String method, String path, String subprotocol) throws IOException {
        send(
                (method
                                + " "
                                + path
                                + " HTTP/1.1\r\nHost: localhost\r\n"
                                + "Upgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n"
                                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                                + (subprotocol.isEmpty()
                                        ? ""
                                        : "Sec-WebSocket-Protocol: " + subprotocol + "\r\n")
                                + "Sec-WebSocket-Version: 13\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        return head.toString();
    }

    RawWebSocket send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    RawWebSocket send(int opcodeAndFin, byte[] payload) throws IOException {
        return send(frame(opcodeAndFin, payload));
    }

    static byte[] frame(int opcodeAndFin, byte[] payload) {
        Bytes frame = new Bytes().u8(opcodeAndFin);
        if (payload.length < 126) {
            frame.u8(0x80 | payload.length);
        } else if (payload.length < 65_536) {
            frame.u8(0x80 | 126).u16(payload.length);
        } else {
            frame.u8(0x80 | 127).u32(0).u32(payload.length);
        }
        frame.raw(MASK);
        byte[] masked = new byte[payload.length];
        for (int i = 0; i < masked.length; i++) {
            masked[i] = (byte) (payload[i] ^ MASK[i % MASK.length]);
        }
        return frame.raw(masked).toArray();
    }

    /** The next frame, of any type. */
    Frame read() throws IOException {
        int first = in.readUnsignedByte();
        long length = in.readUnsignedByte();
        assertThat(length).as("servers do not mask").isLessThan(128);
        if (length == 126) {
            length = in.readUnsignedShort();
        } else if (length == 127) {
            length = in.readLong();
        }
        byte[] payload = new byte[(int) length];
        in.readFully(payload);
        return new Frame(first, payload);
    }

    /** So many bytes of the MQTT stream, which may only come in binary frames. */
    byte[] stream(int length) throws IOException {
        Bytes stream = new Bytes();
        while (stream.toArray().length < length) {
            Frame frame = read();
            assertThat(frame.first()).isEqualTo(FIN | BINARY);
            stream.raw(frame.payload());
        }
        return stream.toArray();
    }

    /** The close frame that must come next, and then the end. */
    int expectClose() throws IOException {
        Frame frame = read();
        assertThat(frame.opcode()).isEqualTo(CLOSE);
        assertThat(in.read()).isNegative();
        return frame.closeCode();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
