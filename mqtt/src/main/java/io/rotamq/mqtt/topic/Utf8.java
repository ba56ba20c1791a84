package io.rotamq.mqtt.topic;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Checks of MQTT's UTF-8 strings: RFC 3629 without surrogates [MQTT-1.5.4-1] and without NUL
 * [MQTT-1.5.4-2].
 *
 * <p>The JDK's decoder replaces what it does not understand, which would make different topics one.
 * So bytes are checked here before they become strings. Control and non-characters pass, as the
 * standard leaves that open.
 */
public final class Utf8 {
    /** The longest string that its two length bytes can announce. */
    public static final int MAX_BYTES = 65_535;

    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long LOW_BITS = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private Utf8() {}

    /** Whether the bytes from {@code from} up to {@code to} are a well-formed string. */
    public static boolean isWellFormed(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            if (isAsciiWord(bytes, at, to)) {
                at += Long.BYTES;
            } else if (bytes[at] > 0) {
                at++;
            } else {
                int length = sequenceLength(bytes, at, to);
                if (length == 0) {
                    return false;
                }
                at += length;
            }
        }
        return true;
    }

    /** Whether eight bytes follow that all are ASCII without NUL, as nearly all text is. */
    private static boolean isAsciiWord(byte[] bytes, int at, int to) {
        if (to - at < Long.BYTES) {
            return false;
        }
        long word = (long) LONG.get(bytes, at);
        // The subtraction borrows into the top bit of the lowest byte that is NUL.
        return ((word | word - LOW_BITS) & HIGH_BITS) == 0;
    }

    /** The length of the sequence at a byte that is not plain ASCII; 0 if it is ill-formed. */
    private static int sequenceLength(byte[] bytes, int at, int to) {
        int first = bytes[at] & 0xFF;
        int left = to - at;
        if (first >= 0xC2 && first <= 0xDF) {
            return left >= 2 && isContinuation(bytes[at + 1]) ? 2 : 0;
        }
        if (first >= 0xE0 && first <= 0xEF) {
            return left >= 3 && isThree(first, bytes[at + 1] & 0xFF, bytes[at + 2]) ? 3 : 0;
        }
        if (first >= 0xF0 && first <= 0xF4) {
            boolean whole =
                    left >= 4 && isContinuation(bytes[at + 2]) && isContinuation(bytes[at + 3]);
            return whole && isFour(first, bytes[at + 1] & 0xFF) ? 4 : 0;
        }
        return 0;
    }

    private static boolean isContinuation(byte value) {
        return (value & 0xC0) == 0x80;
    }

    private static boolean isThree(int first, int second, byte third) {
        int lowest = first == 0xE0 ? 0xA0 : 0x80; // below: overlong
        int highest = first == 0xED ? 0x9F : 0xBF; // above: surrogates
        return second >= lowest && second <= highest && isContinuation(third);
    }

    private static boolean isFour(int first, int second) {
        int lowest = first == 0xF0 ? 0x90 : 0x80; // below: overlong
        int highest = first == 0xF4 ? 0x8F : 0xBF; // above: past U+10FFFF
        return second >= lowest && second <= highest;
    }

    /** Whether a wildcard character is among the bytes. */
    public static boolean hasWildcard(byte[] bytes, int from, int to) {
        for (int at = from; at < to; at++) {
            if (bytes[at] == '+' || bytes[at] == '#') {
                return true;
            }
        }
        return false;
    }

    /**
     * The bytes of the text, or an empty array if it cannot be an MQTT string of at least a byte.
     */
    static byte[] encode(String text) {
        if (text.indexOf('\0') >= 0 || hasLoneSurrogate(text)) {
            return new byte[0];
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return bytes.length > MAX_BYTES ? new byte[0] : bytes;
    }

    private static boolean hasLoneSurrogate(String text) {
        int at = 0;
        while (at < text.length()) {
            int codePoint = text.codePointAt(at);
            if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
                return true;
            }
            at += Character.charCount(codePoint);
        }
        return false;
    }
}
