package io.rotamq.mqtt.topic;

import io.netty.buffer.ByteBuf;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A topic that a message can be published to: one byte to 65,535 of checked UTF-8, no wildcards, no
 * NUL [MQTT-4.7.3-1] [MQTT-4.7.3-2] [MQTT-3.3.2-2].
 *
 * <p>It stays in bytes, as it came and as it will go; the text is made when somebody asks. Names
 * are equal when their bytes are [MQTT-4.7.3-4]. The hash is the same in every run, so that
 * simulations can be repeated; against chosen collisions names can be ordered, which hash maps use.
 */
public final class TopicName implements Comparable<TopicName> {
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

    private final byte[] utf8;
    private final int hash;

    /** Made on first use; benign race, since strings are immutable and equal. */
    private @Nullable String text;

    private TopicName(byte[] utf8, int hash) {
        this.utf8 = utf8;
        this.hash = hash;
    }

    /**
     * The topic name of a text.
     *
     * @throws IllegalArgumentException if it is empty, too long, not encodable, or has NUL or
     *     wildcards
     */
    public static TopicName of(String text) {
        byte[] utf8 = Utf8.encode(text);
        if (utf8.length == 0 || Utf8.hasWildcard(utf8, 0, utf8.length)) {
            throw new IllegalArgumentException("not a topic name: " + text);
        }
        return new TopicName(utf8, hash(utf8));
    }

    /** The topic name of bytes from a client, which become its own; null if they are none. */
    public static @Nullable TopicName parse(byte[] utf8) {
        return parse(utf8, hash(utf8));
    }

    /**
     * The topic name of bytes from a client, which become its own; null if they are none.
     *
     * @param hash of these bytes, by {@link #hash(ByteBuf, int, int)}
     */
    static @Nullable TopicName parse(byte[] utf8, int hash) {
        boolean valid =
                utf8.length > 0
                        && Utf8.isWellFormed(utf8, 0, utf8.length)
                        && !Utf8.hasWildcard(utf8, 0, utf8.length);
        return valid ? new TopicName(utf8, hash) : null;
    }

    /** How many bytes it has. */
    public int length() {
        return utf8.length;
    }

    /** The byte at that index of its UTF-8 form. */
    public byte byteAt(int index) {
        return utf8[index];
    }

    /** A copy of its UTF-8 form. */
    public byte[] toUtf8() {
        return utf8.clone();
    }

    /** Appends its UTF-8 form, without a length. */
    public void writeTo(ByteBuf out) {
        out.writeBytes(utf8);
    }

    /** Whether filters that begin with a wildcard pass it over [MQTT-4.7.2-1]. */
    public boolean startsWithDollar() {
        return utf8[0] == '$';
    }

    /** Whether these bytes of the buffer are this name. */
    boolean hasBytes(ByteBuf in, int index, int length) {
        if (length != utf8.length) {
            return false;
        }
        int at = 0;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            if ((long) LONG.get(utf8, at) != in.getLongLE(index + at)) {
                return false;
            }
        }
        for (; at < length; at++) {
            if (utf8[at] != in.getByte(index + at)) {
                return false;
            }
        }
        return true;
    }

    /** The hash that the name of these bytes will have. */
    static int hash(ByteBuf in, int index, int length) {
        long state = length;
        int at = 0;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            state = mix(state, in.getLongLE(index + at));
        }
        long rest = 0;
        for (; at < length; at++) {
            rest = rest << Byte.SIZE | in.getUnsignedByte(index + at);
        }
        return fold(mix(state, rest));
    }

    private static int hash(byte[] bytes) {
        long state = bytes.length;
        int at = 0;
        for (; at + Long.BYTES <= bytes.length; at += Long.BYTES) {
            state = mix(state, (long) LONG.get(bytes, at));
        }
        long rest = 0;
        for (; at < bytes.length; at++) {
            rest = rest << Byte.SIZE | (bytes[at] & 0xFF);
        }
        return fold(mix(state, rest));
    }

    private static long mix(long state, long word) {
        return Long.rotateLeft((state ^ word) * MULTIPLIER, 29);
    }

    private static int fold(long state) {
        long mixed = state * MULTIPLIER;
        return (int) (mixed ^ mixed >>> 32);
    }

    @Override
    public int compareTo(TopicName other) {
        return Arrays.compareUnsigned(utf8, other.utf8);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof TopicName name
                        && hash == name.hash
                        && Arrays.equals(utf8, name.utf8);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        String made = text;
        if (made == null) {
            made = new String(utf8, StandardCharsets.UTF_8);
            text = made;
        }
        return made;
    }
}
