package io.rotamq.mqtt.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.UserProperty;
import io.rotamq.mqtt.topic.Utf8;

/**
 * The properties of one outgoing control packet: first those that it needs, then reason string and
 * user properties, which go overboard in the opposite order when the packet would be too big for
 * its receiver.
 */
final class OutgoingProperties {
    private final ByteBuf bytes = Unpooled.buffer(64);

    /** Where the user properties begin. */
    private int endOfReason;

    /** Where the reason string begins. */
    private int endOfNeeded;

    OutgoingProperties() {}

    /** Nothing but details, if they are wanted. */
    static OutgoingProperties of(Details details, boolean wanted) {
        OutgoingProperties properties = new OutgoingProperties();
        if (wanted) {
            properties.addDetails(details);
        }
        return properties;
    }

    void addByte(int id, int value) {
        bytes.writeByte(id).writeByte(value);
        endNeeded();
    }

    void addBoolean(int id, boolean value) {
        addByte(id, value ? 1 : 0);
    }

    void addShort(int id, int value) {
        bytes.writeByte(id).writeShort(value);
        endNeeded();
    }

    void addInt(int id, long value) {
        bytes.writeByte(id).writeInt((int) value);
        endNeeded();
    }

    void addBinary(int id, byte[] value) {
        if (value.length > Utf8.MAX_BYTES) {
            throw new IllegalArgumentException("property is too long: " + value.length);
        }
        bytes.writeByte(id).writeShort(value.length).writeBytes(value);
        endNeeded();
    }

    void addString(int id, String value) {
        bytes.writeByte(id);
        if (!writeString(value)) {
            throw new IllegalArgumentException("property is too long: " + value.length());
        }
        endNeeded();
    }

    /** Adds details, behind everything else. One that is too long for any packet is left out. */
    void addDetails(Details details) {
        String reason = details.reasonString();
        if (reason != null) {
            bytes.writeByte(Property.REASON_STRING);
            if (!writeString(reason)) {
                bytes.writerIndex(endOfNeeded);
            }
        }
        endOfReason = bytes.writerIndex();
        for (UserProperty property : details.userProperties()) {
            bytes.writeByte(Property.USER_PROPERTY);
            if (!writeString(property.name()) || !writeString(property.value())) {
                bytes.writerIndex(endOfReason);
                return;
            }
        }
    }

    private boolean writeString(String text) {
        int length = ByteBufUtil.utf8Bytes(text);
        if (length > Utf8.MAX_BYTES) {
            return false;
        }
        bytes.writeShort(length);
        ByteBufUtil.reserveAndWriteUtf8(bytes, text, length);
        return true;
    }

    private void endNeeded() {
        endOfNeeded = bytes.writerIndex();
        endOfReason = endOfNeeded;
    }

    /**
     * Drops details until the packet is within the maximum.
     *
     * @param others bytes of the packet behind the fixed header, these properties left out
     * @return false if it is too big even without details
     */
    boolean fit(int others, long maximum) {
        if (!isWithin(others, maximum)) {
            bytes.writerIndex(endOfReason);
        }
        if (!isWithin(others, maximum)) {
            bytes.writerIndex(endOfNeeded);
        }
        return isWithin(others, maximum);
    }

    private boolean isWithin(int others, long maximum) {
        int remaining = others + size();
        return remaining <= VariableByteInteger.MAX
                && 1 + VariableByteInteger.size(remaining) + remaining <= maximum;
    }

    boolean isEmpty() {
        return !bytes.isReadable();
    }

    /** How many bytes {@link #writeTo} writes. */
    int size() {
        return VariableByteInteger.size(bytes.readableBytes()) + bytes.readableBytes();
    }

    /** Writes the length and the properties [MQTT-2.2.2-1]. */
    void writeTo(ByteBuf out) {
        VariableByteInteger.write(bytes.readableBytes(), out);
        out.writeBytes(bytes, bytes.readerIndex(), bytes.readableBytes());
    }
}
