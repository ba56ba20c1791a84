package io.rotamq.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads configurations for tests. */
final class Configurations {
    private Configurations() {}

    static Configuration of(String... assignments) throws ConfigurationException {
        return loaded(assignments).configuration();
    }

    static LoadedConfiguration loaded(String... assignments) throws ConfigurationException {
        List<Assignment> all = Stream.of(assignments).map(Assignment::set).toList();
        return ConfigurationReader.read(null, Map.of(), all);
    }

    static Configuration ofFile(Path directory, String text)
            throws IOException, ConfigurationException {
        return ConfigurationReader.read(write(directory, text), Map.of(), List.of())
                .configuration();
    }

    static Path write(Path directory, String text) throws IOException {
        return Files.writeString(directory.resolve("rotamq.yaml"), text);
    }
}
