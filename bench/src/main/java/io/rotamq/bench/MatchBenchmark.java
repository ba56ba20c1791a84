package io.rotamq.bench;

import io.rotamq.core.index.TopicTrie;
import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Matching a topic against very many filters: seven in ten exact, two with {@code +}, one with
 * {@code #}. A topic matches two or three of them.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class MatchBenchmark {
    private static final int TOPICS = 1 << 16;
    private static final int SITES = 100;

    @Param({"100000", "1000000"})
    int filters;

    private final TopicTrie<Integer> trie = new TopicTrie<>(42);
    private final TopicName[] topics = new TopicName[TOPICS];
    private final Counter counter = new Counter();
    private final TopicFilter subscription = filter("site/7/device/8/telemetry/extra");
    private int next;

    /** What a shard would do with the values, as cheap as can be. */
    private static final class Counter implements Consumer<Integer> {
        private long sum;

        @Override
        public void accept(Integer value) {
            sum += value;
        }
    }

    /** Fills the trie, and picks topics of devices that are all over it. */
    @Setup
    public void fill() {
        Random random = new Random(1);
        for (int i = 0; i < filters; i++) {
            Integer value = i;
            trie.update(filter(text(i)), old -> value);
        }
        for (int i = 0; i < TOPICS; i++) {
            int device = random.nextInt(filters / 10);
            topics[i] = TopicName.of(device(device) + "/telemetry/" + random.nextInt(7));
        }
    }

    /** Ten filters for each device. */
    private static String text(int i) {
        String device = device(i / 10);
        return switch (i % 10) {
            case 7 -> device + "/+/" + i % 70 / 10;
            case 8 -> "site/+/device/" + i / 10 + "/+/" + i % 3;
            case 9 -> device + "/#";
            default -> device + "/telemetry/" + i % 10;
        };
    }

    private static String device(int number) {
        return "site/" + number % SITES + "/device/" + number;
    }

    private static TopicFilter filter(String text) {
        return Objects.requireNonNull(TopicFilter.parse(text), text);
    }

    /** Each time another topic, so that memory is as cold as with as many devices. */
    @Benchmark
    public long matchAnyTopic() {
        next = next + 1 & TOPICS - 1;
        trie.match(topics[next], counter);
        return counter.sum;
    }

    /** The same topic, so that everything is in the processor's cache. */
    @Benchmark
    public long matchOneTopic() {
        trie.match(topics[0], counter);
        return counter.sum;
    }

    /** A subscription that comes and goes. */
    @Benchmark
    public long addAndRemove() {
        trie.update(subscription, old -> 1);
        trie.update(subscription, old -> null);
        return trie.epoch();
    }
}
