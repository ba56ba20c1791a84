package io.rotamq.server.cli;

import io.rotamq.core.port.StoreException;
import io.rotamq.server.config.ConfigurationException;
import io.rotamq.storage.Backup;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Makes of a backup what a broker starts on. */
@Command(
        name = "restore",
        description = {
            "Copies a backup into the configured data directory, for a broker that does not run.",
            "Nothing is overwritten: a data directory that holds a store is refused."
        })
final class RestoreCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Mixin private ConfigurationOptions options = new ConfigurationOptions();

    @Parameters(index = "0", paramLabel = "FROM", description = "What rotamq backup made.")
    private Path backup = Path.of("");

    RestoreCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        try {
            Path target = options.read(surroundings.environment()).configuration().storeDirectory();
            Backup.restore(backup, target);
            surroundings.out().println("Restored " + backup + " to " + target);
            return ExitStatus.OK;
        } catch (ConfigurationException e) {
            surroundings.complain(e);
            return ExitStatus.USAGE;
        } catch (StoreException e) {
            surroundings.complain(e);
            return ExitStatus.FAILED;
        }
    }
}
