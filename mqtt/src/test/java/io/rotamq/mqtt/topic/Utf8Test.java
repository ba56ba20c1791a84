package io.rotamq.mqtt.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class Utf8Test {
    private static final CharsetDecoder STRICT = StandardCharsets.UTF_8.newDecoder();
    private static final CharBuffer TEXT = CharBuffer.allocate(100);

    private static boolean strictDecoderAccepts(byte[] bytes) {
        for (byte value : bytes) {
            if (value == 0) {
                return false;
            }
        }
        TEXT.clear();
        return !STRICT.reset().decode(ByteBuffer.wrap(bytes), TEXT, true).isError();
    }

    private static void assertAgrees(byte... bytes) {
        boolean accepted = Utf8.isWellFormed(bytes, 0, bytes.length);
        // Nearly a million times: no assertion objects.
        if (accepted != strictDecoderAccepts(bytes)) {
            throw new AssertionError((accepted ? "accepts " : "refuses ") + Arrays.toString(bytes));
        }
    }

    @Test
    void agreesWithTheStrictDecoderOnAllPairsAndTriplesOfBytes() {
        byte[] interesting = interestingBytes();
        for (int first = 0; first < 256; first++) {
            for (int second = 0; second < 256; second++) {
                assertAgrees((byte) first, (byte) second);
                for (byte third : interesting) {
                    assertAgrees((byte) first, (byte) second, third);
                }
            }
        }
    }

    @Test
    void agreesWithTheStrictDecoderOnFourBytes() {
        byte[] interesting = interestingBytes();
        for (int first = 0xE0; first < 256; first++) {
            for (byte second : interesting) {
                for (byte third : interesting) {
                    for (byte fourth : interesting) {
                        assertAgrees((byte) first, second, third, fourth);
                    }
                }
            }
        }
    }

    private static byte[] interestingBytes() {
        int[] values = {
            0x01, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xED, 0xFF
        };
        byte[] bytes = new byte[values.length];
        for (int at = 0; at < bytes.length; at++) {
            bytes[at] = (byte) values[at];
        }
        return bytes;
    }

    @Test
    void agreesWithTheStrictDecoderOnDamagedText() {
        SplittableRandom random = new SplittableRandom(1);
        byte[] text = "a/\u00e9/\u4e2d\u6587/\ud83d\ude00/\ufeffz".getBytes(StandardCharsets.UTF_8);
        for (int round = 0; round < 20_000; round++) {
            byte[] damaged = text.clone();
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            assertAgrees(damaged);
        }
    }

    @Test
    void findsEveryBadByteAtEveryPlaceOfAnAsciiText() {
        for (int length = 1; length <= 20; length++) {
            for (int at = 0; at < length; at++) {
                for (int value = 0; value < 256; value++) {
                    byte[] text =
                            "abcdefghijklmnopqrst"
                                    .substring(0, length)
                                    .getBytes(StandardCharsets.UTF_8);
                    text[at] = (byte) value;
                    assertAgrees(text);
                }
            }
        }
    }

    @Test
    void acceptsEveryCodePointButNulAndSurrogates() {
        for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint += 13) {
            byte[] bytes = Character.toString(codePoint).getBytes(StandardCharsets.UTF_8);
            boolean surrogate = codePoint >= 0xD800 && codePoint <= 0xDFFF;
            if (codePoint > 0 && !surrogate) {
                assertThat(Utf8.isWellFormed(bytes, 0, bytes.length)).isTrue();
            }
        }
    }

    @Test
    void looksOnlyAtItsPartOfTheArray() {
        byte[] bytes = {(byte) 0xFF, 'a', (byte) 0xC3, (byte) 0xA9, 0};
        assertThat(Utf8.isWellFormed(bytes, 1, 4)).isTrue();
        assertThat(Utf8.isWellFormed(bytes, 1, 3)).isFalse();
        assertThat(Utf8.isWellFormed(bytes, 1, 5)).isFalse();
    }
}
