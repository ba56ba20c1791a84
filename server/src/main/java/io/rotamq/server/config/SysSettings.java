package io.rotamq.server.config;

import java.time.Duration;
import java.util.List;

/**
 * The broker's own topics, below {@code $SYS}.
 *
 * @param interval between two publications; zero: there are none
 */
public record SysSettings(Duration interval) {
    static final Setting<Duration> INTERVAL =
            Setting.of(
                    "sys.interval",
                    Quantities.span(Duration.ZERO, Duration.ofHours(1)),
                    "10s",
                    "How often the topics below `$SYS` are published. 0: never.");

    static final Section SECTION = new Section("$SYS topics", "", List.of(INTERVAL));

    static SysSettings of(Values values) {
        return new SysSettings(values.get(INTERVAL));
    }
}
