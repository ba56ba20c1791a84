package io.rotamq.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicPatternTest {
    @ParameterizedTest
    @CsvSource({
        "#, a/b, true",
        "#, #, true",
        "#, $SYS/#, false",
        "+/a, $SYS/a, false",
        "$SYS/#, $SYS/a, true",
        "a/#, a, true",
        "a/#, a/+/c, true",
        "a/+, a/b, true",
        "a/+, a/#, false",
        "a/b, a/+, false",
        "a/+/c, a/b/c/d, false",
        "a, a/b, false",
        "+, +, true",
        "a//b, a/+/b, false",
        "a/+/b, a//b, true"
    })
    void covers(String filter, String asked, boolean expected) {
        assertThat(TopicPattern.of(filter).covers(TopicPattern.of(asked))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "secret/#, #, true",
        "secret/#, +/x, true",
        "secret/#, secret, true",
        "secret/#, public/#, false",
        "$SYS/#, #, false",
        "$SYS/#, +/a, false",
        "$SYS/#, $SYS/+, true",
        "a/+/c, a/b/+, true",
        "a/+/c, a/b/d, false",
        "a/b, a/b/c, false",
        "a/b/#, +/b, true",
        "a/+/#, a, false"
    })
    void overlapsWhicheverWayRoundItIsAsked(String one, String other, boolean expected) {
        assertThat(TopicPattern.of(one).overlaps(TopicPattern.of(other))).isEqualTo(expected);
        assertThat(TopicPattern.of(other).overlaps(TopicPattern.of(one))).isEqualTo(expected);
    }

    /**
     * All filters and topics of up to three levels over a small alphabet, against matching itself.
     */
    @Test
    void agreesWithWhatFiltersMatch() {
        List<String> filters = paths(List.of("a", "$b", "+"), true);
        List<TopicName> topics =
                paths(List.of("a", "$b", "c", ""), false).stream()
                        .filter(text -> !text.isEmpty())
                        .map(TopicName::of)
                        .toList();
        for (String one : filters) {
            TopicFilter mine = TopicFilter.parse(one);
            for (String other : filters) {
                TopicFilter theirs = TopicFilter.parse(other);
                boolean covers = true;
                boolean overlaps = false;
                for (TopicName topic : topics) {
                    boolean matched = theirs.matches(topic);
                    covers &= !matched || mine.matches(topic);
                    overlaps |= matched && mine.matches(topic);
                }
                TopicPattern pattern = TopicPattern.of(one);
                assertThat(pattern.covers(TopicPattern.of(other)))
                        .as("%s covers %s", one, other)
                        .isEqualTo(covers);
                assertThat(pattern.overlaps(TopicPattern.of(other)))
                        .as("%s overlaps %s", one, other)
                        .isEqualTo(overlaps);
            }
        }
    }

    private static List<String> paths(List<String> words, boolean filters) {
        List<String> paths = new ArrayList<>();
        List<String> longest = List.of("");
        for (int level = 0; level < (filters ? 2 : 4); level++) {
            List<String> next = new ArrayList<>();
            for (String before : longest) {
                String prefix = level == 0 ? "" : before + "/";
                words.forEach(word -> next.add(prefix + word));
                if (filters) {
                    paths.add(prefix + "#");
                }
            }
            paths.addAll(next);
            longest = next;
        }
        return paths.stream().filter(path -> !path.isEmpty()).toList();
    }
}
