package io.rotamq.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The bytes on their way to one peer: packets of a turn are encoded one behind the other into one
 * buffer, which is written once. There is no buffer while there is nothing to send. Owned by the
 * connection's loop.
 *
 * <p>Where nothing lies between this and the socket, and nothing waits before it, the buffer goes
 * straight to the system, and back to the loop when it was taken whole: that spares the pool's and
 * the pipeline's work, about a tenth of a delivery's cost. Everything else goes through the
 * channel, which knows how to wait for the peer.
 */
final class Outbound {
    /** A longer queue is a chain of buffers of this size, so that none has to grow by copying. */
    private static final int CHUNK = 64 * 1024;

    private final Channel channel;
    private final @Nullable Socket socket;
    private @Nullable ByteBuf buffer;

    /** Size of the next buffer: what recent turns needed. */
    private int expected;

    /** Whether something was written to the channel and not yet flushed. */
    private boolean unflushed;

    /**
     * @param bare whether bytes need no treatment between here and the socket
     */
    Outbound(Channel channel, boolean bare) {
        this.channel = channel;
        this.socket =
                bare && channel instanceof UnixChannel unix && unix.fd() instanceof Socket direct
                        ? direct
                        : null;
    }

    /** Where to encode the next packet. */
    ByteBuf room(ShardLoop loop) {
        ByteBuf out = buffer;
        if (out == null) {
            out = loop.buffer(expected);
            buffer = out;
        } else if (out.readableBytes() >= CHUNK) {
            write(out, loop);
            out = loop.buffer(CHUNK);
            buffer = out;
        }
        return out;
    }

    /** Sends these bytes behind what was encoded, without copying them. */
    void append(ByteBuf bytes, ShardLoop loop) {
        ByteBuf before = buffer;
        if (before != null) {
            buffer = null;
            write(before, loop);
        }
        write(bytes, loop);
    }

    private void write(ByteBuf out, ShardLoop loop) {
        loop.counters().bytesSent.add(out.readableBytes());
        channel.write(out, channel.voidPromise());
        unflushed = true;
    }

    /**
     * Writes what was encoded.
     *
     * @throws IOException if the connection is broken
     */
    void flush(ShardLoop loop) throws IOException {
        ByteBuf out = take(loop);
        unflushed = false;
        Socket direct = socket;
        if (direct == null || !out.hasMemoryAddress() || !channel.isActive() || waiting() > 0) {
            channel.writeAndFlush(out, channel.voidPromise());
            return;
        }
        int sent;
        try {
            sent = direct.sendAddress(out.memoryAddress(), out.readerIndex(), out.writerIndex());
        } catch (IOException e) {
            out.release();
            throw e;
        }
        if (sent < out.readableBytes()) {
            channel.writeAndFlush(out.skipBytes(Math.max(0, sent)), channel.voidPromise());
        } else {
            loop.recycle(out);
        }
    }

    /** What was encoded since the last flush, from now on the caller's. */
    ByteBuf take(ShardLoop loop) {
        ByteBuf out = buffer;
        if (out == null) {
            return Unpooled.EMPTY_BUFFER;
        }
        buffer = null;
        int size = out.readableBytes();
        loop.counters().bytesSent.add(size);
        // Grows at once, shrinks by steps: a small turn between large ones costs no growing. But
        // what has to wait for the peer shall not wait in buffers that are mostly empty.
        int before = waiting() > 0 ? 0 : expected - (expected >> 3);
        expected = Math.min(Math.max(size + (size >> 2), before), CHUNK);
        return out;
    }

    boolean isEmpty() {
        return buffer == null && !unflushed;
    }

    /** Bytes that were not yet given to the system. */
    long pending() {
        ByteBuf out = buffer;
        return (out == null ? 0 : out.readableBytes()) + waiting();
    }

    private long waiting() {
        ChannelOutboundBuffer queue = channel.unsafe().outboundBuffer();
        return queue == null ? 0 : queue.totalPendingWriteBytes();
    }

    /** The channel is gone. */
    void release() {
        ByteBuf out = buffer;
        if (out != null) {
            buffer = null;
            out.release();
        }
    }
}
