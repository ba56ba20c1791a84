package io.rotamq.testkit;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decodes what a broker sends, strictly: whatever a server must not send is an AssertionError. */
final class PacketReader {
    private final int level;

    /** For the protocol level of the connection: 3, 4 or 5. */
    PacketReader(int level) {
        this.level = level;
    }

    /**
     * The packet at the buffer's position, or null (and nothing consumed) when it is incomplete.
     */
    @Nullable Received next(ByteBuffer in) {
        int start = in.position();
        if (in.remaining() < 2) {
            return null;
        }
        in.get();
        int length = remainingLength(in);
        if (length < 0 || in.remaining() < length) {
            in.position(start);
            return null;
        }
        byte[] raw = new byte[in.position() - start + length];
        in.get(start, raw);
        ByteBuffer body = ByteBuffer.wrap(raw, raw.length - length, length).slice();
        in.position(start + raw.length);
        Received packet = decode(raw, body);
        ServerRules.check(packet, level);
        return packet;
    }

    /** -1 when the length is not complete. */
    private static int remainingLength(ByteBuffer in) {
        int value = 0;
        for (int shift = 0; shift < 28; shift += 7) {
            if (!in.hasRemaining()) {
                return -1;
            }
            int digit = in.get() & 0xFF;
            value |= (digit & 0x7F) << shift;
            if (digit < 0x80) {
                ServerRules.require(digit != 0 || shift == 0, "[MQTT-1.5.5-1] overlong length");
                return value;
            }
        }
        throw new AssertionError("the broker sent a length of more than four bytes");
    }

    private Received decode(byte[] raw, ByteBuffer body) {
        Type type = Type.of(raw[0]);
        return switch (type) {
            case CONNACK -> connack(raw, body);
            case PUBLISH -> publish(raw, body);
            case PUBACK, PUBREC, PUBREL, PUBCOMP -> ack(type, body.getShort() & 0xFFFF, raw, body);
            case SUBACK, UNSUBACK -> suback(type, raw, body);
            case PINGRESP -> packet(type, 0, List.of(), new Props(), raw, body);
            case DISCONNECT, AUTH -> ack(type, 0, raw, body);
            default -> throw new AssertionError("a server must not send " + type);
        };
    }

    private Received connack(byte[] raw, ByteBuffer body) {
        ServerRules.require((body.get() & 0xFE) == 0, "[MQTT-3.2.2-1] CONNACK flags");
        int code = body.get() & 0xFF;
        Props props = level == 5 ? properties(body) : new Props();
        return packet(Type.CONNACK, 0, List.of(code), props, raw, body);
    }

    private Received publish(byte[] raw, ByteBuffer body) {
        String topic = text(body);
        int packetId = (raw[0] & 6) == 0 ? 0 : body.getShort() & 0xFFFF;
        Props props = level == 5 ? properties(body) : new Props();
        byte[] payload = rest(body);
        return new Received(Type.PUBLISH, packetId, List.of(), props, topic, payload, raw);
    }

    private Received ack(Type type, int packetId, byte[] raw, ByteBuffer body) {
        if (level < 5) {
            return packet(type, packetId, List.of(), new Props(), raw, body);
        }
        int code = body.hasRemaining() ? body.get() & 0xFF : 0;
        Props props = body.hasRemaining() ? properties(body) : new Props();
        return packet(type, packetId, List.of(code), props, raw, body);
    }

    private Received suback(Type type, byte[] raw, ByteBuffer body) {
        int packetId = body.getShort() & 0xFFFF;
        Props props = level == 5 ? properties(body) : new Props();
        List<Integer> codes = new ArrayList<>();
        if (level == 5 || type == Type.SUBACK) {
            while (body.hasRemaining()) {
                codes.add(body.get() & 0xFF);
            }
        }
        return packet(type, packetId, List.copyOf(codes), props, raw, body);
    }

    private static Received packet(
            Type type,
            int packetId,
            List<Integer> codes,
            Props props,
            byte[] raw,
            ByteBuffer body) {
        ServerRules.require(!body.hasRemaining(), "bytes behind the end of " + type);
        return new Received(type, packetId, codes, props, "", new byte[0], raw);
    }

    private static Props properties(ByteBuffer body) {
        int length = remainingLength(body);
        ByteBuffer in = body.slice(body.position(), length);
        body.position(body.position() + length);
        Props props = new Props();
        while (in.hasRemaining()) {
            Property property = Property.of(in.get());
            props.with(property, value(property, in));
        }
        return props;
    }

    private static Object value(Property property, ByteBuffer in) {
        return switch (property.kind) {
            case BYTE -> in.get() & 0xFF;
            case SHORT -> in.getShort() & 0xFFFF;
            case INT -> in.getInt() & 0xFFFFFFFFL;
            case VARINT -> remainingLength(in);
            case TEXT -> text(in);
            case BINARY -> binary(in);
            case PAIR -> new Props.Pair(text(in), text(in));
        };
    }

    private static byte[] binary(ByteBuffer in) {
        byte[] bytes = new byte[in.getShort() & 0xFFFF];
        in.get(bytes);
        return bytes;
    }

    private static String text(ByteBuffer in) {
        try {
            String text =
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(binary(in)))
                            .toString();
            ServerRules.require(text.indexOf('\0') < 0, "[MQTT-1.5.4-2] NUL in a string");
            return text;
        } catch (CharacterCodingException e) {
            throw new AssertionError(
                    "[MQTT-1.5.4-1] the broker sent a string that is not UTF-8", e);
        }
    }

    private static byte[] rest(ByteBuffer in) {
        byte[] bytes = new byte[in.remaining()];
        in.get(bytes);
        return bytes;
    }
}
