package io.rotamq.server.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A setting given on the command line.
 *
 * @param option the option that gave it: {@code --set}, {@code --data}
 * @param key the setting's key; empty when what was typed had none
 * @param value its text
 */
public record Assignment(String option, String key, String value) {

    /** What follows {@code --set}: {@code key=value}. */
    public static Assignment set(String text) {
        int equals = text.indexOf('=');
        return equals < 0
                ? new Assignment("--set", "", text)
                : new Assignment("--set", text.substring(0, equals), text.substring(equals + 1));
    }

    /** What follows {@code --data}. */
    public static Assignment data(String directory) {
        return new Assignment("--data", NodeSettings.DATA.key(), directory);
    }

    /** Of two assignments of one key the later one counts, as users of command lines expect. */
    static Map<Setting<?>, Raw> read(List<Assignment> assignments, Catalogue catalogue)
            throws ConfigurationException {
        Map<Setting<?>, Raw> assigned = new LinkedHashMap<>();
        for (Assignment each : assignments) {
            if (each.key.isEmpty()) {
                throw new ConfigurationException(
                        each.option + " " + each.value + ": not of the form key=value");
            }
            Setting<?> setting = catalogue.find(each.key);
            if (setting == null) {
                throw ConfigurationException.at(
                        new Origin.CommandLine(each.option), each.key, catalogue.unknown(each.key));
            }
            Origin origin = new Origin.CommandLine(each.option);
            assigned.put(setting, new Raw.Scalar(each.key, each.value, origin));
        }
        return assigned;
    }
}
