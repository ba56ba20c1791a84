package io.rotamq.core.index;

import static io.rotamq.core.index.RandomTopics.filter;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TopicTrieOracleTest {
    private static final int SEEDS = 4000;

    @Test
    void findsWhatTryingEveryFilterFinds() {
        for (long seed = 0; seed < SEEDS; seed++) {
            RandomTopics random = new RandomTopics(seed);
            TopicTrie<String> trie = new TopicTrie<>(seed);
            Map<TopicFilter, String> model = new HashMap<>();
            for (int round = 0; round < 3; round++) {
                change(random, trie, model);
                assertSame(seed, random, trie, model);
            }
        }
    }

    @Test
    void isEmptyAgainWhenEveryFilterIsGone() {
        for (long seed = 0; seed < SEEDS; seed++) {
            RandomTopics random = new RandomTopics(seed);
            TopicTrie<String> trie = new TopicTrie<>(seed);
            Map<TopicFilter, String> model = new HashMap<>();
            change(random, trie, model);
            for (TopicFilter filter : model.keySet()) {
                trie.update(filter, value -> null);
                TreeShape.of(trie.tree);
            }
            assertThat(TreeShape.of(trie.tree))
                    .as("seed %d", seed)
                    .isEqualTo(new TreeShape(0, 0, 0));
        }
    }

    @Test
    void keepsThousandsOfFiltersBelowOneParentApartWhileTheyComeAndGo() {
        Random random = new Random(11);
        TopicTrie<String> trie = new TopicTrie<>(11);
        Map<TopicFilter, String> model = new HashMap<>();
        for (int most : List.of(3000, 10_000, 200, 6000, 1100, 20_000, 1)) {
            while (model.size() < most) {
                TopicFilter filter = filter("t/" + random.nextInt(30_000));
                trie.update(filter, old -> filter.toString());
                model.put(filter, filter.toString());
            }
            for (TopicFilter filter : List.copyOf(model.keySet())) {
                if (model.size() > most / 2 + 1) {
                    trie.update(filter, old -> null);
                    model.remove(filter);
                }
            }
            TreeShape.of(trie.tree);
            for (int i = 0; i < 30_000; i++) {
                TopicFilter filter = filter("t/" + i);
                assertThat(trie.get(filter)).isEqualTo(model.get(filter));
            }
        }
        assertThat(TreeShape.of(trie.tree)).isEqualTo(new TreeShape(1, 1, 0));
    }

    private static void change(
            RandomTopics random, TopicTrie<String> trie, Map<TopicFilter, String> model) {
        int changes = random.number(40);
        for (int i = 0; i < changes; i++) {
            TopicFilter filter = random.filter();
            if (random.number(3) == 0) {
                trie.update(filter, value -> null);
                model.remove(filter);
            } else {
                String value = filter + " " + i;
                trie.update(filter, old -> value);
                model.put(filter, value);
            }
        }
    }

    private static void assertSame(
            long seed,
            RandomTopics random,
            TopicTrie<String> trie,
            Map<TopicFilter, String> model) {
        TreeShape shape = TreeShape.of(trie.tree);
        assertThat(shape.nodes()).as("seed %d", seed).isLessThanOrEqualTo(2 * model.size());
        Map<TopicFilter, String> all = new HashMap<>();
        trie.forEach((filter, value) -> assertThat(all.put(filter, value)).isNull());
        assertThat(all).as("seed %d", seed).isEqualTo(model);
        for (int i = 0; i < 20; i++) {
            TopicFilter filter = random.filter();
            assertThat(trie.get(filter))
                    .as("seed %d, %s", seed, filter)
                    .isEqualTo(model.get(filter));
            TopicName topic = random.topic();
            List<String> matching = new ArrayList<>();
            trie.match(topic, matching::add);
            List<String> expected = new ArrayList<>();
            model.forEach(
                    (one, value) -> {
                        if (one.matches(topic)) {
                            expected.add(value);
                        }
                    });
            assertThat(matching)
                    .as("seed %d, topic %s, filters %s", seed, topic, model.keySet())
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }
}
