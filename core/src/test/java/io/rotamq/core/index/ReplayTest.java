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
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ReplayTest {
    private static final int SEEDS = 4000;

    /** A message knows its topic, so that a test sees what it was handed. */
    private record Message(TopicName topic, int number) {}

    private final RetainedMessages<Message> retained = new RetainedMessages<>(1);

    @Test
    void passesWhatStaysOnceAndOnlyWhatIsThereAmidAnyChanges() {
        for (long seed = 0; seed < SEEDS; seed++) {
            new Interleaving(seed).run();
        }
    }

    /** Steps of one replay and changes, in an order that the seed decides. */
    private static final class Interleaving {
        private final long seed;
        private final RandomTopics random;
        private final RetainedMessages<Message> messages;
        private final Map<TopicName, Message> model = new HashMap<>();
        private final Set<TopicName> touched = new HashSet<>();
        private final Map<TopicName, Integer> passed = new HashMap<>();
        private int number;

        Interleaving(long seed) {
            this.seed = seed;
            random = new RandomTopics(seed);
            messages = new RetainedMessages<>(seed);
        }

        void run() {
            change(random.number(60));
            touched.clear();
            TopicFilter filter = random.filter();
            Replay<Message> replay = messages.replay(filter);
            while (!replay.done()) {
                replay.advance(1, 1 + random.number(3), this::pass);
                change(random.number(4));
            }
            for (TopicName topic : model.keySet()) {
                if (!touched.contains(topic)) {
                    assertThat(passed.getOrDefault(topic, 0))
                            .as("seed %d, filter %s, topic %s", seed, filter, topic)
                            .isEqualTo(filter.matches(topic) ? 1 : 0);
                }
            }
        }

        private void pass(Message message) {
            assertThat(message).as("seed %d", seed).isSameAs(model.get(message.topic));
            passed.merge(message.topic, 1, Integer::sum);
        }

        /** A topic whose message is replaced stays; one that loses it, or had none, does not. */
        private void change(int changes) {
            for (int i = 0; i < changes; i++) {
                TopicName topic = random.topic();
                if (random.number(3) == 0) {
                    messages.remove(topic);
                    model.remove(topic);
                    touched.add(topic);
                } else {
                    Message message = new Message(topic, number++);
                    messages.put(topic, message);
                    if (model.put(topic, message) == null) {
                        touched.add(topic);
                    }
                }
            }
        }
    }

    /** So many that tables split and merge under the replay. */
    @Test
    void passesWhatStaysOnceAmidThousandsOfTopicsThatComeAndGo() {
        for (int seed = 0; seed < 20; seed++) {
            RandomTopics random = new RandomTopics(seed);
            RetainedMessages<Message> messages = new RetainedMessages<>(seed);
            int topics = 1500 + 300 * seed;
            put(messages, topics, number -> scattered(number) % 3 != 0 || number % 5 == 0);
            Replay<Message> replay = messages.replay(filter("t/+"));
            Map<TopicName, Integer> passed = new HashMap<>();
            while (!replay.done()) {
                replay.advance(1000, 1000, message -> passed.merge(message.topic, 1, Integer::sum));
                int removed = random.number(3);
                put(
                        messages,
                        topics,
                        number -> scattered(number) % 3 != removed || number % 5 == 0);
            }
            for (int number = 0; number < topics; number += 5) {
                assertThat(passed.get(topic(number))).as("seed %d, %d", seed, number).isEqualTo(1);
            }
            put(messages, topics, number -> number == 5);
            assertThat(TreeShape.of(messages.tree)).isEqualTo(new TreeShape(1, 1, 0));
        }
    }

    /** So many more that the table which the replay is in becomes two. */
    @Test
    void passesWhatStaysOnceAmidThousandsOfTopicsThatJoin() {
        for (int seed = 0; seed < 50; seed++) {
            RetainedMessages<Message> messages = new RetainedMessages<>(seed);
            int lasting = 1100 + 60 * seed;
            put(messages, lasting, number -> true);
            Replay<Message> replay = messages.replay(filter("t/+"));
            Map<TopicName, Integer> passed = new HashMap<>();
            for (int topics = lasting; !replay.done(); topics += 100) {
                replay.advance(100, 100, message -> passed.merge(message.topic, 1, Integer::sum));
                for (int number = topics; number < topics + 100; number++) {
                    messages.put(topic(number), new Message(topic(number), number));
                }
            }
            for (int number = 0; number < lasting; number++) {
                assertThat(passed.get(topic(number))).as("seed %d, %d", seed, number).isEqualTo(1);
            }
        }
    }

    private static int scattered(int number) {
        return (number * 0x9E37_79B9) >>> 16;
    }

    private static TopicName topic(int number) {
        return TopicName.of("t/" + number);
    }

    private static void put(RetainedMessages<Message> messages, int topics, IntPredicate stays) {
        for (int number = 0; number < topics; number++) {
            TopicName topic = topic(number);
            if (stays.test(number)) {
                messages.put(topic, new Message(topic, number));
            } else {
                messages.remove(topic);
            }
        }
    }

    @Test
    @Timeout(60)
    void passesWhatStaysOnceWhileAnotherThreadChangesAllElse() throws Exception {
        List<TopicName> lasting = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            lasting.add(TopicName.of("t/" + i % 50 + "/" + i));
        }
        lasting.forEach(topic -> retained.put(topic, new Message(topic, 0)));
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            Future<Integer> replays = thread.submit(() -> replayUntilEnough(lasting));
            for (int i = 0; !replays.isDone(); i++) {
                TopicName upper = TopicName.of("t/" + i % 60);
                TopicName deeper = TopicName.of("t/" + i % 50 + "/" + i % 700 + "/" + i % 3);
                retained.put(upper, new Message(upper, i));
                retained.put(deeper, new Message(deeper, i));
                retained.put(lasting.get(i % 500), new Message(lasting.get(i % 500), i));
                retained.remove(i % 2 == 0 ? upper : deeper);
            }
            assertThat(replays.get()).isEqualTo(3000);
        }
    }

    private int replayUntilEnough(List<TopicName> lasting) {
        int rounds = 0;
        for (; rounds < 3000; rounds++) {
            List<TopicName> found = new ArrayList<>();
            retained.match(filter("t/+/+"), message -> found.add(message.topic));
            assertThat(found).hasSize(lasting.size());
            assertThat(new HashSet<>(found)).hasSize(lasting.size());
        }
        return rounds;
    }
}
