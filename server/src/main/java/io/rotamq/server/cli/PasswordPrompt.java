package io.rotamq.server.cli;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Asks for a password. */
@FunctionalInterface
interface PasswordPrompt {

    /** The password; null if there is none. */
    @Nullable String read(String prompt) throws IOException;

    /** On the terminal, twice and without echo; without a terminal, a line of standard input. */
    @SuppressWarnings("SystemConsoleNull") // it says it can be, and costs nothing to believe
    static PasswordPrompt ofTheProcess() {
        return prompt -> {
            Console console = System.console();
            if (console == null || !console.isTerminal()) {
                return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                        .readLine();
            }
            char[] first = console.readPassword("%s", prompt);
            char[] second = console.readPassword("Again: ");
            if (!Arrays.equals(first, second)) {
                throw new IOException("the two passwords differ");
            }
            return first == null ? null : new String(first);
        };
    }
}
