package io.rotamq.server.config;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One line of the table of settings, and the only place where the setting is described.
 *
 * @param key dotted and in kebab-case, as in {@code rotamq.yaml}
 * @param kind the type of the value
 * @param defaultText the default, written as an operator would; empty for "not set"
 * @param fallback the setting whose value serves as default, if any; then defaultText is unused
 * @param doc one or two sentences for the reference page
 */
record Setting<T>(
        String key, Kind<T> kind, String defaultText, @Nullable Setting<T> fallback, String doc) {

    static <T> Setting<T> of(String key, Kind<T> kind, String defaultText, String doc) {
        return new Setting<>(key, kind, defaultText, null, doc);
    }

    /** A setting that takes the value of another one while it is not set itself. */
    static <T> Setting<T> like(Setting<T> fallback, String key, String doc) {
        return new Setting<>(key, fallback.kind(), "", fallback, doc);
    }

    /** The name of the environment variable that sets it: {@code ROTAMQ_MQTT_PORT}. */
    String variable() {
        return EnvironmentVariables.PREFIX
                + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    // Settings are constants: two of them are the same only if they are the same object.

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }
}
