package io.rotamq.core.session;

import io.rotamq.mqtt.topic.TopicName;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What topics matched, for as long as the index stays the same. Bounded by bytes as well as by
 * topics: topics can be long, and what one matches can be as much as all sessions. Owned by one
 * shard.
 */
public final class TopicCache<V> {
    private static final int TOPICS = 16_384;

    /** A small part of the smallest heap that makes sense; there are two caches on each shard. */
    private static final long BYTES = 4 << 20;

    /** What is larger is found anew each time, rather than throwing out all others. */
    private static final long LARGEST = BYTES / 16;

    private static final int OVERHEAD = 128;

    private final Map<TopicName, V> known = new HashMap<>();
    private long epoch = -1;
    private long bytes;

    /** What the topic matched when the index was as it is in this epoch. */
    public @Nullable V get(TopicName topic, long now) {
        if (now != epoch) {
            // Nothing is kept of an older epoch: not the sessions and groups that are gone either.
            clear();
            epoch = now;
        }
        return known.get(topic);
    }

    /** Keeps what {@link #get} did not find; {@code size} is about its bytes. */
    public void put(TopicName topic, V value, long size) {
        long cost = OVERHEAD + topic.length() + size;
        if (cost > LARGEST) {
            return;
        }
        if (known.size() >= TOPICS || bytes + cost > BYTES) {
            clear();
        }
        known.put(topic, value);
        bytes += cost;
    }

    int size() {
        return known.size();
    }

    private void clear() {
        if (!known.isEmpty()) {
            known.clear();
            bytes = 0;
        }
    }
}
