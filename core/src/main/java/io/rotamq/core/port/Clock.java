package io.rotamq.core.port;

/** The time as the core sees it. */
@FunctionalInterface
public interface Clock {
    /** Milliseconds that never run backwards, from an arbitrary non-negative origin. */
    long millis();
}
