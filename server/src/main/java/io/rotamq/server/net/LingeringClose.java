package io.rotamq.server.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/**
 * Closes so that the peer can read why. A socket that is closed with bytes unread answers with a
 * reset, which makes the peer's system throw away what it has not read yet, for example the
 * DISCONNECT with the reason. So the sending side is shut first, and what still arrives is read and
 * dropped until the peer closes, too; the connection's close deadline bounds that.
 *
 * <p>Put in front of the pipeline when a connection closes, so that TLS and WebSocket have said
 * their farewell when it is reached.
 */
final class LingeringClose extends ChannelDuplexHandler {
    private @Nullable ChannelPromise closed;

    private LingeringClose() {}

    /** Begins to close; everything has been written. */
    static void of(Channel channel, boolean inputEnded) {
        if (!inputEnded && channel.isActive()) {
            channel.pipeline().addFirst(new LingeringClose());
            channel.config().setAutoRead(true);
        }
        channel.close();
    }

    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        if (closed == null && context.channel() instanceof DuplexChannel socket) {
            closed = promise;
            socket.shutdownOutput();
        } else {
            context.close(promise);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ReferenceCountUtil.release(message);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        ChannelPromise promise = closed;
        boolean ended =
                event instanceof ChannelInputShutdownEvent
                        || event instanceof ChannelInputShutdownReadComplete;
        if (ended && promise != null) {
            context.close(promise);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
