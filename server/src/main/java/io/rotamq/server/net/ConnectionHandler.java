package io.rotamq.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.rotamq.core.Client;
import io.rotamq.mqtt.Connect;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.ReasonCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * The inbound half of one network connection: from its channel to the core's {@link Client}. Last
 * in the pipeline, so that what arrives is the bare stream of MQTT, whatever carried it.
 *
 * <p>Everything happens on the loop that the channel is registered with. Only {@link #moveTo}
 * changes that, before anything but CONNECT was dealt with.
 */
final class ConnectionHandler extends ChannelInboundHandlerAdapter implements HeldBytes.Holder {
    /** Why nothing is read: the core said so. */
    static final int BY_CORE = 1;

    /** The peer does not read what it is sent. */
    static final int DEAF = 2;

    /** The mailbox of another shard is full. */
    static final int CONGESTED = 4;

    /** On the way to another loop. */
    private static final int MOVING = 8;

    /** Something is found out about the CONNECT, elsewhere. */
    private static final int PREPARING = 16;

    private final Channel channel;
    private final Outbound outbound;
    private final MqttConnection connection;
    private final Inbound inbound;
    private ShardLoop loop;
    private @Nullable Client client;
    private int pauses;
    private boolean decoding;
    private boolean closing;
    private boolean inputEnded;

    /** Whether what there is to find out about the CONNECT was asked for. */
    private boolean prepared;

    /** Since when much of a cut packet is held, as {@link HeldBytes} counts; 0: it is not. */
    private long holdsSince;

    /**
     * @param bare whether nothing but this is in the channel's pipeline
     */
    ConnectionHandler(
            Channel channel,
            ShardLoop loop,
            boolean bare,
            String listener,
            TransportLimits limits) {
        this.channel = channel;
        this.loop = loop;
        this.inbound =
                new Inbound(channel.alloc(), limits.decoder(), loop.topics(), loop.heldBytes());
        this.outbound = new Outbound(channel, bare);
        this.connection = new MqttConnection(this, channel, outbound, listener, limits);
    }

    ShardLoop loop() {
        return loop;
    }

    /** The CONNECT time-out starts here: it covers TLS handshake and WebSocket upgrade, too. */
    @Override
    public void channelActive(ChannelHandlerContext context) {
        client = loop.shard().accept(connection);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        if (!closing) {
            loop.counters().bytesReceived.add(in.readableBytes());
            if ((pauses & CONGESTED) == 0 && loop.isCongested()) {
                loop.counters().congestionPauses.increment();
                pause(CONGESTED);
                loop.resumeWhenDrained(this);
            }
            decode(in);
        }
        in.release();
    }

    /** Decodes from what was read or, if null, from what was held; every failure ends here. */
    private void decode(@Nullable ByteBuf in) {
        decoding = true;
        try {
            if (in == null) {
                inbound.resume(this);
            } else {
                inbound.read(in, this);
            }
        } catch (MqttException bad) {
            refuse(bad);
        } catch (Throwable failure) { // the edge of the loop: costs this connection, whatever it is
            abort("serving a connection", failure);
        } finally {
            decoding = false;
        }
        noteHeld();
        applyPauses();
    }

    private void noteHeld() {
        HeldBytes all = loop.heldBytes();
        if (inbound.isHolding()) {
            holdsSince = holdsSince == 0 ? all.enter(this) : holdsSince;
            all.relieve();
        } else if (holdsSince != 0) {
            all.leave(holdsSince);
            holdsSince = 0;
        }
    }

    @Override
    public void giveUp() {
        loop.executor().execute(this::dropHeld);
    }

    /** While memory is short, a packet that takes too long to come ends its connection. */
    private void dropHeld() {
        if (inbound.isHolding() && !closing) {
            refuse(
                    new MqttException(
                            ReasonCode.QUOTA_EXCEEDED,
                            "the rest of a packet took too long while memory is short"));
            closing = true;
            inbound.release();
        }
        noteHeld();
        loop.heldBytes().relieved();
    }

    private void refuse(MqttException bad) {
        Client known = client;
        if (known != null) {
            known.failed(bad);
        }
    }

    void receive(Packet packet) {
        Client known = client;
        if (known != null && !(packet instanceof Connect connect && isPreparing(connect))) {
            known.receive(packet);
        }
    }

    private boolean isPreparing(Connect connect) {
        if (prepared) {
            return false;
        }
        prepared = true;
        boolean begun =
                loop.preparation()
                        .begin(
                                connect,
                                channel::isActive,
                                () -> loop.executor().execute(this::endPreparation));
        if (begun) {
            pause(PREPARING);
        }
        return begun;
    }

    /** The core gets the CONNECT now, from the bytes that waited. */
    private void endPreparation() {
        pauses &= ~PREPARING;
        if (!closing) {
            inbound.rewind(loop.topics());
            proceed();
        }
    }

    /** Whether the core takes the next packet now. */
    boolean accepts() {
        return pauses == 0 && !closing;
    }

    /** Whether the CONNECT is needed once more. */
    boolean repeatsConnect() {
        return (pauses & (MOVING | PREPARING)) != 0;
    }

    /** Whether the connection is on its way out: further input is dropped. */
    boolean isClosing() {
        return closing;
    }

    /** From now on input is dropped. */
    void beginClosing() {
        closing = true;
    }

    boolean hasInputEnded() {
        return inputEnded;
    }

    void pause(int reason) {
        pauses |= reason;
        if (!decoding) {
            applyPauses();
        }
    }

    void resume(int reason) {
        int before = pauses;
        pauses &= ~reason;
        if (before != 0 && pauses == 0 && !decoding) {
            // Later, for this may be called from within the core, which must not be entered twice.
            loop.executor().execute(this::proceed);
        }
    }

    private void proceed() {
        if (accepts()) {
            decode(null);
        }
    }

    /** Tells the channel, once whatever came in has been dealt with: this can be a system call. */
    private void applyPauses() {
        boolean reading = pauses == 0;
        if (!closing && channel.config().isAutoRead() != reading) {
            channel.config().setAutoRead(reading);
        }
        if (inputEnded && accepts()) {
            connection.close();
        }
    }

    /**
     * The peer sends nothing more, but may read. The answers to what it sent last go out before the
     * channel is closed.
     */
    private void endOfInput() {
        inputEnded = true;
        if (!decoding) {
            applyPauses();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            endOfInput();
        } else if (event instanceof SslHandshakeCompletionEvent handshake
                && !handshake.isSuccess()) {
            loop.counters().failedHandshakes.increment();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        connection.checkRoom();
    }

    /** There is room again in the outbound buffer. */
    void writable() {
        Client known = client;
        if (known == null || closing) {
            return;
        }
        try {
            known.writable();
        } catch (Throwable failure) { // the edge of the loop
            abort("resuming deliveries", failure);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        closing = true;
        inbound.close();
        noteHeld();
        outbound.release();
        Client known = client;
        client = null;
        if (known != null) {
            try {
                known.closed();
            } catch (Throwable failure) { // the edge of the loop
                loop.failures().contain("ending a connection", failure);
            }
        }
    }

    /** A failed read or write, or a peer that speaks no TLS or HTTP: neither is news. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        boolean common =
                cause instanceof IOException
                        || cause instanceof UncheckedIOException // reset while changing loops
                        || cause instanceof DecoderException;
        if (!common) {
            loop.failures().contain("a connection's pipeline", cause);
        }
        broken();
    }

    /** The connection cannot be used any more. */
    void broken() {
        closing = true;
        connection.closeNow();
    }

    /** Gives up a connection that a programming error left in an unknown state. */
    void abort(String doing, Throwable failure) {
        loop.failures().contain(doing, failure);
        broken();
    }

    /**
     * Leaves this loop for the one that owns the session. The bytes behind CONNECT, and CONNECT
     * itself for the sake of the decoder, wait in {@link Inbound} meanwhile.
     */
    void moveTo(ShardLoop target, Connect connect) {
        if (!decoding) {
            throw new IllegalStateException("a connection moves only while it receives CONNECT");
        }
        ShardLoop left = loop;
        left.counters().moves.increment();
        pauses |= MOVING;
        client = null;
        channel.config().setAutoRead(false);
        channel.deregister()
                .addListener(
                        gone ->
                                target.executor()
                                        .register(channel)
                                        .addListener(
                                                there -> {
                                                    if (there.isSuccess()) {
                                                        arrive(target, connect);
                                                    } else {
                                                        left.executor().execute(inbound::release);
                                                    }
                                                }));
    }

    private void arrive(ShardLoop target, Connect connect) {
        loop = target;
        pauses &= ~MOVING;
        if (!channel.isActive()) {
            inbound.release();
            return;
        }
        decoding = true;
        try {
            client = target.shard().accept(connection);
            inbound.startAgain(target.topics(), connect, this);
        } catch (MqttException | RuntimeException failure) { // the edge of the loop
            abort("moving a connection", failure);
        } finally {
            decoding = false;
        }
        proceed();
    }
}
