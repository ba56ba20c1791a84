package io.rotamq.server.config;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the configuration from all the places that can set something: the file, then the
 * environment, then the command line, of which the later ones win.
 */
public final class ConfigurationReader {
    private ConfigurationReader() {}

    /**
     * Reads and checks.
     *
     * @param file the configuration file; null: none
     * @param environment the variables of the process
     * @param commandLine what options assigned
     * @throws ConfigurationException for the first thing that is wrong
     */
    public static LoadedConfiguration read(
            @Nullable Path file, Map<String, String> environment, List<Assignment> commandLine)
            throws ConfigurationException {
        Map<Setting<?>, Raw> assigned = new HashMap<>();
        if (file != null) {
            assigned.putAll(YamlFile.read(file, Settings.CATALOGUE));
        }
        assigned.putAll(EnvironmentVariables.read(environment, Settings.CATALOGUE));
        assigned.putAll(Assignment.read(commandLine, Settings.CATALOGUE));
        return loaded(Values.of(assigned));
    }

    private static LoadedConfiguration loaded(Values values) throws ConfigurationException {
        Configuration configuration = Configuration.of(values);
        Consistency.check(configuration, values);
        List<LoadedConfiguration.Line> lines =
                Settings.ALL.stream().map(setting -> line(setting, values)).toList();
        return new LoadedConfiguration(configuration, lines);
    }

    private static <T> LoadedConfiguration.Line line(Setting<T> setting, Values values) {
        return new LoadedConfiguration.Line(
                setting.key(),
                setting.kind().yaml(values.get(setting)),
                values.origin(setting).describe(),
                values.isSet(setting));
    }
}
