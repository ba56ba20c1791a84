package io.rotamq.core.durable;

import io.rotamq.core.port.Batch;
import io.rotamq.core.port.Store.Kind;

/** A QoS 2 publish of a durable session that is owned by the broker and not released yet. */
public record InboundRecord(long session, int packetId) {
    private static final int VERSION = 1;

    public void put(Batch batch) {
        batch.put(Kind.INBOUND).u64(session).u16(packetId).value().u8(VERSION).end();
    }

    public void delete(Batch batch) {
        batch.delete(Kind.INBOUND).u64(session).u16(packetId).end();
    }

    public static InboundRecord read(byte[] key, byte[] value) {
        RecordReader.value(Kind.INBOUND, value, VERSION).end();
        RecordReader name = RecordReader.key(Kind.INBOUND, key);
        return new InboundRecord(name.u64(), name.u16());
    }
}
