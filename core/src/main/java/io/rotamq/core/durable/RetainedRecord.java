package io.rotamq.core.durable;

import io.rotamq.core.port.Batch;
import io.rotamq.core.port.Store.Kind;
import io.rotamq.mqtt.topic.TopicName;

/** The retained message of a topic, whole: topics keep theirs for long, and few share one. */
public record RetainedRecord(Content content) {
    private static final int VERSION = 1;

    public void put(Batch batch) {
        batch.put(Kind.RETAINED).bytes(content.publish().topic().toUtf8()).value().u8(VERSION);
        content.write(batch);
        batch.end();
    }

    public static void delete(Batch batch, TopicName topic) {
        batch.delete(Kind.RETAINED).bytes(topic.toUtf8()).end();
    }

    public static RetainedRecord read(byte[] value) {
        RecordReader in = RecordReader.value(Kind.RETAINED, value, VERSION);
        Content content = Content.read(in);
        in.end();
        return new RetainedRecord(content);
    }
}
