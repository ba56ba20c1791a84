package io.rotamq.core.durable;

import io.rotamq.core.port.Batch;
import io.rotamq.core.port.Store.Kind;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import java.util.ArrayList;
import java.util.List;

/**
 * A subscription of a durable session.
 *
 * @param identifier 0 for none
 * @param generation of the latest SUBSCRIBE
 * @param since generation of the first one: orders the members of a group
 * @param keys globs of the routing keys that it takes; empty for every key
 */
public record SubscriptionRecord(
        long session,
        SubscriptionFilter filter,
        Options options,
        int identifier,
        long generation,
        long since,
        List<String> keys) {
    private static final int VERSION = 1;

    /** How messages are to be delivered. */
    public record Options(int qos, boolean noLocal, boolean retainAsPublished) {}

    public void put(Batch batch) {
        batch.put(Kind.SUBSCRIPTION).u64(session).utf8(filter.toString()).value().u8(VERSION);
        batch.u8(
                options.qos()
                        | (options.noLocal() ? 4 : 0)
                        | (options.retainAsPublished() ? 8 : 0));
        batch.varint(identifier).varint(generation).varint(since);
        Fields.texts(batch, keys);
        batch.end();
    }

    public static void delete(Batch batch, long session, SubscriptionFilter filter) {
        batch.delete(Kind.SUBSCRIPTION).u64(session).utf8(filter.toString()).end();
    }

    public static SubscriptionRecord read(byte[] key, byte[] value) {
        RecordReader name = RecordReader.key(Kind.SUBSCRIPTION, key);
        long session = name.u64();
        SubscriptionFilter filter = SubscriptionFilter.parse(name.textBefore(0));
        if (filter == null) {
            throw name.damaged();
        }
        RecordReader in = RecordReader.value(Kind.SUBSCRIPTION, value, VERSION);
        int flags = in.u8();
        Options options = new Options(flags & 3, (flags & 4) != 0, (flags & 8) != 0);
        int identifier = (int) in.varint();
        long generation = in.varint();
        long since = in.varint();
        List<String> keys = new ArrayList<>();
        for (int rest = in.count(); rest > 0; rest--) {
            keys.add(in.text());
        }
        in.end();
        return new SubscriptionRecord(
                session, filter, options, identifier, generation, since, keys);
    }
}
