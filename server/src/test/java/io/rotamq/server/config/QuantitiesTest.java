package io.rotamq.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantitiesTest {
    private static final Path HERE = Path.of("");

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "1000, 1000, 1000",
        "1024, 1024, 1KiB",
        "64KiB, 65536, 64KiB",
        "1536KiB, 1572864, 1536KiB",
        "2048 KiB, 2097152, 2MiB",
        "3GiB, 3221225472, 3GiB"
    })
    void readsSizesAndShowsThemInTheLargestUnitThatFits(String text, long bytes, String shown)
            throws Exception {
        Kind<Long> size = Quantities.size(0, Long.MAX_VALUE);

        assertThat(size.parse(text, HERE)).isEqualTo(bytes);
        assertThat(size.show(bytes)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0s",
        "30, 30000, 30s",
        "250ms, 250, 250ms",
        "90s, 90000, 90s",
        "120s, 120000, 2m",
        "24h, 86400000, 1d"
    })
    void readsDurationsAndShowsThemInTheLargestUnitThatFits(String text, long millis, String shown)
            throws Exception {
        Kind<Duration> span = Quantities.span(Duration.ZERO, Duration.ofDays(10));

        assertThat(span.parse(text, HERE)).isEqualTo(Duration.ofMillis(millis));
        assertThat(span.show(Duration.ofMillis(millis))).isEqualTo(shown);
    }

    @Test
    void takesAShareOfTheHeapWithinTheRange() throws Exception {
        long heap = Runtime.getRuntime().maxMemory();

        assertThat(Quantities.sizeOrShareOfHeap(0, Long.MAX_VALUE).parse("25%", HERE))
                .isCloseTo(heap / 4, org.assertj.core.data.Percentage.withPercentage(1));
        assertThat(Quantities.sizeOrShareOfHeap(0, 10).parse("25%", HERE)).isEqualTo(10);
    }
}
