package io.rotamq.durability;

import java.io.UncheckedIOException;

/** Tells the end of a connection from a failure of the broker. */
final class Crash {
    private Crash() {}

    static void mustBeTheEndOfTheConnection(Throwable e) {
        boolean closed =
                e instanceof UncheckedIOException
                        || e.getClass().getSimpleName().equals("ClosedByBroker");
        if (!closed) {
            throw new AssertionError("not the end of a connection", e);
        }
    }
}
