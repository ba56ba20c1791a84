package io.rotamq.mqtt.topic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubscriptionFilterTest {
    private static SubscriptionFilter parse(String text) {
        SubscriptionFilter parsed = SubscriptionFilter.parse(text);
        assertThat(parsed).as(text).isNotNull();
        return parsed;
    }

    @ParameterizedTest
    @CsvSource({
        "$share/g/t, g, t",
        "$share/g//finance, g, /finance",
        "$share/g/$SYS/#, g, $SYS/#",
        "$share/g/a/+/#, g, a/+/#",
        "$share/$x/t, $x, t",
        "$queue/t, $queue, t",
        "$queue//t, $queue, /t",
        "$share/$queue/t, $queue, t",
        "$share/$share/t, $share, t",
        "$share/g/$shared/t, g, $shared/t"
    })
    @Tag("mqtt5")
    @Tag("X5-4.8.2-g")
    void takesNameAndFilterApart(String text, String name, String filter) {
        SubscriptionFilter parsed = parse(text);
        assertThat(parsed.isShared()).isTrue();
        assertThat(parsed.shareName()).isEqualTo(name);
        assertThat(parsed.filter()).hasToString(filter);
        assertThat(parsed).hasToString("$share/" + name + "/" + filter);
        assertThat(parse(parsed.toString())).isEqualTo(parsed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"t", "a/+/#", "$SYS/#", "$shared/g/t", "$queues/t", "share/g/t", "/$share"})
    void leavesOtherFiltersPlain(String text) {
        SubscriptionFilter parsed = parse(text);
        assertThat(parsed.isShared()).isFalse();
        assertThat(parsed.shareName()).isNull();
        assertThat(parsed).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"$share//t", "$share/", "$share", "$share//", "$queue", "$queue/"})
    @Tag("mqtt5")
    @Tag("MQTT-4.8.2-1")
    void refusesAShareWithoutAName(String text) {
        assertThat(SubscriptionFilter.parse(text)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$share/g+/t",
                "$share/+/t",
                "$share/#/t",
                "$share/g#/t",
                "$share/g",
                "$share/g/",
                "$share/g/a#",
                "$share/g/+a",
                "$queue/a#",
                "$share/g\0/t"
            })
    @Tag("mqtt5")
    @Tag("MQTT-4.8.2-2")
    void refusesABadNameAndABadFilter(String text) {
        assertThat(SubscriptionFilter.parse(text)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$share/g/$share/h/t",
                "$share/g/$queue/t",
                "$queue/$share/g/t",
                "$queue/$queue/t"
            })
    void refusesAShareOfAShare(String text) {
        assertThat(SubscriptionFilter.parse(text)).isNull();
    }

    @Test
    void refusesPlainFiltersThatAreNone() {
        assertThat(SubscriptionFilter.parse("")).isNull();
        assertThat(SubscriptionFilter.parse("a#")).isNull();
    }

    @Test
    void takesTheDeepestShare() {
        String deepest = "/".repeat(65_000);
        assertThat(parse("$share/g/" + deepest).filter()).hasToString(deepest);
    }
}
