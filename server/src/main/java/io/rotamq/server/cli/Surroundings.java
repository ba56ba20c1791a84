package io.rotamq.server.cli;

import java.io.PrintWriter;
import java.util.Map;

/**
 * What a command reads from and writes to, apart from files.
 *
 * @param environment the variables of the process
 * @param out for results
 * @param err for messages
 * @param password asks for one
 */
record Surroundings(
        Map<String, String> environment,
        PrintWriter out,
        PrintWriter err,
        PasswordPrompt password) {

    /** Writes a message as this program's. */
    void complain(Exception wrong) {
        complain(String.valueOf(wrong.getMessage()));
    }

    void complain(String message) {
        err.println("rotamq: " + message);
    }
}
