package io.rotamq.cases;

import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.RawClient;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The client's side of a WebSocket, frame by frame as a test wants them. What the broker sends is
 * unwrapped for a {@link RawClient}. Used by one thread.
 */
final class WebSocketPeer implements Closeable {
    private static final String REQUEST =
            """
            GET /mqtt HTTP/1.1\r
            Host: 127.0.0.1\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Protocol: mqtt\r
            \r
            """;

    private final Socket socket;
    private final List<String> pongs = new ArrayList<>();
    private boolean closedByFrame;

    private WebSocketPeer(Socket socket) {
        this.socket = socket;
    }

    /** Opens a WebSocket at /mqtt with the subprotocol mqtt. */
    static WebSocketPeer open(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(5_000);
        socket.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
            head.write(socket.getInputStream().read());
        }
        String answer = head.toString(StandardCharsets.US_ASCII);
        if (!answer.startsWith("HTTP/1.1 101")
                || !answer.toLowerCase(Locale.ROOT).contains("mqtt")) {
            throw new AssertionError("no upgrade: " + answer);
        }
        return new WebSocketPeer(socket);
    }

    /** A client whose every write is a binary frame. */
    RawClient client() throws IOException {
        return RawClient.on(new Unwrapped());
    }

    /** Sends one masked frame; the first byte holds the FIN bit and the opcode. */
    void frame(int firstByte, byte[] payload) throws IOException {
        byte[] mask = {1, 2, 3, 4};
        byte[] masked = new byte[payload.length];
        for (int i = 0; i < masked.length; i++) {
            masked[i] = (byte) (payload[i] ^ mask[i % 4]);
        }
        Bytes frame = new Bytes().u8(firstByte);
        if (payload.length < 126) {
            frame.u8(0x80 | payload.length);
        } else {
            frame.u8(0xFE).u16(payload.length);
        }
        socket.getOutputStream().write(frame.raw(mask).raw(masked).toArray());
    }

    /** Payloads of the pongs that were seen while reading. */
    List<String> pongs() {
        return pongs;
    }

    /** Whether the broker said goodbye with a close frame. */
    boolean isClosedByFrame() {
        return closedByFrame;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** The stream of MQTT bytes inside the frames. */
    private final class Unwrapped extends Socket {
        private final InputStream in = new Frames();

        @Override
        public InputStream getInputStream() {
            return in;
        }

        @Override
        public OutputStream getOutputStream() {
            return new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                    frame(0x82, new byte[] {(byte) b});
                }

                @Override
                public void write(byte[] bytes) throws IOException {
                    frame(0x82, bytes);
                }
            };
        }

        @Override
        public void setSoTimeout(int timeout) throws SocketException {
            socket.setSoTimeout(timeout);
        }

        @Override
        public void setTcpNoDelay(boolean on) {}

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** Reads whole frames, also when a time-out comes in the middle of one. */
    private final class Frames extends InputStream {
        private ByteBuffer raw = ByteBuffer.allocate(0);
        private ByteBuffer payload = ByteBuffer.allocate(0);

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            while (!payload.hasRemaining()) {
                if (closedByFrame || (!parse() && !fill())) {
                    return -1;
                }
            }
            int count = Math.min(length, payload.remaining());
            payload.get(to, offset, count);
            return count;
        }

        private boolean fill() throws IOException {
            byte[] chunk = new byte[4_096];
            int count = socket.getInputStream().read(chunk);
            if (count > 0) {
                raw = ByteBuffer.allocate(raw.remaining() + count).put(raw);
                raw.put(chunk, 0, count).flip();
            }
            return count > 0;
        }

        /** Takes one frame; false if it is not complete. */
        private boolean parse() {
            int start = raw.position();
            if (raw.remaining() < 2) {
                return false;
            }
            int opcode = raw.get() & 0x0F;
            int length = raw.get() & 0x7F;
            if (length == 126 && raw.remaining() >= 2) {
                length = raw.getShort() & 0xFFFF;
            } else if (length >= 126) {
                raw.position(start);
                return false;
            }
            if (raw.remaining() < length) {
                raw.position(start);
                return false;
            }
            ByteBuffer content = raw.slice(raw.position(), length);
            raw.position(raw.position() + length);
            take(opcode, content);
            return true;
        }

        private void take(int opcode, ByteBuffer content) {
            switch (opcode) {
                case 0x8 -> closedByFrame = true;
                case 0xA -> pongs.add(StandardCharsets.UTF_8.decode(content).toString());
                default -> payload = content;
            }
        }
    }
}
