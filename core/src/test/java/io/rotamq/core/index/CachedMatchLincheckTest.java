package io.rotamq.core.index;

import static io.rotamq.core.index.RandomTopics.filter;

import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * A result that is kept for as long as the epoch stays the same is, after each update, as good as a
 * new match. A topic has one filter here: a match of several is no snapshot.
 */
public class CachedMatchLincheckTest {
    private static final TopicName TOPIC = TopicName.of("a/b");
    private static final TopicFilter FILTER = filter("a/b");
    private static final TopicFilter SIBLING = filter("a/c");

    /** What a match found, and the epoch that was read before. */
    private record Cached(long epoch, int found) {}

    private final TopicTrie<Integer> trie = new TopicTrie<>(1);
    private volatile Cached cached = new Cached(-1, 0);

    @Operation
    public void addOrRemove() {
        trie.update(FILTER, old -> old == null ? 1 : null);
    }

    /** Splits the node that is matched, or joins it again. */
    @Operation
    public void addOrRemoveSibling() {
        trie.update(SIBLING, old -> old == null ? 2 : null);
    }

    @Operation
    public int match() {
        long epoch = trie.epoch();
        Cached kept = cached;
        if (kept.epoch != epoch) {
            int[] found = {0};
            trie.match(TOPIC, value -> found[0]++);
            kept = new Cached(epoch, found[0]);
            cached = kept;
        }
        return kept.found;
    }

    @Test
    void cachedResultsMissNoChangeThatHasReturned() {
        new ModelCheckingOptions()
                .iterations(10)
                .invocationsPerIteration(500)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(2)
                .check(CachedMatchLincheckTest.class);
    }
}
