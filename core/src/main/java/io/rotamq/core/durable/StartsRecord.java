package io.rotamq.core.durable;

import io.rotamq.core.port.Batch;
import io.rotamq.core.port.Store.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** How often the broker has started on this store: numbers of different starts never collide. */
public record StartsRecord(long starts) {
    private static final int VERSION = 1;
    private static final byte[] KEY = "core/starts".getBytes(StandardCharsets.UTF_8);

    public void put(Batch batch) {
        batch.put(Kind.META).bytes(KEY).value().u8(VERSION).varint(starts).end();
    }

    /** Whether an entry of the kind META is this record. */
    public static boolean isKey(byte[] key) {
        return Arrays.equals(KEY, key);
    }

    public static StartsRecord read(byte[] value) {
        RecordReader in = RecordReader.value(Kind.META, value, VERSION);
        long starts = in.varint();
        in.end();
        return new StartsRecord(starts);
    }
}
