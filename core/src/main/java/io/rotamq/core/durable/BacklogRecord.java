package io.rotamq.core.durable;

import io.rotamq.core.port.Batch;
import io.rotamq.core.port.Store.Kind;

/**
 * What a durable group is owed and no durable session holds.
 *
 * @param group as {@code $share/...}
 * @param message number of the message
 * @param begun whether a QoS 2 PUBLISH of it may have reached a member whose session ends with its
 *     connection: then nobody else may get it
 */
public record BacklogRecord(String group, long message, boolean begun) {
    private static final int VERSION = 1;

    public void put(Batch batch) {
        batch.put(Kind.BACKLOG).utf8(group).u8(0).u64(message).value().u8(VERSION);
        Fields.flag(batch, begun);
        batch.end();
    }

    public static void delete(Batch batch, String group, long message) {
        batch.delete(Kind.BACKLOG).utf8(group).u8(0).u64(message).end();
    }

    public static BacklogRecord read(byte[] key, byte[] value) {
        RecordReader name = RecordReader.key(Kind.BACKLOG, key);
        String group = name.textBefore(1 + Long.BYTES);
        name.u8();
        long message = name.u64();
        RecordReader in = RecordReader.value(Kind.BACKLOG, value, VERSION);
        boolean begun = in.flag();
        in.end();
        return new BacklogRecord(group, message, begun);
    }
}
