package io.rotamq.server.admin;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Takes the figures of one scrape. A metric can be reported several times with different labels,
 * also by several sources; the help of the first report counts. Labels are names and values in
 * turn.
 *
 * <p>Owned by the thread that answers the scrape.
 */
public final class MetricsSink {
    private static final String TOTAL = "_total";

    private final Map<String, CounterSnapshot.Builder> counters = new LinkedHashMap<>();
    private final Map<String, GaugeSnapshot.Builder> gauges = new LinkedHashMap<>();

    MetricsSink() {}

    /**
     * Something that only grows.
     *
     * @param name in Prometheus' form, ending in {@code _total}
     */
    public void counter(String name, String help, double value, String... labels) {
        if (!name.endsWith(TOTAL)) {
            throw new IllegalArgumentException("a counter's name ends in _total: " + name);
        }
        String base = name.substring(0, name.length() - TOTAL.length());
        counters.computeIfAbsent(base, n -> CounterSnapshot.builder().name(n).help(help))
                .dataPoint(
                        CounterDataPointSnapshot.builder()
                                .labels(Labels.of(labels))
                                .value(value)
                                .build());
    }

    /** Something that goes up and down. */
    public void gauge(String name, String help, double value, String... labels) {
        gauges.computeIfAbsent(name, n -> GaugeSnapshot.builder().name(n).help(help))
                .dataPoint(
                        GaugeDataPointSnapshot.builder()
                                .labels(Labels.of(labels))
                                .value(value)
                                .build());
    }

    MetricSnapshots snapshots() {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        counters.values().forEach(counter -> all.metricSnapshot(counter.build()));
        gauges.values().forEach(gauge -> all.metricSnapshot(gauge.build()));
        return all.build();
    }
}
