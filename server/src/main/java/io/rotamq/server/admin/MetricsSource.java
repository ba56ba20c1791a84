package io.rotamq.server.admin;

/** A part of the broker that has figures to report. */
@FunctionalInterface
public interface MetricsSource {

    /**
     * Reports the figures of this moment. Called on a thread of the admin server for each scrape,
     * several at once if there are several scrapers; must not block.
     */
    void collect(MetricsSink sink);
}
