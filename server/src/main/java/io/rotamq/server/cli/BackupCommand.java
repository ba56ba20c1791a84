package io.rotamq.server.cli;

import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Has a running broker copy what it stores. */
@Command(
        name = "backup",
        description = {
            "Copies what a running broker stores to a directory on its machine.",
            "The broker goes on; the copy is as of one moment. rotamq restore makes a data"
                    + " directory of it."
        })
final class BackupCommand extends GroupsCommand.Asking {
    @Parameters(
            index = "0",
            paramLabel = "DIR",
            description = "Where to: does not exist, or is an empty directory.")
    private Path target = Path.of("");

    BackupCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    void ask(AdminClient broker) throws AdminClient.Failed {
        String directory = target.toAbsolutePath().normalize().toString();
        broker.post("/backup", Map.of("directory", directory));
        surroundings.out().println("Backed up to " + Table.harmless(directory));
    }
}
