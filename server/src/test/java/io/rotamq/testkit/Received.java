package io.rotamq.testkit;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/**
 * A packet from the broker. Parts that its type does not have are 0, empty or false.
 *
 * @param codes the reason codes, one per filter in SUBACK and UNSUBACK; MQTT 5 acknowledgements
 *     without a code have the code 0, those of 3.1.1 none
 * @param raw the whole packet as it came
 */
public record Received(
        Type type,
        int packetId,
        List<Integer> codes,
        Props properties,
        String topic,
        byte[] payload,
        byte[] raw) {

    /** Decodes exactly one packet of a connection of this protocol level. */
    public static Received decode(int level, byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        Received packet = new PacketReader(level).next(in);
        if (packet == null || in.hasRemaining()) {
            throw new AssertionError("not one packet: " + HexFormat.of().formatHex(bytes));
        }
        return packet;
    }

    public int firstByte() {
        return raw[0] & 0xFF;
    }

    public int qos() {
        return firstByte() >> 1 & 3;
    }

    public boolean dup() {
        return (firstByte() & 8) != 0;
    }

    public boolean retain() {
        return (firstByte() & 1) != 0;
    }

    public boolean sessionPresent() {
        int lengthBytes = 1;
        while ((raw[lengthBytes] & 0x80) != 0) {
            lengthBytes++;
        }
        return type == Type.CONNACK && raw[1 + lengthBytes] == 1;
    }

    /** The only reason code. */
    public int code() {
        if (codes.size() != 1) {
            throw new AssertionError("not one reason code in " + this);
        }
        return codes.getFirst();
    }

    public String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }

    public String hex() {
        return HexFormat.of().formatHex(raw);
    }

    /** Subscription identifiers in the order of the packet. */
    public List<Long> identifiers() {
        return properties.numbers(Property.SUBSCRIPTION_ID);
    }

    @Override
    public String toString() {
        return switch (type) {
            case PUBLISH ->
                    "PUBLISH(%s, q%d, id %d%s%s, %s, %s)"
                            .formatted(
                                    topic,
                                    qos(),
                                    packetId,
                                    dup() ? ", dup" : "",
                                    retain() ? ", retain" : "",
                                    payload.length > 40 ? payload.length + " bytes" : text(),
                                    properties);
            default ->
                    "%s(%02X, id %d, codes %s, %s)"
                            .formatted(type, firstByte(), packetId, codes, properties);
        };
    }
}
