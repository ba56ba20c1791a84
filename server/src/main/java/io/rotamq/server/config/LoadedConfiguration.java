package io.rotamq.server.config;

import java.util.List;

/**
 * A configuration, and where each of its values came from.
 *
 * @param lines all settings, in the order of the reference page
 */
public record LoadedConfiguration(Configuration configuration, List<Line> lines) {
    public LoadedConfiguration {
        lines = List.copyOf(lines);
    }

    /**
     * One setting for people to read; secrets are masked.
     *
     * @param value as it stands in a configuration file
     * @param origin {@code default}, {@code rotamq.yaml:12}, a variable or an option
     * @param set whether somebody set it
     */
    public record Line(String key, String value, String origin, boolean set) {}

    /** The number of settings that somebody set. */
    public long settingsSet() {
        return lines.stream().filter(Line::set).count();
    }
}
