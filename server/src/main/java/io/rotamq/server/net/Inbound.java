package io.rotamq.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.rotamq.mqtt.Connect;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.codec.DecoderLimits;
import io.rotamq.mqtt.codec.PacketDecoder;
import io.rotamq.mqtt.topic.TopicNames;
import org.jspecify.annotations.Nullable;

/**
 * The stream of bytes from one peer, cut into packets: packets need not line up with segments or
 * frames [MQTT-6.0.0-2]. A packet that lies completely in what was read is decoded where it is.
 * Only a cut one is held back, and completed by no more bytes than it lacks, so that what follows
 * it is again decoded in place. What is held grows with what has arrived, never with what was
 * announced.
 *
 * <p>Owned by the connection's loop.
 */
final class Inbound {
    private static final int LONGEST_HEADER = 5;

    private final ByteBufAllocator allocator;
    private final DecoderLimits limits;
    private final HeldBytes heldBytes;
    private PacketDecoder decoder;

    /** Bytes that wait for the rest of a packet, or for reading to resume; mostly null. */
    private @Nullable ByteBuf held;

    /** What the held buffer counts in {@link HeldBytes}. */
    private int charged;

    Inbound(
            ByteBufAllocator allocator,
            DecoderLimits limits,
            TopicNames topics,
            HeldBytes heldBytes) {
        this.heldBytes = heldBytes;
        this.allocator = allocator;
        this.limits = limits;
        this.decoder = new PacketDecoder(limits, topics);
    }

    /** Takes what was read; the caller keeps the buffer. */
    void read(ByteBuf in, ConnectionHandler to) throws MqttException {
        while (held != null && in.isReadable() && to.accepts()) {
            complete(held, in, to);
        }
        if (held == null && in.isReadable() && to.accepts()) {
            decode(in, to);
        }
        if (in.isReadable() && !to.isClosing()) {
            hold(in);
        }
        account();
    }

    private void account() {
        ByteBuf waiting = held;
        int now = waiting == null ? 0 : HeldBytes.charge(waiting.capacity());
        if (now != charged) {
            heldBytes.change(now - charged);
            charged = now;
        }
    }

    /** Whether it holds so much that it counts. */
    boolean isHolding() {
        return charged > 0;
    }

    private void complete(ByteBuf cut, ByteBuf in, ConnectionHandler to) throws MqttException {
        cut.writeBytes(in, Math.min(missing(cut), in.readableBytes()));
        decode(cut, to);
        if (!cut.isReadable()) {
            release();
        }
    }

    private void decode(ByteBuf in, ConnectionHandler to) throws MqttException {
        int start;
        do {
            start = in.readerIndex();
            Packet packet = decoder.decode(in);
            if (packet == null) {
                return;
            }
            to.receive(packet);
        } while (to.accepts());
        if (to.repeatsConnect()) {
            in.readerIndex(start); // another decoder begins with the CONNECT again
        }
    }

    /** How many bytes are needed until the decoder can say more; at least 1. */
    private static int missing(ByteBuf cut) {
        int start = cut.readerIndex();
        int there = cut.readableBytes();
        int length = 0;
        for (int i = 1; i < LONGEST_HEADER; i++) {
            if (i >= there) {
                return 1;
            }
            int digit = cut.getByte(start + i);
            length |= (digit & 0x7F) << 7 * (i - 1);
            if (digit >= 0) {
                return Math.max(1, 1 + i + length - there);
            }
        }
        return 1;
    }

    private void hold(ByteBuf in) {
        if (held == null) {
            held = allocator.buffer(in.readableBytes());
        }
        held.writeBytes(in);
    }

    /** Decodes what was held while the connection was not reading. */
    void resume(ConnectionHandler to) throws MqttException {
        ByteBuf waiting = held;
        if (waiting == null) {
            return;
        }
        decode(waiting, to);
        if (!waiting.isReadable()) {
            release();
        } else if (to.accepts() && waiting.readerIndex() > 0) {
            // The beginning of a packet alone is left: do not keep the large buffer for it.
            held = null;
            hold(waiting);
            waiting.release();
            account();
        }
    }

    /** Begins again with the CONNECT, which was held back. */
    void rewind(TopicNames topics) {
        decoder = new PacketDecoder(limits, topics);
    }

    /**
     * Goes on with another loop's names: a new decoder sees the CONNECT once more, then the handler
     * receives it. If it moves on at once, the next decoder begins with the CONNECT again.
     */
    void startAgain(TopicNames topics, Connect connect, ConnectionHandler to) throws MqttException {
        decoder = new PacketDecoder(limits, topics);
        ByteBuf waiting = held;
        int start = waiting == null ? 0 : waiting.readerIndex();
        if (waiting == null || decoder.decode(waiting) == null) {
            throw new IllegalStateException("moved without a CONNECT");
        }
        to.receive(connect);
        if (to.repeatsConnect()) {
            waiting.readerIndex(start);
        } else if (!waiting.isReadable()) {
            release();
        }
    }

    /** The connection is gone. */
    void close() {
        decoder.close();
        release();
    }

    /** Frees what is held; nothing more will be decoded from it. */
    void release() {
        ByteBuf last = held;
        if (last != null) {
            held = null;
            last.release();
        }
        account();
    }
}
