package io.rotamq.core.durable;

import io.rotamq.core.port.Batch;
import io.rotamq.core.port.Store.Kind;

/**
 * A message that sessions or groups refer to by its number. It is written after those references
 * were handed over: that it is there says that the publish as a whole is.
 */
public record MessageRecord(long id, Content content) {
    private static final int VERSION = 1;

    public void put(Batch batch) {
        batch.put(Kind.MESSAGE).u64(id).value().u8(VERSION);
        content.write(batch);
        batch.end();
    }

    public static void delete(Batch batch, long id) {
        batch.delete(Kind.MESSAGE).u64(id).end();
    }

    public static MessageRecord read(byte[] key, byte[] value) {
        long id = RecordReader.key(Kind.MESSAGE, key).u64();
        RecordReader in = RecordReader.value(Kind.MESSAGE, value, VERSION);
        Content content = Content.read(in);
        in.end();
        return new MessageRecord(id, content);
    }
}
