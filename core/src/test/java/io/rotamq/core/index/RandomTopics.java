package io.rotamq.core.index;

import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.StringJoiner;

/**
 * Topics and filters from a few levels, so that they meet often: empty, long, dollar, several
 * bytes.
 */
final class RandomTopics {
    private static final List<String> LEVELS =
            List.of("", "a", "b", "ab", "$", "$a", "ä", "日本", "𝄞", "0123456789abcdef-01234567");

    private final Random random;
    private final int alphabet;
    private final int deepest;

    RandomTopics(long seed) {
        random = new Random(seed);
        alphabet = 1 + random.nextInt(LEVELS.size());
        deepest = 1 + random.nextInt(6);
    }

    int number(int bound) {
        return random.nextInt(bound);
    }

    TopicName topic() {
        return TopicName.of(text(0));
    }

    TopicFilter filter() {
        return filter(text(4));
    }

    static TopicFilter filter(String text) {
        return Objects.requireNonNull(TopicFilter.parse(text), text);
    }

    private String text(int wildcards) {
        StringJoiner levels = new StringJoiner("/");
        for (int level = random.nextInt(deepest); level >= 0; level--) {
            boolean wildcard = random.nextInt(10) < wildcards;
            levels.add(wildcard ? "+" : LEVELS.get(random.nextInt(alphabet)));
        }
        if (random.nextInt(20) < wildcards) {
            levels.add("#");
        }
        String text = random.nextInt(20) < wildcards / 4 ? "#" : levels.toString();
        return text.isEmpty() ? "/" : text;
    }
}
