package io.rotamq.server.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets in so many connections and closes what comes beyond, before it costs anything. In front of
 * the acceptors of all listeners, which share the bound; any loop.
 */
@Sharable
final class Admission extends ChannelInboundHandlerAdapter {
    private final int limit;
    private final TransportCounters counters;
    private final AtomicInteger open = new AtomicInteger();
    private final ChannelFutureListener leave = closed -> leave();

    Admission(int limit, TransportCounters counters) {
        this.limit = limit;
        this.counters = counters;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        Channel connection = (Channel) message;
        if (open.incrementAndGet() > limit) {
            open.decrementAndGet();
            counters.refused.increment();
            connection.unsafe().closeForcibly();
            return;
        }
        counters.accepted.increment();
        connection.closeFuture().addListener(leave);
        context.fireChannelRead(message);
    }

    private void leave() {
        if (open.decrementAndGet() == 0) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    /** Waits until nobody is in; false: not in time, or interrupted. */
    synchronized boolean awaitNone(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        try {
            while (open.get() > 0) {
                long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (millis <= 0) {
                    return false;
                }
                wait(millis);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    int open() {
        return open.get();
    }
}
