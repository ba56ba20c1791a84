package io.rotamq.server.config;

import java.util.List;

/**
 * The log, which goes to standard error.
 *
 * @param level the least important messages that are logged
 * @param format how a message is written
 */
public record LogSettings(Level level, Format format) {

    /** From the least to the most important. */
    public enum Level {
        TRACE,
        DEBUG,
        INFO,
        WARN,
        ERROR
    }

    /** How a message is written. */
    public enum Format {
        /** A line for people. */
        TEXT,
        /** A JSON object on a line, for collectors. */
        JSON
    }

    static final Setting<Level> LEVEL =
            Setting.of(
                    "log.level",
                    Kinds.choice(Level.class),
                    "info",
                    "The least important messages that are logged.");
    static final Setting<Format> FORMAT =
            Setting.of(
                    "log.format",
                    Kinds.choice(Format.class),
                    "text",
                    "`text`: a line for people. `json`: a JSON object on a line.");

    static final Section SECTION =
            new Section("Log", "The log goes to standard error.", List.of(LEVEL, FORMAT));

    static LogSettings of(Values values) {
        return new LogSettings(values.get(LEVEL), values.get(FORMAT));
    }
}
