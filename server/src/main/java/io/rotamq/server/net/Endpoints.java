package io.rotamq.server.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What listens. {@link #bind} is the moment when clients can come; {@link #stopAccepting} the one
 * when no more can. Connections are dealt to the loops in turn.
 */
public final class Endpoints {
    private static final int BACKLOG = 4_096;

    private final EventLoops loops;
    private final TransportLimits limits;
    private final @Nullable TlsContexts tls;
    private final Admission admission;
    private final List<Channel> listening = new ArrayList<>();
    private final List<BoundEndpoint> bound = new ArrayList<>();

    private Endpoints(EventLoops loops, TransportLimits limits, @Nullable TlsContexts tls) {
        this.loops = loops;
        this.limits = limits;
        this.tls = tls;
        this.admission = new Admission(limits.maxConnections(), loops.counters());
    }

    /**
     * Listens on all of them or, failing that, on none.
     *
     * @param tls for those that want it; may be null if none does
     * @throws IOException if an address is not to be had, or a certificate cannot be used; the
     *     message is for the operator
     */
    public static Endpoints bind(
            List<Endpoint> wanted, @Nullable TlsFiles tls, TransportLimits limits, EventLoops loops)
            throws IOException {
        TlsContexts contexts = tls == null ? null : TlsContexts.load(tls, loops.counters());
        Endpoints endpoints = new Endpoints(loops, limits, contexts);
        try {
            for (Endpoint endpoint : wanted) {
                endpoints.listen(endpoint);
            }
        } catch (IOException e) {
            endpoints.stopAccepting();
            throw e;
        }
        return endpoints;
    }

    private void listen(Endpoint endpoint) throws IOException {
        TlsContexts contexts = endpoint.tls() ? tls : null;
        if (endpoint.tls() && contexts == null) {
            throw new IOException(endpoint.name() + ": no certificate is configured");
        }
        ChannelFuture done =
                bootstrap(endpoint, contexts)
                        .bind(endpoint.host(), endpoint.port())
                        .awaitUninterruptibly();
        if (!done.isSuccess()) {
            String why = done.cause() == null ? "interrupted" : done.cause().getMessage();
            throw new IOException(
                    "cannot listen on %s:%d (%s): %s"
                            .formatted(endpoint.host(), endpoint.port(), endpoint.name(), why),
                    done.cause());
        }
        listening.add(done.channel());
        int port = ((InetSocketAddress) done.channel().localAddress()).getPort();
        bound.add(new BoundEndpoint(endpoint.name(), endpoint.host(), port));
    }

    private ServerBootstrap bootstrap(Endpoint endpoint, @Nullable TlsContexts contexts) {
        ServerBootstrap bootstrap =
                new ServerBootstrap()
                        .group(loops.group())
                        .channel(loops.sockets().serverChannel())
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .handler(admission)
                        .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .childOption(
                                ChannelOption.WRITE_BUFFER_WATER_MARK,
                                new WriteBufferWaterMark(
                                        limits.lowWaterMark(), limits.outboundBuffer()))
                        .childHandler(new ConnectionInitializer(endpoint, loops, limits, contexts));
        if (contexts == null) {
            bootstrap.childOption(ChannelOption.RECVBUF_ALLOCATOR, new ReadBuffers());
        }
        return bootstrap;
    }

    /** What is listened on, in the order of configuration. */
    public List<BoundEndpoint> bound() {
        return List.copyOf(bound);
    }

    /** Connections that are open now, before CONNECT or after. */
    public int open() {
        return admission.open();
    }

    /** Looks at once whether the certificate files have changed. */
    public void reloadTls() {
        TlsContexts contexts = tls;
        if (contexts != null) {
            contexts.reload();
        }
    }

    /** No further connection is accepted; the open ones stay. */
    public void stopAccepting() {
        for (Channel channel : listening) {
            channel.close().awaitUninterruptibly();
        }
        TlsContexts contexts = tls;
        if (contexts != null) {
            contexts.stop();
        }
    }

    /** Waits until all connections are closed; false: some are still open. */
    public boolean awaitClosed(Duration limit) {
        return admission.awaitNone(limit);
    }
}
