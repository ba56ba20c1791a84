package io.rotamq.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobTest {
    @ParameterizedTest
    @CsvSource({
        "*, '', true",
        "*, a/b, true",
        "a, a, true",
        "a, ab, false",
        "a, '', false",
        "a*, a, true",
        "a*, abc, true",
        "*c, abc, true",
        "*c, abd, false",
        "a*c, abcbc, true",
        "a*b*c, axxbyyc, true",
        "a*b*c, acb, false",
        "factory/*, factory/+/temperature, true",
        "factory/*, factory, false",
        "f.o, fxo, false",
        "**a**, bab, true"
    })
    void matches(String pattern, String name, boolean expected) {
        assertThat(new Glob(pattern).matches(name)).isEqualTo(expected);
    }

    @Test
    void staysFastOnPatternsThatLookLikeWork() {
        String name = "a".repeat(20_000) + "b";
        Glob glob = new Glob("*a".repeat(20) + "*c");

        assertThat(
                        org.junit.jupiter.api.Assertions.assertTimeout(
                                Duration.ofSeconds(5), () -> glob.matches(name)))
                .isFalse();
    }
}
