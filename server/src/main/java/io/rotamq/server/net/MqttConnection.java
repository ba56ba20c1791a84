package io.rotamq.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import io.rotamq.core.port.Connection;
import io.rotamq.core.port.ConnectionInfo;
import io.rotamq.mqtt.Connect;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.codec.PacketEncoder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * The outbound half of one network connection, as the core sees it: encodes packets, flushes them
 * once for each turn of the loop, tells when there is too much. Owned by the connection's loop.
 */
final class MqttConnection implements Connection {
    /**
     * From this size on the receivers of a loop share a payload. Measured with 50 receivers: at 16
     * KiB both cost the same, at 64 KiB sharing costs a sixth less; and a thousand slow receivers
     * hold one copy of it instead of a thousand.
     */
    private static final int SHARED = 16 * 1024;

    private final ConnectionHandler handler;
    private final Channel channel;
    private final String listener;
    private final TransportLimits limits;
    private final Outbound outbound;
    private @Nullable PacketEncoder encoder;

    private long closesAt;

    /** What of the waiting bytes is counted in {@link WaitingBytes}. */
    private long counted;

    /** Whether the loop looks after this connection now and then. */
    private boolean watched;

    private boolean dirty;

    /** Whether the bound was exceeded and there is not yet enough room again. */
    private boolean full;

    MqttConnection(
            ConnectionHandler handler,
            Channel channel,
            Outbound outbound,
            String listener,
            TransportLimits limits) {
        this.handler = handler;
        this.channel = channel;
        this.outbound = outbound;
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
        ByteBuf out = null;
        int start = 0;
        try {
            out = room();
            start = out.writerIndex();
            encoder().encode(packet, out);
        } catch (RuntimeException | OutOfMemoryError failure) {
            undo(out, start, "encoding a packet", failure);
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
        byte[] payload = publish.payload();
        ByteBuf out = null;
        int start = 0;
        try {
            out = room();
            start = out.writerIndex();
            encoder()
                    .publishHead(
                            out,
                            publish,
                            packetId,
                            qos,
                            dup,
                            retain,
                            messageExpiry,
                            subscriptionIds);
            if (payload.length < SHARED) {
                out.writeBytes(payload);
            } else {
                outbound.append(handler.loop().shared(payload), handler.loop());
            }
        } catch (RuntimeException | OutOfMemoryError failure) {
            undo(out, start, "encoding a PUBLISH", failure);
        }
    }

    /** Costs this connection, not the one whose packet it is that goes to many. */
    private void undo(@Nullable ByteBuf out, int start, String doing, Throwable failure) {
        if (out != null) {
            out.writerIndex(start);
        }
        handler.abort(doing, failure);
    }

    private ByteBuf room() {
        ShardLoop loop = handler.loop();
        if (!dirty) {
            dirty = true;
            loop.flushLater(this);
        }
        return outbound.room(loop);
    }

    /** Called by the loop at the end of a turn in which something was encoded. */
    void flush() {
        dirty = false;
        if (outbound.isEmpty()) {
            return; // closed meanwhile
        }
        try {
            outbound.flush(handler.loop());
        } catch (IOException broken) {
            handler.broken();
            return;
        }
        if (outbound.pending() > limits.deafMark()) {
            full = true;
            handler.pause(ConnectionHandler.DEAF);
        }
        if (recount() > 0 && !watched) {
            watched = true;
            handler.loop().watch(this);
        }
        checkRoom();
    }

    /** Looks how much waits for the peer, for the count of all. */
    private long recount() {
        long now = outbound.pending(); // none when the channel is gone
        if (now != counted) {
            handler.loop().waitingBytes().change(now - counted);
            counted = now;
        }
        return now;
    }

    /** By the loop, now and then as long as bytes wait; false when none do. */
    boolean stillWaits() {
        watched = recount() > 0;
        checkRoom();
        return watched;
    }

    @Override
    public boolean isWritable() {
        if (full || handler.isClosing()) {
            return false;
        }
        full = outbound.pending() > bound(limits.outboundBuffer());
        return !full;
    }

    private int bound(int configured) {
        return handler.loop().waitingBytes().bound(configured);
    }

    /** Tells the core, once, when the peer has read enough of what was too much. */
    void checkRoom() {
        if (full && !handler.isClosing() && outbound.pending() <= bound(limits.lowWaterMark())) {
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
        channel.writeAndFlush(outbound.take(handler.loop()))
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
        if (outbound.pending() > 0) {
            handler.loop().counters().forcedCloses.increment();
        }
        channel.unsafe().close(channel.unsafe().voidPromise());
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
