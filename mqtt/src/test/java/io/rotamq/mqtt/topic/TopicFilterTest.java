package io.rotamq.mqtt.topic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicFilterTest {
    private static TopicFilter filter(String text) {
        TopicFilter filter = TopicFilter.parse(text);
        assertThat(filter).as(text).isNotNull();
        return filter;
    }

    private static boolean matches(String filter, String topic) {
        return filter(filter).matches(TopicName.of(topic));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a#", "a/#/b", "#/a", "a/b#", "##", "a/##", "#abc", "/#/"})
    @Tag("mqtt5")
    @Tag("MQTT-4.7.1-1")
    void refusesAHashThatIsNotALastLevel(String text) {
        assertThat(TopicFilter.parse(text)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a+", "+a/b", "a/b+", "sport+/x", "++", "+#", "a/+b/c", "#+"})
    @Tag("mqtt5")
    @Tag("MQTT-4.7.1-2")
    void refusesAPlusThatIsNotALevel(String text) {
        assertThat(TopicFilter.parse(text)).isNull();
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-4.7.3-1")
    void refusesAnEmptyFilter() {
        assertThat(TopicFilter.parse("")).isNull();
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-4.7.3-2")
    void refusesNul() {
        assertThat(TopicFilter.parse("a\0")).isNull();
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-4.7.3-3")
    void isAtMost65535BytesLong() {
        assertThat(TopicFilter.parse("\u00e9".repeat(32_767) + "a")).isNotNull();
        assertThat(TopicFilter.parse("\u00e9".repeat(32_768))).isNull();
    }

    @Test
    void refusesALoneSurrogate() {
        assertThat(TopicFilter.parse("a\ud83d")).isNull();
        assertThat(TopicFilter.parse("\ude00a")).isNull();
        assertThat(TopicFilter.parse("\ud83d\ude00")).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#", "a/#", "+", "+/a", "a/+/c", "+/+/#", "/", "//", "/#", "/+", "+/", "a b", "$x"
            })
    void acceptsWildcardsInTheirPlaces(String text) {
        assertThat(filter(text)).hasToString(text);
        assertThat(filter(text).hasWildcard()).isEqualTo(text.contains("+") || text.contains("#"));
    }

    @ParameterizedTest
    @CsvSource({
        "sport/#, sport, true",
        "sport/#, sport/, true",
        "sport/#, sport/a/b, true",
        "sport/#, sports, false",
        "sport/#, spor, false",
        "+/#, a, true",
        "+/#, /, true",
        "a/+/#, a, false",
        "a/+/#, a/b, true",
        "a/+/#, a/, true",
        "#, /, true",
        "/#, /, true",
        "/#, a, false",
        "//#, /, true",
        "//#, //, true"
    })
    @Tag("mqtt5")
    @Tag("X5-4.7.1-a")
    void matchesTheParentOfAHashToo(String filter, String topic, boolean matches) {
        assertThat(matches(filter, topic)).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource({
        "sport/+, sport/, true",
        "sport/+, sport, false",
        "sport/+, sport/a, true",
        "sport/+, sport/a/, false",
        "sport/+, sport/a/b, false",
        "+/+, /finance, true",
        "/+, /finance, true",
        "+, /finance, false",
        "+, finance, true",
        "+/+, a, false",
        "a/+/c, a/b/c, true",
        "a/+/c, a//c, true",
        "a/+/c, a/b/d, false",
        "a/+/c, a/b/cc, false",
        "a/+/c, a/b, false"
    })
    @Tag("mqtt5")
    @Tag("X5-4.7.1-b")
    void matchesExactlyOneLevelWithAPlus(String filter, String topic, boolean matches) {
        assertThat(matches(filter, topic)).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource({
        "#, $SYS/x, false",
        "+/#, $SYS/x, false",
        "+/x, $SYS/x, false",
        "$SYS/#, $SYS/x, true",
        "$SYS/+, $SYS/x, true",
        "#, a/$SYS, true",
        "a/+, a/$SYS, true"
    })
    @Tag("mqtt5")
    @Tag("MQTT-4.7.2-1")
    void passesDollarTopicsOverWhenItBeginsWithAWildcard(
            String filter, String topic, boolean matches) {
        assertThat(matches(filter, topic)).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource({"Accounts, ACCOUNTS", "a//b, a/b", "/a, a", "\u00e9, e\u0301", "a, a/", "ab, a"})
    @Tag("mqtt5")
    @Tag("MQTT-4.7.3-4")
    void comparesByteByByte(String filter, String topic) {
        assertThat(matches(filter, topic)).isFalse();
        assertThat(matches(topic, filter)).isFalse();
        assertThat(matches(filter, filter)).isTrue();
        assertThat(filter(filter)).isNotEqualTo(filter(topic)).isEqualTo(filter(filter));
    }

    @Test
    void walksOverTheDeepestFilterWithoutRecursion() {
        String deep = "+/".repeat(32_767) + "#";
        assertThat(matches(deep, "/".repeat(65_535))).isTrue();
        assertThat(matches("/".repeat(65_535), "/".repeat(65_535))).isTrue();
        assertThat(filter(deep).levels()).hasSize(32_768);
        assertThat(filter("/".repeat(65_535)).levels()).hasSize(65_536);
    }

    @Test
    void givesItsLevelsInOrder() {
        assertThat(filter("a//+/#").levels()).containsExactly("a", "", "+", "#");
        assertThat(filter("/").levels()).containsExactly("", "");
        assertThat(filter("a").levels()).containsExactly("a");
    }

    @Test
    void givesItsBytes() {
        TopicFilter filter = filter("\u00e9/+");
        assertThat(filter.length()).isEqualTo(4);
        assertThat(filter.byteAt(2)).isEqualTo((byte) '/');
        assertThat(filter.toUtf8()).containsExactly(0xC3, 0xA9, '/', '+');
        assertThat(filter.hashCode()).isEqualTo(filter("\u00e9/+").hashCode());
    }
}
