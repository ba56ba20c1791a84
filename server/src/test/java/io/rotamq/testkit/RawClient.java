package io.rotamq.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A client on a blocking socket that does only what the test says: nothing is acknowledged, pinged
 * or repeated by itself. Used by one thread. Every wait is bounded and fails the test when it ends.
 */
public final class RawClient implements AutoCloseable {
    /** How long a packet that must come may take. */
    public static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Identifiers from here on are chosen by the client itself, over and over. */
    private static final int FIRST_OWN_ID = 60_000;

    private final Socket socket;
    private final PacketStream in;
    private int level = 5;
    private int nextId = FIRST_OWN_ID;

    private RawClient(Socket socket) {
        this.socket = socket;
        in = new PacketStream(socket);
    }

    public static RawClient connect(int port) {
        try {
            return on(new Socket(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** On a socket of the caller's making, TLS for example. */
    public static RawClient on(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        return new RawClient(socket);
    }

    // ---- sending

    public RawClient send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public RawClient send(String hex) {
        return send(Bytes.hex(hex));
    }

    /** All packets in one write. */
    public RawClient send(Outgoing... packets) {
        Bytes bytes = new Bytes();
        for (Outgoing packet : packets) {
            if (packet instanceof ConnectPacket connect) {
                adopt(connect);
            }
            bytes.raw(packet.encode(level));
        }
        return send(bytes.toArray());
    }

    /** The protocol level by which packets are written and read, for a hand-made CONNECT. */
    public RawClient level(int protocolLevel) {
        level = protocolLevel;
        in.level(protocolLevel);
        return this;
    }

    private void adopt(ConnectPacket connect) {
        level(connect.level());
        in.maximumPacketSize(
                connect.properties().number(Property.MAXIMUM_PACKET_SIZE, Long.MAX_VALUE));
    }

    /** Sends CONNECT and returns the CONNACK, which must be a success. */
    public Received connect(ConnectPacket connect) {
        Received connack = tryConnect(connect);
        assertThat(connack.code()).as("code of %s", connack).isZero();
        return connack;
    }

    /** Sends CONNECT and returns the CONNACK. */
    public Received tryConnect(ConnectPacket connect) {
        send(connect);
        return expect(Type.CONNACK);
    }

    /** Subscribes with these options (3.1.1: QoS); the filter must be granted. */
    public Received subscribe(String filter, int options) {
        return subscribe(SubscribePacket.id(nextId()).filter(filter, options));
    }

    /**
     * Subscribes; every filter must be granted. Deliveries that come before the SUBACK are kept.
     */
    public Received subscribe(SubscribePacket packet) {
        Received suback = trySubscribe(packet);
        assertThat(suback.codes()).as("codes of %s", suback).allMatch(code -> code <= 2);
        return suback;
    }

    /** Subscribes and returns the SUBACK. Deliveries that come before it are kept. */
    public Received trySubscribe(SubscribePacket packet) {
        send(packet);
        Received suback = await(Type.SUBACK, packet.packetId());
        assertThat(suback.packetId()).isEqualTo(packet.packetId());
        return suback;
    }

    public Received unsubscribe(String... filters) {
        int id = nextId();
        UnsubscribePacket packet = UnsubscribePacket.id(id);
        for (String filter : filters) {
            packet.filter(filter);
        }
        send(packet);
        return await(Type.UNSUBACK, id);
    }

    /** Publishes and completes the handshake; returns PUBACK or PUBREC (QoS 0: null). */
    public @Nullable Received publish(PublishPacket packet) {
        send(packet);
        if (packet.qos() == 0) {
            return null;
        }
        Received ack = await(packet.qos() == 1 ? Type.PUBACK : Type.PUBREC, packet.packetId());
        if (packet.qos() == 2 && ack.codes().stream().allMatch(code -> code < 0x80)) {
            send(AckPacket.pubrel(packet.packetId()));
            await(Type.PUBCOMP, packet.packetId());
        }
        return ack;
    }

    public @Nullable Received publish(String topic, String payload, int qos) {
        return publish(PublishPacket.of(topic, payload).qos(qos, nextId()));
    }

    private int nextId() {
        int id = nextId;
        nextId = id < 65_535 ? id + 1 : FIRST_OWN_ID;
        return id;
    }

    // ---- receiving

    /** The next packet. */
    public Received read() {
        return read(PATIENCE);
    }

    public Received read(Duration timeout) {
        Received packet = poll(timeout);
        if (packet == null) {
            throw new AssertionError("no packet within " + timeout);
        }
        return packet;
    }

    /** The next packet, or null when none comes in time; fails when the connection ends. */
    public @Nullable Received poll(Duration timeout) {
        return in.next(after(timeout));
    }

    /** The next packet, which must be of this type. */
    public Received expect(Type type) {
        Received packet = read();
        assertThat(packet.type()).as("type of %s", packet).isEqualTo(type);
        return packet;
    }

    public Received expect(Type type, int packetId) {
        Received packet = expect(type);
        assertThat(packet.packetId()).as("identifier of %s", packet).isEqualTo(packetId);
        return packet;
    }

    /** The next packet of this type and identifier; what comes before is kept for later reads. */
    public Received await(Type type, int packetId) {
        return in.await(type, packetId, after(PATIENCE));
    }

    /** The next packet, which must be a PUBLISH; it is not acknowledged. */
    public Received delivery() {
        return expect(Type.PUBLISH);
    }

    /** The next packet, which must be a PUBLISH; the handshake of its QoS is completed. */
    public Received receive() {
        Received publish = delivery();
        acknowledge(publish);
        return publish;
    }

    public List<Received> receive(int count) {
        List<Received> all = new ArrayList<>();
        while (all.size() < count) {
            all.add(receive());
        }
        return all;
    }

    /** Completes the handshake for a delivery; what comes meanwhile is kept. */
    public void acknowledge(Received publish) {
        int id = publish.packetId();
        if (publish.qos() == 1) {
            send(AckPacket.puback(id));
        } else if (publish.qos() == 2) {
            send(AckPacket.pubrec(id));
            await(Type.PUBREL, id);
            send(AckPacket.pubcomp(id));
        }
    }

    /** PINGREQ and its answer; what comes before the answer is kept. */
    public RawClient ping() {
        send("C0 00");
        await(Type.PINGRESP, 0);
        return this;
    }

    /**
     * Shows that what the publisher sent so far brings nothing (more) to this client: subscribes to
     * a canary topic, has the publisher publish to it, and takes all deliveries before the canary.
     * They are acknowledged and returned, so that the caller can say which they may be.
     */
    public List<Received> deliveriesUntilCanary(RawClient publisher) {
        String canary = "canary/" + Fresh.topic();
        subscribe(canary, 0);
        publisher.send(PublishPacket.of(canary, "canary"));
        List<Received> before = new ArrayList<>();
        while (true) {
            Received packet = read();
            if (packet.topic().equals(canary)) {
                return before;
            }
            assertThat(packet.type()).as("type of %s", packet).isEqualTo(Type.PUBLISH);
            acknowledge(packet);
            before.add(packet);
        }
    }

    /** {@link #deliveriesUntilCanary}, and there must be none. */
    public void expectNothingFrom(RawClient publisher) {
        assertThat(deliveriesUntilCanary(publisher)).isEmpty();
    }

    // ---- endings

    /** Everything until the broker closes the connection, which it must. */
    public List<Received> readUntilClosed(Duration timeout) {
        return in.untilClosed(after(timeout));
    }

    private static long after(Duration timeout) {
        return System.nanoTime() + timeout.toNanos();
    }

    /** The broker closes without sending anything. */
    public void expectClosed() {
        expectClosed(PATIENCE);
    }

    public void expectClosed(Duration timeout) {
        assertThat(readUntilClosed(timeout)).isEmpty();
    }

    /** The broker refuses the CONNECT with one of these codes and closes. */
    public void expectRefused(Integer... codes) {
        List<Received> packets = readUntilClosed(PATIENCE);
        assertThat(packets).singleElement().extracting(Received::type).isEqualTo(Type.CONNACK);
        assertThat(packets.getFirst().code()).isIn((Object[]) codes);
    }

    /** The next packet is DISCONNECT with one of these codes, and then the broker closes (v5). */
    public Received expectDisconnect(Integer... codes) {
        List<Received> packets = readUntilClosed(PATIENCE);
        assertThat(packets).singleElement().extracting(Received::type).isEqualTo(Type.DISCONNECT);
        assertThat(packets.getFirst().code())
                .as("code of %s", packets.getFirst())
                .isIn((Object[]) codes);
        return packets.getFirst();
    }

    /** The ending for a protocol violation: v5 DISCONNECT with a code, else just the close. */
    public void expectViolation(Integer... codes) {
        if (level == 5) {
            expectDisconnect(codes);
        } else {
            expectClosed();
        }
    }

    /** Whether the connection is open: PINGREQ is answered. */
    public boolean isOpen() {
        try {
            ping();
            return true;
        } catch (PacketStream.ClosedByBroker | UncheckedIOException e) {
            return false;
        }
    }

    /** Sends DISCONNECT 0x00 and waits until the broker has closed: it knows the client is away. */
    public void leave() {
        send(AckPacket.disconnect());
        readUntilClosed(PATIENCE);
        close();
    }

    /** Ends the connection with RST. */
    public void reset() {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Shuts down the sending half: the broker sees the end of the stream. */
    public void finishSending() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The packet identifiers, which must differ. */
    public static Set<Integer> identifiers(List<Received> deliveries) {
        Set<Integer> ids = new HashSet<>();
        deliveries.forEach(d -> assertThat(ids.add(d.packetId())).as("%s repeats", d).isTrue());
        return ids;
    }
}
