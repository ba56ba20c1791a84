import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A short load for the broker whose run trains the AOT cache: java Train.java PORT. Publishers and
 * members of groups at each QoS, and plain subscribers, so that the cache knows what is hot and the
 * compiler does not have to find out in the first seconds of each start.
 */
final class Train {
    private static final int MEMBERS = 4;
    private static final int MESSAGES = 40_000;
    private static final int WINDOW = 64;
    private static final byte[] PAYLOAD = new byte[128];

    private Train() {}

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]);
        for (int qos = 0; qos <= 2; qos++) {
            Socket[] members = new Socket[MEMBERS + 2];
            for (int i = 0; i < members.length; i++) {
                String filter = (i < MEMBERS ? "$share/g/" : "") + "train/" + qos + "/#";
                members[i] = connect(port, "member-" + qos + "-" + i);
                members[i].getOutputStream().write(subscribe(filter, qos));
                Socket member = members[i];
                Thread.ofVirtual().start(() -> acknowledge(member));
            }
            Socket publisher = connect(port, "publisher-" + qos);
            publish(publisher, qos);
            publisher.close();
            for (Socket member : members) {
                member.close();
            }
        }
    }

    private static Socket connect(int port, String id) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        byte[] name = id.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer connect = ByteBuffer.allocate(15 + name.length);
        connect.put((byte) 0x10).put((byte) (13 + name.length)).putShort((short) 4);
        connect.put("MQTT".getBytes(StandardCharsets.US_ASCII)).put((byte) 5).put((byte) 2);
        connect.putShort((short) 0).put((byte) 0).putShort((short) name.length).put(name);
        socket.getOutputStream().write(connect.array());
        packet(socket.getInputStream());
        return socket;
    }

    private static byte[] subscribe(String filter, int qos) {
        byte[] text = filter.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer subscribe = ByteBuffer.allocate(8 + text.length);
        subscribe.put((byte) 0x82).put((byte) (6 + text.length)).putShort((short) 1);
        subscribe.put((byte) 0).putShort((short) text.length).put(text).put((byte) qos);
        return subscribe.array();
    }

    private static void publish(Socket socket, int qos) throws IOException {
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        int unfinished = 0;
        for (int sent = 0; sent < MESSAGES; sent++) {
            int id = sent % 65_535 + 1;
            out.write(publishPacket(qos, id, sent % 16));
            unfinished += qos > 0 ? 1 : 0;
            while (unfinished >= WINDOW || (unfinished > 0 && sent == MESSAGES - 1)) {
                byte[] reply = packet(in);
                if ((reply[0] & 0xF0) == 0x50) {
                    out.write(new byte[] {0x62, 2, reply[1], reply[2]});
                } else {
                    unfinished--;
                }
            }
        }
    }

    private static byte[] publishPacket(int qos, int id, int topic) {
        byte[] name = ("train/" + qos + "/" + topic).getBytes(StandardCharsets.US_ASCII);
        int length = 3 + name.length + (qos > 0 ? 2 : 0) + PAYLOAD.length;
        ByteBuffer publish = ByteBuffer.allocate(length + 3);
        publish.put((byte) (0x30 | qos << 1));
        publish.put((byte) (length & 0x7F | 0x80)).put((byte) (length >> 7));
        publish.putShort((short) name.length).put(name);
        if (qos > 0) {
            publish.putShort((short) id);
        }
        publish.put((byte) 0).put(PAYLOAD);
        return publish.array();
    }

    /** Answers whatever comes until the connection is closed. */
    private static void acknowledge(Socket socket) {
        try {
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            while (true) {
                byte[] packet = packet(in);
                int qos = packet[0] >> 1 & 3;
                if ((packet[0] & 0xF0) == 0x30 && qos > 0) {
                    int name = (packet[1] & 0xFF) << 8 | packet[2] & 0xFF;
                    int id = 3 + name;
                    out.write(
                            new byte[] {
                                (byte) (qos == 1 ? 0x40 : 0x50), 2, packet[id], packet[id + 1]
                            });
                } else if ((packet[0] & 0xF0) == 0x60) {
                    out.write(new byte[] {0x70, 2, packet[1], packet[2]});
                }
            }
        } catch (IOException closed) {
            // the load is over
        }
    }

    /** First byte and body, without the length. */
    private static byte[] packet(InputStream in) throws IOException {
        int first = read(in);
        int length = 0;
        int digit;
        int shift = 0;
        do {
            digit = read(in);
            length |= (digit & 0x7F) << shift;
            shift += 7;
        } while (digit > 127);
        byte[] packet = new byte[1 + length];
        packet[0] = (byte) first;
        if (in.readNBytes(packet, 1, length) < length) {
            throw new IOException("cut");
        }
        return packet;
    }

    private static int read(InputStream in) throws IOException {
        int read = in.read();
        if (read < 0) {
            throw new IOException("closed");
        }
        return read;
    }
}
