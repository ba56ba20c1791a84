package io.rotamq.mqtt.codec;

import io.netty.buffer.ByteBuf;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.UserProperty;
import io.rotamq.mqtt.topic.TopicName;
import io.rotamq.mqtt.topic.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * A cursor over the bytes of one complete packet, or of a part of it, that never reads past the
 * part's end.
 *
 * <p>It reads a heap buffer's array in place. From a direct buffer it takes one copy of the whole
 * part, since checking text byte by byte through a buffer costs more than that. Used and forgotten
 * within one call of the decoder.
 */
final class Frame {
    private byte[] bytes;
    private int position;
    private int limit;

    Frame(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.position = from;
        this.limit = to;
    }

    static Frame of(ByteBuf in, int index, int length) {
        if (in.hasArray()) {
            int from = in.arrayOffset() + index;
            return new Frame(in.array(), from, from + length);
        }
        byte[] copy = new byte[length];
        in.getBytes(index, copy);
        return new Frame(copy, 0, length);
    }

    /** Starts over with a whole array. */
    void reset(byte[] whole) {
        bytes = whole;
        position = 0;
        limit = whole.length;
    }

    int position() {
        return position;
    }

    boolean hasMore() {
        return position < limit;
    }

    /** Lets nothing behind the next so many bytes be read, and returns the end until then. */
    int narrow(int length) throws MqttException {
        int outer = limit;
        limit = position + need(length);
        return outer;
    }

    /** Undoes {@link #narrow}. */
    void widen(int outer) {
        limit = outer;
    }

    void skip(int count) throws MqttException {
        position += need(count);
    }

    int unsignedByte() throws MqttException {
        need(1);
        return bytes[position++] & 0xFF;
    }

    int unsignedShort() throws MqttException {
        need(2);
        int value = (bytes[position] & 0xFF) << 8 | bytes[position + 1] & 0xFF;
        position += 2;
        return value;
    }

    long unsignedInt() throws MqttException {
        return (long) unsignedShort() << 16 | unsignedShort();
    }

    int variableByteInteger() throws MqttException {
        int value = 0;
        for (int size = 1; size <= 4; size++) {
            int next = unsignedByte();
            value |= (next & 0x7F) << 7 * (size - 1);
            if (next <= 0x7F) {
                VariableByteInteger.checkShortest(next, size);
                return value;
            }
        }
        throw VariableByteInteger.tooLong();
    }

    /** A byte that may only be 0 or 1. */
    boolean bool() throws MqttException {
        int value = unsignedByte();
        if (value > 1) {
            throw MqttException.protocolError("property is neither 0 nor 1");
        }
        return value == 1;
    }

    /** The identifier of a packet that must have one. */
    int packetId() throws MqttException {
        int packetId = unsignedShort();
        if (packetId == 0) {
            throw MqttException.protocolError("packet identifier is 0");
        }
        return packetId;
    }

    ReasonCode reasonCode(Set<ReasonCode> allowed) throws MqttException {
        ReasonCode reasonCode = ReasonCode.of(unsignedByte());
        if (reasonCode == null || !allowed.contains(reasonCode)) {
            throw MqttException.malformed("reason code is not defined for the packet");
        }
        return reasonCode;
    }

    /** Checks a string and steps over it. */
    void skipString() throws MqttException {
        int length = need(unsignedShort());
        if (!Utf8.isWellFormed(bytes, position, position + length)) {
            throw MqttException.malformed("string is not UTF-8 or has U+0000");
        }
        position += length;
    }

    String string() throws MqttException {
        int from = position + 2;
        skipString();
        return position == from
                ? ""
                : new String(bytes, from, position - from, StandardCharsets.UTF_8);
    }

    byte[] binary() throws MqttException {
        return bytes(unsignedShort());
    }

    /** A copy of the next so many bytes. */
    byte[] bytes(int length) throws MqttException {
        byte[] value = new byte[need(length)];
        System.arraycopy(bytes, position, value, 0, length);
        position += length;
        return value;
    }

    TopicName topicName() throws MqttException {
        byte[] utf8 = binary();
        TopicName name = TopicName.parse(utf8);
        if (name == null) {
            throw noTopicName(utf8);
        }
        return name;
    }

    /** What is wrong with bytes that should have been a topic name and are none. */
    static MqttException noTopicName(byte[] utf8) {
        return Utf8.isWellFormed(utf8, 0, utf8.length)
                ? MqttException.invalidTopicName("topic name is empty or has a wildcard")
                : MqttException.malformed("topic name is not UTF-8");
    }

    /** Checks a string that will be the topic name of a response, and steps over it. */
    void skipResponseTopic() throws MqttException {
        int from = position + 2;
        skipString();
        if (Utf8.hasWildcard(bytes, from, position)) {
            throw MqttException.protocolError("response topic has a wildcard");
        }
    }

    UserProperty userProperty() throws MqttException {
        return new UserProperty(string(), string());
    }

    /** Checks that everything was read. */
    void end() throws MqttException {
        if (hasMore()) {
            throw MqttException.malformed("packet is longer than its fields");
        }
    }

    private int need(int count) throws MqttException {
        if (limit - position < count) {
            throw MqttException.malformed("packet is shorter than its fields");
        }
        return count;
    }
}
