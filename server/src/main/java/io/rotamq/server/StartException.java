package io.rotamq.server;

import org.jspecify.annotations.Nullable;

/**
 * The broker cannot start for a reason that lies outside the program: a port is taken, a file
 * cannot be read. The message is what the operator is shown.
 */
public final class StartException extends Exception {
    private static final long serialVersionUID = 1L;

    public StartException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
