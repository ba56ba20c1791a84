package io.rotamq.core.durable;

import io.rotamq.core.port.Store.Kind;
import io.rotamq.core.port.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads a key or a value as a {@link io.rotamq.core.port.Batch} wrote it. */
final class RecordReader {
    private final Kind kind;
    private final ByteBuffer in;

    private RecordReader(Kind kind, byte[] bytes) {
        this.kind = kind;
        this.in = ByteBuffer.wrap(bytes);
    }

    static RecordReader key(Kind kind, byte[] key) {
        return new RecordReader(kind, key);
    }

    /** A value, which begins with the version of its format; those up to {@code known} are read. */
    static RecordReader value(Kind kind, byte[] value, int known) {
        RecordReader reader = new RecordReader(kind, value);
        int version = reader.u8();
        if (version > known || version == 0) {
            throw new StoreException(
                    "an entry of kind "
                            + kind.label()
                            + " has format "
                            + version
                            + ", this version reads formats up to "
                            + known
                            + ": start the version that wrote it, or a newer one");
        }
        return reader;
    }

    int u8() {
        need(1);
        return in.get() & 0xFF;
    }

    boolean flag() {
        return u8() != 0;
    }

    int u16() {
        need(Short.BYTES);
        return in.getShort() & 0xFFFF;
    }

    long u64() {
        need(Long.BYTES);
        return in.getLong();
    }

    long varint() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = u8();
            value |= (next & 0x7FL) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw damaged();
    }

    int count() {
        long count = varint();
        if (count < 0 || count > in.remaining()) {
            throw damaged();
        }
        return (int) count;
    }

    byte[] blob() {
        byte[] bytes = new byte[count()];
        in.get(bytes);
        return bytes;
    }

    String text() {
        return new String(blob(), StandardCharsets.UTF_8);
    }

    /** All up to the end. */
    byte[] rest() {
        byte[] bytes = new byte[in.remaining()];
        in.get(bytes);
        return bytes;
    }

    /** All but so many bytes at the end, as text. */
    String textBefore(int end) {
        need(end);
        byte[] bytes = new byte[in.remaining() - end];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Nothing may be left. */
    void end() {
        if (in.hasRemaining()) {
            throw damaged();
        }
    }

    StoreException damaged() {
        byte[] head = Arrays.copyOf(in.array(), Math.min(in.limit(), 32));
        return new StoreException(
                "an entry of kind " + kind.label() + " is damaged: " + Arrays.toString(head));
    }

    private void need(int bytes) {
        if (in.remaining() < bytes) {
            throw damaged();
        }
    }
}
