package io.rotamq.testkit;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** A growing byte array with the primitive encodings of the standard (section 1.5). */
public final class Bytes {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    public static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    public Bytes u8(int value) {
        out.write(value);
        return this;
    }

    public Bytes u16(int value) {
        return u8(value >> 8).u8(value);
    }

    public Bytes u32(long value) {
        return u16((int) (value >> 16)).u16((int) value);
    }

    public Bytes varint(int value) {
        int rest = value;
        while (rest > 0x7F) {
            u8(rest & 0x7F | 0x80);
            rest >>>= 7;
        }
        return u8(rest);
    }

    public Bytes raw(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    public Bytes raw(String hex) {
        return raw(hex(hex));
    }

    /** Length prefix and bytes: the encoding of both strings and binary data. */
    public Bytes binary(byte[] bytes) {
        return u16(bytes.length).raw(bytes);
    }

    public Bytes text(String text) {
        return binary(text.getBytes(StandardCharsets.UTF_8));
    }

    public byte[] toArray() {
        return out.toByteArray();
    }

    /** What was written so far as the body of a packet that starts with this byte. */
    public byte[] packet(int firstByte) {
        return new Bytes().u8(firstByte).varint(out.size()).raw(toArray()).toArray();
    }
}
