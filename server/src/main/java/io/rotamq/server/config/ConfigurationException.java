package io.rotamq.server.config;

/**
 * The configuration cannot be used. The message is the one line that an operator is shown: where
 * (file and line, variable or argument), which key, which value, and what is allowed. It carries no
 * stack trace, because the fault lies in the operator's file and not in the program.
 */
public final class ConfigurationException extends Exception {
    private static final long serialVersionUID = 1L;

    ConfigurationException(String message) {
        super(message, null, false, false);
    }

    static ConfigurationException at(Origin origin, String key, String problem) {
        return new ConfigurationException(origin.describe() + ": " + key + ": " + problem);
    }
}
