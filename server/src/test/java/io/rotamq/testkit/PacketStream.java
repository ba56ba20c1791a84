package io.rotamq.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The packets that come from a socket, one by one, each checked against {@link ServerRules};
 * packets that a reader skipped are kept for the next one. Used by one thread.
 */
final class PacketStream {
    private final Socket socket;
    private final Deque<Received> kept = new ArrayDeque<>();
    private ByteBuffer in = ByteBuffer.allocate(64).limit(0);
    private PacketReader reader = new PacketReader(5);
    private long maximumPacketSize = Long.MAX_VALUE;
    private boolean connacked;

    PacketStream(Socket socket) {
        this.socket = socket;
    }

    void level(int protocolLevel) {
        reader = new PacketReader(protocolLevel);
    }

    void maximumPacketSize(long size) {
        maximumPacketSize = size;
    }

    /**
     * The next packet, or null when none comes until the deadline (of System.nanoTime()).
     *
     * @throws ClosedByBroker when the connection ends
     */
    @Nullable Received next(long deadline) {
        return kept.isEmpty() ? receive(deadline) : kept.poll();
    }

    /** The next packet of this type and identifier; those before it are kept. */
    Received await(Type type, int packetId, long deadline) {
        List<Received> before = new ArrayList<>();
        while (true) {
            Received packet = next(deadline);
            if (packet == null) {
                throw new AssertionError("no %s %d, only %s".formatted(type, packetId, before));
            }
            if (packet.type() == type && packet.packetId() == packetId) {
                before.reversed().forEach(kept::addFirst);
                return packet;
            }
            before.add(packet);
        }
    }

    /** Everything until the broker closes the connection, which it must. */
    List<Received> untilClosed(long deadline) {
        List<Received> packets = new ArrayList<>();
        try {
            Received packet = next(deadline);
            while (packet != null) {
                packets.add(packet);
                packet = next(deadline);
            }
        } catch (ClosedByBroker e) {
            ServerRules.require(!in.hasRemaining(), "closed in the middle of a packet");
            return packets;
        }
        throw new AssertionError("not closed in time, received " + packets);
    }

    private @Nullable Received receive(long deadline) {
        Received packet = reader.next(in);
        while (packet == null) {
            if (!fill(deadline)) {
                return null;
            }
            packet = reader.next(in);
        }
        ServerRules.require(
                packet.raw().length <= maximumPacketSize, "[MQTT-3.1.2-24] too big: " + packet);
        boolean connack = packet.type() == Type.CONNACK;
        ServerRules.require(connack != connacked, "[MQTT-3.2.0-1], [MQTT-3.2.0-2]: " + packet);
        connacked = true;
        return packet;
    }

    /** Reads more bytes; false when none came until the deadline. */
    private boolean fill(long deadline) {
        long millis = (deadline - System.nanoTime()) / 1_000_000;
        if (millis <= 0) {
            return false;
        }
        byte[] chunk = new byte[Math.max(16_384, in.remaining())];
        int count;
        try {
            socket.setSoTimeout((int) millis);
            count = socket.getInputStream().read(chunk);
        } catch (SocketTimeoutException e) {
            return false;
        } catch (SocketException e) {
            throw new ClosedByBroker(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (count < 0) {
            throw new ClosedByBroker(null);
        }
        in = ByteBuffer.allocate(in.remaining() + count).put(in).put(chunk, 0, count).flip();
        return true;
    }

    /** The broker ended the connection while a packet was awaited. */
    static final class ClosedByBroker extends AssertionError {
        private static final long serialVersionUID = 1L;

        ClosedByBroker(@Nullable Throwable cause) {
            super("the broker closed the connection", cause);
        }
    }
}
