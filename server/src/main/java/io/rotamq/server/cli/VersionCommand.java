package io.rotamq.server.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Says which version this is, and on what it runs. */
@Command(name = "version", description = "Shows the version.")
final class VersionCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    VersionCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        String java = Runtime.version() + " (" + System.getProperty("java.vendor") + ")";
        surroundings.out().println("RotaMQ " + Version.text() + ", Java " + java);
        return ExitStatus.OK;
    }
}
