package io.rotamq.core.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyFilterTest {
    @ParameterizedTest
    @CsvSource({
        "payment, payment, true",
        "payment, payments, false",
        "payment, paymen, false",
        "ship*, ship, true",
        "ship*, shipping, true",
        "ship*, Ship, false",
        "*ping, shipping, true",
        "*ping, shippings, false",
        "a*b*c, aXbYbZc, true",
        "a*b*c, aXcYb, false",
        "a**c, ac, true",
        "eu-west-?, eu-west-1, true",
        "eu-west-?, eu-west-, false",
        "eu-west-?, eu-west-12, false",
        "?, '', false",
        "*, '', true",
        "'', '', true",
        "'', a, false",
        "?, 😀, true",
        "??, 😀, false",
        "*?, 😀, true",
        "a.c, abc, false",
        "[ab], a, false",
    })
    void matchesAsAGlob(String glob, String key, boolean expected) {
        assertThat(KeyFilter.of(List.of(glob)).matches(key)).isEqualTo(expected);
    }

    @Test
    void takesWhatAnyOfItsGlobsTakes() {
        KeyFilter filter = KeyFilter.of(List.of("a*", "b?"));
        assertThat(filter.matches("abc")).isTrue();
        assertThat(filter.matches("bc")).isTrue();
        assertThat(filter.matches("c")).isFalse();
        assertThat(filter).hasToString("a*, b?");
    }

    @Test
    void takesEveryKeyWithoutGlobs() {
        assertThat(KeyFilter.of(List.of()).matches("x")).isTrue();
        assertThat(KeyFilter.of(List.of("x", "*"))).isSameAs(KeyFilter.EVERY_KEY);
    }

    @Test
    void isNotMadeSlowByManyStars() {
        KeyFilter filter = KeyFilter.of(List.of("*a".repeat(1_000) + "b"));
        assertThat(filter.matches("a".repeat(20_000))).isFalse();
    }
}
