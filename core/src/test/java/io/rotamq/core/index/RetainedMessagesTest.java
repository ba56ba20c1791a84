package io.rotamq.core.index;

import static io.rotamq.core.index.RandomTopics.filter;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RetainedMessagesTest {
    private static final int SEEDS = 4000;

    private final RetainedMessages<String> retained = new RetainedMessages<>(1);

    @Test
    void findsWhatTryingEveryTopicFinds() {
        for (long seed = 0; seed < SEEDS; seed++) {
            RandomTopics random = new RandomTopics(seed);
            RetainedMessages<String> messages = new RetainedMessages<>(seed);
            Map<TopicName, String> model = new HashMap<>();
            for (int round = 0; round < 3; round++) {
                change(random, messages, model);
                assertSame(seed, random, messages, model);
            }
            model.keySet().forEach(messages::remove);
            assertThat(TreeShape.of(messages.tree)).isEqualTo(new TreeShape(0, 0, 0));
        }
    }

    private static void change(
            RandomTopics random, RetainedMessages<String> messages, Map<TopicName, String> model) {
        int changes = random.number(40);
        for (int i = 0; i < changes; i++) {
            TopicName topic = random.topic();
            String message = topic + " " + i;
            boolean removal = random.number(3) == 0;
            String old = removal ? messages.remove(topic) : messages.put(topic, message);
            assertThat(old).isEqualTo(model.get(topic));
            model.compute(topic, (key, before) -> removal ? null : message);
        }
    }

    private static void assertSame(
            long seed,
            RandomTopics random,
            RetainedMessages<String> messages,
            Map<TopicName, String> model) {
        assertThat(messages.size()).isEqualTo(model.size());
        assertThat(TreeShape.of(messages.tree).nodes()).isLessThanOrEqualTo(2 * model.size());
        for (int i = 0; i < 20; i++) {
            TopicName topic = random.topic();
            assertThat(messages.get(topic)).isEqualTo(model.get(topic));
            TopicFilter filter = random.filter();
            List<String> expected = new ArrayList<>();
            model.forEach(
                    (one, message) -> {
                        if (filter.matches(one)) {
                            expected.add(message);
                        }
                    });
            List<String> matching = new ArrayList<>();
            messages.match(filter, matching::add);
            assertThat(matching)
                    .as("seed %d, filter %s, topics %s", seed, filter, model.keySet())
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    @Tag("mqtt5")
    @Tag("mqtt311")
    @Tag("MQTT-4.7.2-1")
    void leadingWildcardDoesNotFindTopicsThatBeginWithDollar() {
        put("$SYS/uptime", "up");
        assertThat(match("#")).isEmpty();
        assertThat(match("+/uptime")).isEmpty();
        put("a/$SYS", "a");
        put("$", "dollar");
        assertThat(match("#")).containsExactly("a");
        assertThat(match("+/#")).containsExactly("a");
        assertThat(match("$SYS/#")).containsExactly("up");
        assertThat(match("$SYS/+")).containsExactly("up");
    }

    @Test
    void putReplacesAndTellsWhatItReplaced() {
        assertThat(retained.put(topic("a"), "1")).isNull();
        assertThat(retained.put(topic("a"), "2")).isEqualTo("1");
        assertThat(retained.get(topic("a"))).isEqualTo("2");
        assertThat(retained.size()).isEqualTo(1);
        assertThat(retained.remove(topic("a"))).isEqualTo("2");
        assertThat(retained.remove(topic("a"))).isNull();
        assertThat(retained.size()).isZero();
    }

    @Test
    void conditionalRemovalSparesAMessageThatCameLater() {
        String first = new String("same");
        String second = new String("same");
        retained.put(topic("a"), first);
        retained.put(topic("a"), second);
        assertThat(retained.remove(topic("a"), first)).isFalse();
        assertThat(retained.get(topic("a"))).isSameAs(second);
        assertThat(retained.remove(topic("a"), second)).isTrue();
        assertThat(retained.remove(topic("a"), second)).isFalse();
        assertThat(retained.remove(topic("b"), second)).isFalse();
    }

    @Test
    void topicsMayHaveAsManyLevelsAsFitIn() {
        String slashes = "/".repeat(65_535);
        put(slashes, "slashes");
        put("a/".repeat(32_767), "letters");
        assertThat(match("#")).hasSize(2);
        assertThat(match("+/".repeat(32_767) + "#")).hasSize(2);
        assertThat(match("+/".repeat(32_767) + "+")).containsExactly("letters");
        assertThat(match(slashes)).containsExactly("slashes");
        assertThat(match("+/".repeat(32_766) + "+")).isEmpty();
    }

    @Test
    void replayGoesOnWhereItStopped() {
        for (int i = 0; i < 1000; i++) {
            put("t/" + i, "m" + i);
        }
        Replay<String> replay = retained.replay(filter("#"));
        List<String> all = new ArrayList<>();
        while (!replay.done()) {
            List<String> portion = new ArrayList<>();
            int messages = replay.advance(20, 50, portion::add);
            assertThat(portion).hasSize(messages).hasSizeLessThanOrEqualTo(20);
            all.addAll(portion);
        }
        assertThat(all).hasSize(1000).doesNotHaveDuplicates();
        assertThat(replay.advance(20, 50, all::add)).isZero();
    }

    @Test
    void replayThatFindsNothingStillStopsAfterItsSteps() {
        for (int i = 0; i < 1000; i++) {
            put(i + "/x", "m" + i);
        }
        Replay<String> replay = retained.replay(filter("+/y"));
        int calls = 0;
        for (; !replay.done(); calls++) {
            assertThat(replay.advance(10, 100, message -> {})).isZero();
        }
        assertThat(calls).isBetween(10, 100);
    }

    /** Else the last value that a subscriber sees could be an outdated one. */
    @Test
    void restingReplayHandsOverThePresentMessagesHoweverTheTreeChanged() {
        for (int i = 0; i < 100; i++) {
            put("t/" + i + "/a", "old");
            put("t/" + i + "/b", "gone");
        }
        Replay<String> replay = retained.replay(filter("t/#"));
        replay.advance(1, Integer.MAX_VALUE, message -> {});
        for (int i = 0; i < 100; i++) {
            retained.remove(topic("t/" + i + "/b"));
            put("t/" + i, "not there from the beginning");
            put("t/" + i + "/a/deeper", "nor this");
            retained.remove(topic("t/" + i));
            retained.remove(topic("t/" + i + "/a/deeper"));
            put("t/" + i + "/a", "new");
        }
        List<String> rest = new ArrayList<>();
        replay.advance(Integer.MAX_VALUE, Integer.MAX_VALUE, rest::add);
        assertThat(rest).hasSizeBetween(99, 100).containsOnly("new");
    }

    /** Case C67: expired messages go although nobody asks for them. */
    @Test
    void purgeRemovesTheUnwantedInSmallSteps() {
        for (int i = 0; i < 10_000; i++) {
            put("$t/" + i % 100 + "/" + i, i % 10 == 0 ? "keep" : "go");
        }
        int removed = 0;
        for (int call = 0; call < 10_000 && removed < 9000; call++) {
            int now = retained.purge(10, "go"::equals);
            assertThat(now).isLessThanOrEqualTo(10);
            removed += now;
        }
        assertThat(removed).isEqualTo(9000);
        assertThat(retained.size()).isEqualTo(1000);
        assertThat(match("$t/#")).hasSize(1000).containsOnly("keep");
        TreeShape shape = TreeShape.of(retained.tree);
        assertThat(shape.slots()).isLessThanOrEqualTo(100 * 8 * 10);
    }

    @Test
    void purgeBeginsAnewAfterTheLastMessage() {
        put("a", "keep");
        assertThat(retained.purge(100, "go"::equals)).isZero();
        put("a", "go");
        put("b", "go");
        assertThat(retained.purge(100, "go"::equals)).isEqualTo(2);
        assertThat(retained.purge(100, "go"::equals)).isZero();
        assertThat(TreeShape.of(retained.tree).nodes()).isZero();
    }

    @Test
    void purgeSparesAMessageThatCameWhileTheOldOneWasJudged() {
        put("a", "go");
        int removed =
                retained.purge(
                        100,
                        message -> {
                            put("a", "new");
                            return message.equals("go");
                        });
        assertThat(removed).isZero();
        assertThat(retained.get(topic("a"))).isEqualTo("new");
    }

    @Test
    @Timeout(60)
    void veryManyMessagesOfUniqueTopicsComeAndGoQuickly() {
        for (int i = 0; i < 100_000; i++) {
            put("devices/" + i + "/state", "go");
        }
        while (retained.size() > 0) {
            retained.purge(10_000, message -> true);
        }
        assertThat(TreeShape.of(retained.tree)).isEqualTo(new TreeShape(0, 0, 0));
    }

    private void put(String topic, String message) {
        retained.put(topic(topic), message);
    }

    private List<String> match(String filter) {
        List<String> messages = new ArrayList<>();
        retained.match(filter(filter), messages::add);
        return messages;
    }

    private static TopicName topic(String text) {
        return TopicName.of(text);
    }
}
