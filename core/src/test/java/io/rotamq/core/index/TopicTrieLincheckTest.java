package io.rotamq.core.index;

import static io.rotamq.core.index.RandomTopics.filter;

import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Every interleaving that a model checker finds of changes and look-ups that split, join and fork
 * the same few nodes looks as though they happened one after another.
 */
@Param(name = "filter", gen = IntGen.class, conf = "0:4")
public class TopicTrieLincheckTest {
    private static final List<TopicFilter> FILTERS =
            List.of(filter("a"), filter("a/b"), filter("a/b/c"), filter("a/d"), filter("a/+"));

    private final TopicTrie<Integer> trie = new TopicTrie<>(1);

    /** Puts others beside, so that there are forks, and one more node moves a table's nodes. */
    public TopicTrieLincheckTest() {
        trie.update(filter("a/x"), old -> -1);
        trie.update(filter("e"), old -> -1);
    }

    @Operation
    public boolean add(@Param(name = "filter") int index) {
        boolean[] added = {false};
        trie.update(
                FILTERS.get(index),
                old -> {
                    added[0] = old == null;
                    return index;
                });
        return added[0];
    }

    @Operation
    public void remove(@Param(name = "filter") int index) {
        trie.update(FILTERS.get(index), old -> null);
    }

    @Operation
    public Integer get(@Param(name = "filter") int index) {
        return trie.get(FILTERS.get(index));
    }

    /** Of a topic that only one filter can match: a match of several is no snapshot. */
    @Operation
    public int match() {
        int[] found = {0};
        trie.match(TopicName.of("a/b/c"), value -> found[0]++);
        return found[0];
    }

    @Test
    void changesAndLookUpsAreLinearizable() {
        new ModelCheckingOptions()
                .iterations(10)
                .invocationsPerIteration(500)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(3)
                .check(TopicTrieLincheckTest.class);
    }
}
