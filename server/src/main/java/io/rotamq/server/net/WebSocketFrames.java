package io.rotamq.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;

/**
 * A WebSocket as a stream of bytes, after the upgrade (RFC 6455, section 5). Incoming payloads are
 * unmasked where they lie and passed on as they come, whatever the borders of frames, so that an
 * announced length never costs memory. Outgoing buffers become binary frames [MQTT-6.0.0-1]. Pings
 * are answered here and nothing that MQTT hears of. The end of the WebSocket, orderly or not, is
 * the end of input for MQTT. Owned by the connection's loop.
 */
final class WebSocketFrames extends ChannelDuplexHandler {
    private static final int CONTINUATION = 0x0;
    private static final int BINARY = 0x2;
    private static final int TEXT = 0x1;
    private static final int CLOSE = 0x8;
    private static final int PING = 0x9;
    private static final int PONG = 0xA;
    private static final int CONTROL = 0x8;
    private static final int FIN = 0x80;
    private static final int RESERVED_BITS = 0x70;
    private static final int MASKED = 0x80;
    private static final int LENGTH_16 = 126;
    private static final int LENGTH_64 = 127;
    private static final int LONGEST_HEADER = 14;

    private static final int OK = 0;
    private static final int NORMAL_CLOSURE = 1000;
    private static final int PROTOCOL_ERROR = 1002;
    private static final int UNSUPPORTED_DATA = 1003;

    private final TransportCounters counters;
    private final byte[] header = new byte[LONGEST_HEADER];
    private int headerLength;

    /** The payload of the control frame under way. */
    private byte[] control = {};

    private int opcode;
    private long payloadLeft;
    private int mask;
    private boolean inMessage;

    /** With which code to close. */
    private int closeCode = NORMAL_CLOSURE;

    private boolean inputEnded;
    private boolean closeSent;

    WebSocketFrames(TransportCounters counters) {
        this.counters = counters;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        try {
            while (in.isReadable() && !inputEnded) {
                if (payloadLeft > 0) {
                    payload(context, in);
                } else if (headerComplete(in)) {
                    begin(context);
                }
            }
        } finally {
            in.release();
        }
    }

    private boolean headerComplete(ByteBuf in) {
        while (in.isReadable()) {
            header[headerLength++] = in.readByte();
            if (headerLength >= 2 && headerLength == headerSize()) {
                headerLength = 0;
                return true;
            }
        }
        return false;
    }

    private int headerSize() {
        int extended =
                switch (header[1] & 0x7F) {
                    case LENGTH_16 -> Short.BYTES;
                    case LENGTH_64 -> Long.BYTES;
                    default -> 0;
                };
        return 2 + extended + ((header[1] & MASKED) == 0 ? 0 : Integer.BYTES);
    }

    private void begin(ChannelHandlerContext context) {
        opcode = header[0] & 0xF;
        int length = header[1] & 0x7F;
        payloadLeft =
                switch (length) {
                    case LENGTH_16 -> number(2, Short.BYTES);
                    case LENGTH_64 -> number(2, Long.BYTES);
                    default -> length;
                };
        int broken = check();
        if (broken != OK) {
            counters.brokenFrames.increment();
            end(context, broken);
            return;
        }
        mask = (int) number(headerSize() - Integer.BYTES, Integer.BYTES);
        if (opcode < CONTROL) {
            inMessage = (header[0] & FIN) == 0;
        } else {
            control = new byte[(int) payloadLeft];
            if (payloadLeft == 0) {
                control(context);
            }
        }
    }

    private long number(int from, int bytes) {
        long value = 0;
        for (int i = from; i < from + bytes; i++) {
            value = value << Byte.SIZE | header[i] & 0xFF;
        }
        return value;
    }

    /** The code to close with if this frame may not come here and now. */
    private int check() {
        boolean masked = (header[1] & MASKED) != 0;
        boolean last = (header[0] & FIN) != 0;
        if (!masked || (header[0] & RESERVED_BITS) != 0 || payloadLeft < 0) {
            return PROTOCOL_ERROR;
        }
        return switch (opcode) {
            case CONTINUATION -> inMessage ? OK : PROTOCOL_ERROR;
            case BINARY -> inMessage ? PROTOCOL_ERROR : OK;
            case TEXT -> UNSUPPORTED_DATA; // [MQTT-6.0.0-1]
            case CLOSE, PING, PONG -> last && payloadLeft < LENGTH_16 ? OK : PROTOCOL_ERROR;
            default -> PROTOCOL_ERROR;
        };
    }

    private void payload(ChannelHandlerContext context, ByteBuf in) {
        int n = (int) Math.min(payloadLeft, in.readableBytes());
        unmask(in, in.readerIndex(), n);
        mask = Integer.rotateLeft(mask, Byte.SIZE * (n & 3));
        payloadLeft -= n;
        if (opcode < CONTROL) {
            context.fireChannelRead(in.readRetainedSlice(n));
            return;
        }
        in.readBytes(control, control.length - (int) payloadLeft - n, n);
        if (payloadLeft == 0) {
            control(context);
        }
    }

    private void unmask(ByteBuf in, int start, int n) {
        long twice = (mask & 0xFFFF_FFFFL) << Integer.SIZE | mask & 0xFFFF_FFFFL;
        int i = start;
        int end = start + n;
        for (; i <= end - Long.BYTES; i += Long.BYTES) {
            in.setLong(i, in.getLong(i) ^ twice);
        }
        for (int shift = Integer.SIZE; i < end; i++) {
            shift = shift == 0 ? Integer.SIZE - Byte.SIZE : shift - Byte.SIZE;
            in.setByte(i, in.getByte(i) ^ mask >>> shift);
        }
    }

    private void control(ChannelHandlerContext context) {
        byte[] payload = control;
        control = new byte[0];
        if (opcode == CLOSE) {
            end(context, NORMAL_CLOSURE);
        } else if (opcode == PING && context.channel().isWritable()) {
            // A peer that asks and does not read gets no answer: RFC 6455, 5.5.3 lets us skip some.
            context.writeAndFlush(frame(context, PONG, payload), context.voidPromise());
        }
    }

    private void end(ChannelHandlerContext context, int code) {
        closeCode = code;
        inputEnded = true;
        payloadLeft = 0;
        context.fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof ByteBuf out && out.isReadable()) {
            context.write(header(context, BINARY, out.readableBytes()), context.voidPromise());
        }
        context.write(message, promise);
    }

    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        if (closeSent) {
            context.close(promise);
            return;
        }
        closeSent = true;
        byte[] code = {(byte) (closeCode >> Byte.SIZE), (byte) closeCode};
        context.writeAndFlush(frame(context, CLOSE, code))
                .addListener(sent -> context.close(promise));
    }

    private static ByteBuf frame(ChannelHandlerContext context, int opcode, byte[] payload) {
        return header(context, opcode, payload.length).writeBytes(payload);
    }

    /** A header with room for a control frame's payload. */
    private static ByteBuf header(ChannelHandlerContext context, int opcode, int length) {
        ByteBuf header = context.alloc().directBuffer(LONGEST_HEADER).writeByte(FIN | opcode);
        if (length < LENGTH_16) {
            return header.writeByte(length);
        }
        if (length <= 0xFFFF) {
            return header.writeByte(LENGTH_16).writeShort(length);
        }
        return header.writeByte(LENGTH_64).writeLong(length);
    }
}
