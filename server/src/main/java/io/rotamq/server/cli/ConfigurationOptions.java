package io.rotamq.server.cli;

import io.rotamq.server.config.Assignment;
import io.rotamq.server.config.ConfigurationException;
import io.rotamq.server.config.ConfigurationReader;
import io.rotamq.server.config.LoadedConfiguration;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options with which a command takes its configuration. */
final class ConfigurationOptions {
    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "The configuration file (rotamq.yaml). Without it: defaults only.")
    private @Nullable Path file;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "The directory for what outlives the process; the same as node.data.")
    private @Nullable String data;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "A setting; overrides file and environment. Can be repeated.")
    private List<String> assignments = new ArrayList<>();

    LoadedConfiguration read(Map<String, String> environment) throws ConfigurationException {
        List<Assignment> all = new ArrayList<>();
        if (data != null) {
            all.add(Assignment.data(data));
        }
        assignments.forEach(text -> all.add(Assignment.set(text)));
        return ConfigurationReader.read(file, environment, all);
    }
}
