package io.rotamq.server.cli;

import io.rotamq.server.security.UsersFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Writes a user into the file that {@code security.users-file} names. */
@Command(
        name = "passwd",
        description = {
            "Adds a user to a file of users, or gives one another password.",
            "The password is asked for on a terminal, and else read from the first line of standard"
                    + " input."
        })
final class PasswdCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(
            index = "0",
            paramLabel = "FILE",
            description = "The file of users; made if needed.")
    private Path file = Path.of("users");

    @Parameters(index = "1", paramLabel = "USER", description = "The name of the user.")
    private String user = "";

    PasswdCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        try {
            @Nullable String password = surroundings.password().read("Password of " + user + ": ");
            if (password == null || password.isEmpty()) {
                surroundings.complain("no password given");
                return ExitStatus.USAGE;
            }
            UsersFile.set(file, user, password.getBytes(StandardCharsets.UTF_8));
            return ExitStatus.OK;
        } catch (IOException e) {
            surroundings.complain(e);
            return ExitStatus.FAILED;
        }
    }
}
