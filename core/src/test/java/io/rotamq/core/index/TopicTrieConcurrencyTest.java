package io.rotamq.core.index;

import static io.rotamq.core.index.RandomTopics.filter;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TopicTrieConcurrencyTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final TopicTrie<String> trie = new TopicTrie<>(7);

    /** What the writers have promised: behind the return of an update. */
    private volatile int promised;

    private volatile boolean over;

    @AfterEach
    void stopThreads() {
        over = true;
        threads.shutdownNow();
    }

    /** Filters lie so that the others split, join, fork, and rebuild everything around them. */
    @Test
    void readersAlwaysFindOnceWhatStaysWhileAllElseComesAndGoes() throws Exception {
        List<String> lasting = List.of("a/b/c/d", "a/+/c/d", "a/b/#", "#", "a/b/c/+", "+/b/+/d");
        lasting.forEach(this::add);
        TopicName topic = TopicName.of("a/b/c/d");
        Future<Integer> reader = threads.submit(() -> readUntilOver(topic, lasting));
        Future<Integer> another = threads.submit(() -> readUntilOver(topic, lasting));
        churn(150_000);
        over = true;
        assertThat(reader.get()).isPositive();
        assertThat(another.get()).isPositive();
        assertThat(TreeShape.of(trie.tree).values()).isGreaterThanOrEqualTo(lasting.size());
    }

    private int readUntilOver(TopicName topic, List<String> lasting) {
        int rounds = 0;
        for (boolean last = false; !last; rounds++) {
            last = over;
            List<String> found = new ArrayList<>();
            trie.match(topic, found::add);
            assertThat(new HashSet<>(found)).hasSameSizeAs(found).containsAll(lasting);
            found.forEach(text -> assertThat(filter(text).matches(topic)).isTrue());
        }
        return rounds;
    }

    private void churn(int changes) {
        Random random = new Random(3);
        List<String> levels = List.of("a", "b", "c", "d", "+", "x", "y", "z", "#");
        for (int i = 0; i < changes; i++) {
            List<String> text = new ArrayList<>();
            for (int level = random.nextInt(5); level >= 0; level--) {
                text.add(levels.get(random.nextInt(level == 0 ? 9 : 8)));
            }
            String key =
                    random.nextInt(3) == 0 ? "a/b/" + random.nextInt(100) : String.join("/", text);
            boolean lasts = key.equals("a/b/c/d") || key.contains("+") || key.contains("#");
            TopicFilter filter = filter(key);
            trie.update(filter, old -> old == null ? key : lasts ? old : null);
        }
    }

    /**
     * A cached result never misses a change whose update had returned before the epoch was read.
     */
    @Test
    void cachedResultsOfTheSameEpochMissNoPromisedChange() throws Exception {
        TopicTrie<Integer> numbers = new TopicTrie<>(1);
        TopicName topic = TopicName.of("a/b");
        int changes = 300_000;
        Callable<Integer> caching =
                () -> {
                    int hits = 0;
                    long cachedEpoch = -1;
                    int[] cached = {0};
                    while (promised < changes) {
                        int due = promised;
                        long epoch = numbers.epoch();
                        if (epoch == cachedEpoch) {
                            hits++;
                        } else {
                            numbers.match(topic, value -> cached[0] = value);
                            cachedEpoch = epoch;
                        }
                        assertThat(cached[0]).isGreaterThanOrEqualTo(due);
                    }
                    return hits;
                };
        Future<Integer> reader = threads.submit(caching);
        Future<Integer> another = threads.submit(caching);
        for (int i = 1; i <= changes; i++) {
            int value = i;
            numbers.update(filter("a/+"), old -> value);
            promised = value;
        }
        reader.get();
        another.get();
    }

    /** Case C06: first subscriptions on a branch that nobody knew, at the same instant. */
    @Test
    void simultaneousFirstFiltersOnANewBranchAreAllKept() throws Exception {
        int writers = 4;
        int rounds = 2000;
        CyclicBarrier start = new CyclicBarrier(writers);
        List<Future<?>> running = new ArrayList<>();
        for (int writer = 0; writer < writers; writer++) {
            String own = writer % 2 == 0 ? "/x/" + writer : "/+/" + writer;
            running.add(
                    threads.submit(
                            () -> {
                                for (int round = 0; round < rounds; round++) {
                                    start.await();
                                    add("new/" + round + own);
                                    remove("new/" + (round - 1) + own);
                                    assertThat(trie.get(filter("new/" + round + own))).isNotNull();
                                }
                                return null;
                            }));
        }
        for (Future<?> writer : running) {
            writer.get();
        }
        assertThat(trie.size()).isEqualTo(writers);
        assertThat(TreeShape.of(trie.tree).values()).isEqualTo(writers);
        AtomicInteger matched = new AtomicInteger();
        trie.match(
                TopicName.of("new/" + (rounds - 1) + "/x/0"), value -> matched.incrementAndGet());
        assertThat(matched.get()).isEqualTo(1);
    }

    @Test
    void writersOfDisjointFiltersAgreeWithTheirModels() throws Exception {
        List<Future<Map<TopicFilter, String>>> running = new ArrayList<>();
        for (int writer = 0; writer < 3; writer++) {
            String own = "/" + writer;
            long seed = writer;
            running.add(threads.submit(() -> writeOwn(new RandomTopics(seed), own)));
        }
        Map<TopicFilter, String> expected = new HashMap<>();
        for (Future<Map<TopicFilter, String>> writer : running) {
            expected.putAll(writer.get());
        }
        Map<TopicFilter, String> all = new HashMap<>();
        trie.forEach(all::put);
        assertThat(all).isEqualTo(expected);
        assertThat(TreeShape.of(trie.tree).values()).isEqualTo(expected.size());
    }

    private Map<TopicFilter, String> writeOwn(RandomTopics random, String own) {
        Map<TopicFilter, String> model = new HashMap<>();
        for (int i = 0; i < 30_000; i++) {
            TopicFilter filter = filter(random.topic() + own);
            String value = random.number(2) == 0 ? null : "value " + i;
            trie.update(
                    filter,
                    old -> {
                        assertThat(old).isEqualTo(model.get(filter));
                        return value;
                    });
            model.compute(filter, (key, old) -> value);
            assertThat(trie.get(filter)).isEqualTo(value);
        }
        return model;
    }

    private void add(String text) {
        trie.update(filter(text), old -> text);
    }

    private void remove(String text) {
        trie.update(filter(text), old -> null);
    }
}
