package io.rotamq.mqtt.codec;

import io.netty.buffer.ByteBuf;
import io.rotamq.mqtt.MqttException;

/**
 * MQTT's integers of one to four bytes, seven bits in each, always in the shortest form
 * [MQTT-1.5.5-1].
 */
final class VariableByteInteger {
    static final int MAX = 268_435_455;

    /** What {@link #read} returns when the integer goes on behind the bytes that are there. */
    static final long INCOMPLETE = -1;

    private VariableByteInteger() {}

    /**
     * Reads without consuming.
     *
     * @return its size in the upper half, its value in the lower; or {@link #INCOMPLETE}
     */
    static long read(ByteBuf in, int index, int end) throws MqttException {
        int value = 0;
        for (int size = 1; size <= 4; size++) {
            if (index + size > end) {
                return INCOMPLETE;
            }
            int next = in.getByte(index + size - 1);
            value |= (next & 0x7F) << 7 * (size - 1);
            if (next >= 0) {
                checkShortest(next, size);
                return (long) size << Integer.SIZE | value;
            }
        }
        throw tooLong();
    }

    static int sizeOf(long read) {
        return (int) (read >>> Integer.SIZE);
    }

    static int valueOf(long read) {
        return (int) read;
    }

    static void checkShortest(int lastByte, int size) throws MqttException {
        if (lastByte == 0 && size > 1) {
            throw MqttException.malformed("variable byte integer is not in its shortest form");
        }
    }

    static MqttException tooLong() {
        return MqttException.malformed("variable byte integer has more than four bytes");
    }

    /** How many bytes the shortest form of the value takes. */
    static int size(int value) {
        if (value < 1 << 7) {
            return 1;
        }
        if (value < 1 << 14) {
            return 2;
        }
        return value < 1 << 21 ? 3 : 4;
    }

    static void write(int value, ByteBuf out) {
        int left = value;
        while (left > 0x7F) {
            out.writeByte(left & 0x7F | 0x80);
            left >>>= 7;
        }
        out.writeByte(left);
    }
}
