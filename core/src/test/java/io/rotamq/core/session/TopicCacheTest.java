package io.rotamq.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.mqtt.topic.TopicName;
import org.junit.jupiter.api.Test;

class TopicCacheTest {
    private final TopicCache<String> cache = new TopicCache<>();

    @Test
    void remembersWhatTopicsMatchedUntilTheIndexChanges() {
        put("a", 1, 0);
        put("b", 1, 0);
        assertThat(cache.get(TopicName.of("a"), 1)).isEqualTo("a");
        assertThat(cache.get(TopicName.of("a"), 2)).isNull();
        assertThat(cache.size()).as("what an older index held on to").isZero();
    }

    @Test
    void holdsLongTopicsOnlyInSuchNumbersThatMemorySuffices() {
        for (int i = 0; i < 2_000; i++) {
            put(i + "/".repeat(60_000), 1, 0);
        }
        assertThat(cache.size()).isBetween(1, 100);
    }

    @Test
    void findsAnewWhatIsTooMuchToKeepAndKeepsTheOthers() {
        put("small", 1, 100);
        put("matches everybody", 1, 10 << 20);
        assertThat(cache.get(TopicName.of("matches everybody"), 1)).isNull();
        assertThat(cache.get(TopicName.of("small"), 1)).isEqualTo("small");
    }

    @Test
    void beginsAgainWhenThereAreTooManyTopics() {
        for (int i = 0; i < 20_000; i++) {
            put("t/" + i, 1, 0);
        }
        assertThat(cache.size()).isBetween(1, 16_384);
        assertThat(cache.get(TopicName.of("t/19999"), 1)).isEqualTo("t/19999");
    }

    private void put(String topic, long epoch, long size) {
        TopicName name = TopicName.of(topic);
        assertThat(cache.get(name, epoch)).isNull();
        cache.put(name, topic, size);
    }
}
