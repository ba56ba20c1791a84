package io.rotamq.core.durable;

import io.rotamq.core.port.Batch;
import io.rotamq.core.port.Store.Kind;
import io.rotamq.mqtt.Will;
import io.rotamq.mqtt.topic.TopicName;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A session that outlives its connection.
 *
 * @param id given to this session alone, so that all that belongs to it lies together
 * @param expiry Session Expiry Interval in seconds
 * @param away since when its client is away, milliseconds of the wall clock; {@link #CONNECTED}
 * @param will to be published when the connection is lost or its delay is over
 */
public record SessionRecord(long id, String clientId, long expiry, long away, @Nullable Will will) {
    public static final long CONNECTED = -1;

    private static final int VERSION = 1;

    public void put(Batch batch) {
        batch.put(Kind.SESSION).u64(id).value().u8(VERSION);
        Fields.text(batch, clientId);
        batch.varint(expiry).varint(away + 1);
        Will last = will;
        Fields.flag(batch, last != null);
        if (last != null) {
            write(last, batch);
        }
        batch.end();
    }

    /**
     * Removes the session with all that belongs to it.
     *
     * @param deliveries whether with these too
     */
    public static void deleteAll(Batch batch, long id, boolean deliveries) {
        batch.delete(Kind.SESSION).u64(id).end();
        byte[] from = ByteBuffer.allocate(Long.BYTES).putLong(id).array();
        byte[] to = ByteBuffer.allocate(Long.BYTES).putLong(id + 1).array();
        batch.deleteRange(Kind.SUBSCRIPTION, from, to);
        if (deliveries) {
            batch.deleteRange(Kind.DELIVERY, from, to);
        }
        batch.deleteRange(Kind.INBOUND, from, to);
    }

    public static SessionRecord read(byte[] key, byte[] value) {
        long id = RecordReader.key(Kind.SESSION, key).u64();
        RecordReader in = RecordReader.value(Kind.SESSION, value, VERSION);
        String clientId = in.text();
        long expiry = in.varint();
        long away = in.varint() - 1;
        Will will = in.flag() ? readWill(in) : null;
        in.end();
        return new SessionRecord(id, clientId, expiry, away, will);
    }

    private static void write(Will will, Batch out) {
        Fields.blob(out, will.topic().toUtf8());
        Fields.blob(out, will.payload());
        out.u8(will.qos());
        Fields.flag(out, will.retain());
        out.varint(will.delay()).varint(will.messageExpiry() + 1);
        Fields.blob(out, will.properties());
    }

    private static Will readWill(RecordReader in) {
        TopicName topic = TopicName.parse(in.blob());
        if (topic == null) {
            throw in.damaged();
        }
        byte[] payload = in.blob();
        int qos = in.u8();
        boolean retain = in.flag();
        long delay = in.varint();
        long expiry = in.varint() - 1;
        return new Will(topic, payload, qos, retain, delay, expiry, in.blob());
    }
}
