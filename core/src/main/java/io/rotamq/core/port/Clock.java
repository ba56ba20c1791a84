package io.rotamq.core.port;

/** The time as the core sees it. */
@FunctionalInterface
public interface Clock {
    /** Milliseconds that never run backwards, from an arbitrary non-negative origin. */
    long millis();

    /**
     * Milliseconds since 1970, for what outlives the process; may be set forwards and backwards.
     * Without a store nobody asks.
     */
    default long wallMillis() {
        return millis();
    }
}
