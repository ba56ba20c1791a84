package io.rotamq.server.net;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where programming errors end that were caught at the edge of a loop: each is counted, each kind
 * is logged once, so that one client that provokes it again and again cannot fill the log. Used by
 * all loops.
 */
final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    /** Kinds are the program's, not the client's, but let nothing grow for ever. */
    private static final int MOST_KINDS = 1_000;

    private final TransportCounters counters;
    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    Failures(TransportCounters counters) {
        this.counters = counters;
    }

    void contain(String where, Throwable failure) {
        counters.containedFailures.increment();
        StackTraceElement[] trace = failure.getStackTrace();
        String kind = failure.getClass().getName() + (trace.length == 0 ? "" : trace[0]);
        if (seen.size() < MOST_KINDS && seen.add(kind)) {
            LOG.error("{} failed; more of this kind are only counted", where, failure);
        }
    }
}
