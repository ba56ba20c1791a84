package io.rotamq.core.durable;

import io.rotamq.core.port.Batch;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.topic.TopicName;

/**
 * An application message as it is stored.
 *
 * @param publish without DUP and packet identifier, which belong to a connection
 * @param publisher client identifier; empty for the broker
 * @param arrival orders messages
 * @param deadline milliseconds of the wall clock; {@link #NEVER} without an expiry
 */
public record Content(Publish publish, String publisher, long arrival, long deadline) {
    public static final long NEVER = Long.MAX_VALUE;

    void write(Batch out) {
        out.u8(publish.qos() | (publish.retain() ? 4 : 0) | (deadline == NEVER ? 0 : 8));
        Fields.blob(out, publish.topic().toUtf8());
        Fields.blob(out, publish.payload());
        Fields.blob(out, publish.properties());
        Fields.text(out, publisher);
        out.varint(arrival);
        if (deadline != NEVER) {
            out.varint(publish.messageExpiry()).varint(deadline);
        }
    }

    static Content read(RecordReader in) {
        int flags = in.u8();
        TopicName topic = TopicName.parse(in.blob());
        if (topic == null) {
            throw in.damaged();
        }
        byte[] payload = in.blob();
        byte[] properties = in.blob();
        String publisher = in.text();
        long arrival = in.varint();
        boolean expires = (flags & 8) != 0;
        long expiry = expires ? in.varint() : -1;
        long deadline = expires ? in.varint() : NEVER;
        Publish publish =
                new Publish(
                        topic, payload, flags & 3, (flags & 4) != 0, false, 0, expiry, properties);
        return new Content(publish, publisher, arrival, deadline);
    }
}
