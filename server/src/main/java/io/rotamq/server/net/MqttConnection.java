package io.rotamq.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.ssl.SslHandler;
import io.rotamq.core.port.Connection;
import io.rotamq.core.port.ConnectionInfo;
import io.rotamq.mqtt.Connect;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.PacketEncoder;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.Publish;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * The outbound half of one network connection, as the core sees it. Packets are encoded one behind
 * the other into a pooled buffer, which the socket gets once for each turn of the loop; there is no
 * buffer while there is nothing to send. Owned by the connection's loop.
 */
final class MqttConnection implements Connection {
    /** A long queue is a chain of buffers of this size, so that none has to grow by copying. */
    private static final int CHUNK = 64 * 1024;

    private static final int SMALLEST = 256;

    private final ConnectionHandler handler;
    private final Channel channel;
    private final String listener;
    private final TransportLimits limits;
    private @Nullable PacketEncoder encoder;

    /** What was encoded in this turn; null for nothing. */
    private @Nullable ByteBuf buffer;

    /** Size of the next buffer: what recent turns needed. */
    private int expected = SMALLEST;

    private long closesAt;
    private boolean dirty;

    /** Whether the bound was exceeded and there is not yet enough room again. */
    private boolean full;

    MqttConnection(
            ConnectionHandler handler, Channel channel, String listener, TransportLimits limits) {
        this.handler = handler;
        this.channel = channel;
        this.listener = listener;
        this.limits = limits;
    }

    @Override
    public void established(
            ProtocolVersion version,
            long maximumPacketSize,
            int topicAliasMaximum,
            boolean problemInformation) {
        encoder =
                new PacketEncoder(
                        version, maximumPacketSize, topicAliasMaximum, problemInformation);
    }

    private PacketEncoder encoder() {
        PacketEncoder known = encoder;
        if (known == null) {
            throw new IllegalStateException("the peer's version is not known");
        }
        return known;
    }

    @Override
    public void send(Packet packet) {
        if (handler.isClosing()) {
            return;
        }
        ByteBuf out = room();
        int start = out.writerIndex();
        try {
            encoder().encode(packet, out);
        } catch (RuntimeException failure) { // costs this connection, not the caller's
            out.writerIndex(start);
            handler.abort("encoding a packet", failure);
        }
    }

    @Override
    public boolean fits(Publish publish, long messageExpiry, int[] subscriptionIds) {
        return encoder().fits(publish, messageExpiry, subscriptionIds);
    }

    @Override
    public void publish(
            Publish publish,
            int packetId,
            int qos,
            boolean dup,
            boolean retain,
            long messageExpiry,
            int[] subscriptionIds) {
        if (handler.isClosing()) {
            return;
        }
        ByteBuf out = room();
        int start = out.writerIndex();
        try {
            encoder()
                    .publish(
                            out,
                            publish,
                            packetId,
                            qos,
                            dup,
                            retain,
                            messageExpiry,
                            subscriptionIds);
        } catch (RuntimeException failure) { // costs this connection, not the publisher's
            out.writerIndex(start);
            handler.abort("encoding a PUBLISH", failure);
        }
    }

    private ByteBuf room() {
        if (!dirty) {
            dirty = true;
            handler.loop().flushLater(this);
        }
        ByteBuf out = buffer;
        if (out == null) {
            out = channel.alloc().directBuffer(expected);
            buffer = out;
        } else if (out.readableBytes() >= CHUNK) {
            write(out);
            out = channel.alloc().directBuffer(CHUNK);
            buffer = out;
        }
        return out;
    }

    private void write(ByteBuf out) {
        handler.loop().counters().bytesSent.add(out.readableBytes());
        channel.write(out, channel.voidPromise());
    }

    /** Called by the loop at the end of a turn in which something was encoded. */
    void flush() {
        dirty = false;
        ByteBuf out = take();
        if (out.isReadable()) {
            handler.loop().counters().bytesSent.add(out.readableBytes());
            channel.writeAndFlush(out, channel.voidPromise());
        }
        if (pending() > limits.deafMark()) {
            full = true;
            handler.pause(ConnectionHandler.DEAF);
        }
        checkRoom();
    }

    /** What was encoded since the last flush, from now on the caller's. */
    private ByteBuf take() {
        ByteBuf out = buffer;
        if (out == null) {
            return Unpooled.EMPTY_BUFFER;
        }
        buffer = null;
        int size = out.readableBytes();
        // Grows at once, shrinks by steps: a small turn between large ones costs no growing.
        int next = Math.max(size + (size >> 2), expected - (expected >> 3));
        expected = Math.clamp(next, SMALLEST, CHUNK);
        return out;
    }

    /** Bytes that wait here and for the socket. */
    private long pending() {
        ByteBuf out = buffer;
        ChannelOutboundBuffer queue = channel.unsafe().outboundBuffer();
        return (out == null ? 0 : out.readableBytes())
                + (queue == null ? 0 : queue.totalPendingWriteBytes());
    }

    @Override
    public boolean isWritable() {
        if (full || handler.isClosing()) {
            return false;
        }
        full = pending() > limits.outboundBuffer();
        return !full;
    }

    /** Tells the core, once, when the peer has read enough of what was too much. */
    void checkRoom() {
        if (full && !handler.isClosing() && pending() <= limits.lowWaterMark()) {
            full = false;
            handler.resume(ConnectionHandler.DEAF);
            handler.writable();
        }
    }

    @Override
    public void setReading(boolean reading) {
        if (reading) {
            handler.resume(ConnectionHandler.BY_CORE);
        } else {
            handler.pause(ConnectionHandler.BY_CORE);
        }
    }

    /** Flushes at once; the peer has {@code closeTimeout} to read it. */
    @Override
    public void close() {
        if (handler.isClosing()) {
            return;
        }
        handler.beginClosing();
        if (encoder == null && channel.pipeline().get(WebSocketFrames.class) == null) {
            closeNow(); // nothing was ever sent, and perhaps no handshake finished
            return;
        }
        closesAt = System.nanoTime() + limits.closeTimeout().toNanos();
        handler.loop().closeAtDeadline(this);
        ByteBuf last = take();
        handler.loop().counters().bytesSent.add(last.readableBytes());
        channel.writeAndFlush(last)
                .addListener(flushed -> LingeringClose.of(channel, handler.hasInputEnded()));
    }

    /** When {@link #closeNow} follows, in {@link System#nanoTime}. */
    long closesAt() {
        return closesAt;
    }

    /** Closes without any consideration for the peer. */
    void closeNow() {
        if (!channel.isOpen()) {
            return;
        }
        if (pending() > 0) {
            handler.loop().counters().forcedCloses.increment();
        }
        channel.unsafe().close(channel.unsafe().voidPromise());
    }

    /** The channel is gone. */
    void release() {
        ByteBuf out = buffer;
        if (out != null) {
            buffer = null;
            out.release();
        }
    }

    @Override
    public void moveTo(int shard, Connect connect) {
        handler.moveTo(handler.loop().neighbour(shard), connect);
    }

    @Override
    public ConnectionInfo info() {
        String remote =
                channel.remoteAddress() instanceof InetSocketAddress address
                        ? text(address)
                        : "unknown";
        return new ConnectionInfo(listener, remote, certificateSubject());
    }

    private static String text(InetSocketAddress address) {
        InetAddress ip = address.getAddress();
        String host = ip == null ? address.getHostString() : ip.getHostAddress();
        return (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + address.getPort();
    }

    private @Nullable String certificateSubject() {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls == null) {
            return null;
        }
        try {
            return tls.engine().getSession().getPeerPrincipal().getName();
        } catch (SSLPeerUnverifiedException none) {
            return null;
        }
    }
}
