package io.rotamq.server.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import org.jspecify.annotations.Nullable;

/**
 * Puts the layers of an endpoint on each of its connections: TLS, WebSocket, MQTT. One for each
 * listener, used on all loops.
 */
final class ConnectionInitializer extends ChannelInitializer<Channel> {
    private final Endpoint endpoint;
    private final EventLoops loops;
    private final TransportLimits limits;
    private final @Nullable TlsContexts tls;

    ConnectionInitializer(
            Endpoint endpoint,
            EventLoops loops,
            TransportLimits limits,
            @Nullable TlsContexts tls) {
        this.endpoint = endpoint;
        this.loops = loops;
        this.limits = limits;
        this.tls = tls;
    }

    @Override
    protected void initChannel(Channel channel) {
        ChannelPipeline pipeline = channel.pipeline();
        TlsContexts contexts = tls;
        if (contexts != null) {
            SslHandler handler = contexts.current().newHandler(channel.alloc());
            handler.setHandshakeTimeoutMillis(0); // the time-out of CONNECT covers it
            pipeline.addLast(handler);
        }
        String path = endpoint.webSocketPath();
        if (path != null) {
            WebSocketUpgrade.addTo(pipeline, path, loops.counters());
        }
        pipeline.addLast(
                new ConnectionHandler(
                        channel,
                        loops.of(channel.eventLoop()),
                        contexts == null && path == null,
                        endpoint.name(),
                        limits));
    }
}
