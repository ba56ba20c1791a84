package io.rotamq.server.cli;

import io.rotamq.server.config.ConfigurationException;
import io.rotamq.server.config.ConfigurationReader;
import io.rotamq.server.config.LoadedConfiguration;
import io.rotamq.server.security.UsersFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Looks at the configuration without starting anything. */
@Command(name = "config", description = "Checks or shows the configuration.")
final class ConfigCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    private ConfigCommand() {}

    static CommandLine commandLine(Surroundings surroundings) {
        return new CommandLine(new ConfigCommand())
                .addSubcommand(new Check(surroundings))
                .addSubcommand(new Show(surroundings));
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitStatus.USAGE;
    }

    /** Says whether the broker would start with a file. */
    @Command(
            name = "check",
            description = "Checks a configuration file; the environment plays no part.")
    static final class Check implements Callable<Integer> {
        private final Surroundings surroundings;

        @Parameters(paramLabel = "FILE", description = "The configuration file.")
        private Path file = Path.of("rotamq.yaml");

        Check(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() {
            try {
                LoadedConfiguration loaded = ConfigurationReader.read(file, Map.of(), List.of());
                Path users = loaded.configuration().security().usersFile();
                if (users != null) {
                    UsersFile.check(users);
                }
                long count = loaded.settingsSet();
                String settings = count == 1 ? " setting" : " settings";
                surroundings.out().println(file + ": ok, " + count + settings);
                return ExitStatus.OK;
            } catch (ConfigurationException | IOException e) {
                surroundings.complain(e);
                return ExitStatus.USAGE;
            }
        }
    }

    /** Shows what {@code start} with the same options would take. */
    @Command(
            name = "show",
            description = {
                "Shows the value of every setting and where it came from, as a configuration file.",
                "Takes the options and the environment of start."
            })
    static final class Show implements Callable<Integer> {
        private final Surroundings surroundings;

        @Mixin private ConfigurationOptions options = new ConfigurationOptions();

        Show(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() {
            try {
                options.read(surroundings.environment()).lines().forEach(this::print);
                return ExitStatus.OK;
            } catch (ConfigurationException e) {
                surroundings.complain(e);
                return ExitStatus.USAGE;
            }
        }

        private void print(LoadedConfiguration.Line line) {
            String assignment = line.key() + ": " + line.value();
            surroundings.out().printf("%-52s # %s%n", assignment, line.origin());
        }
    }
}
