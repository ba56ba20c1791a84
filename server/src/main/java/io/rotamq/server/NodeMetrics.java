package io.rotamq.server;

import io.rotamq.core.Node;
import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.GroupSettings.StrategyName;
import io.rotamq.server.admin.MetricsSink;
import io.rotamq.server.admin.MetricsSource;
import java.util.Locale;

/** The core's counters and sizes for {@code /metrics}. */
final class NodeMetrics implements MetricsSource {
    private static final String PREFIX = "rotamq_";

    private final Node node;

    NodeMetrics(Node node) {
        this.node = node;
    }

    @Override
    public void collect(MetricsSink sink) {
        for (Counter counter : Counter.values()) {
            sink.counter(
                    PREFIX + counter.metric() + "_total",
                    counter.help(),
                    (double) node.total(counter));
        }
        for (StrategyName strategy : StrategyName.values()) {
            sink.counter(
                    PREFIX + "shared_dispatched_total",
                    "Messages given to a member of a share group, by strategy",
                    (double) node.dispatched(strategy),
                    "strategy",
                    strategy.name().toLowerCase(Locale.ROOT));
        }
        for (DropReason reason : DropReason.values()) {
            sink.counter(
                    PREFIX + "messages_dropped_total",
                    "Messages discarded, by reason",
                    (double) node.dropped(reason),
                    "reason",
                    reason.label());
        }
        long connections =
                node.total(Counter.CONNECTIONS_OPENED) - node.total(Counter.CONNECTIONS_CLOSED);
        sink.gauge(PREFIX + "connections", "Open network connections", (double) connections);
        sink.gauge(PREFIX + "sessions", "Sessions, connected or not", node.sessions());
        sink.gauge(PREFIX + "groups", "Share groups with at least one session", node.groups());
        sink.gauge(PREFIX + "retained_messages", "Retained messages", node.retained());
        sink.gauge(
                PREFIX + "retained_bytes",
                "Bytes of retained messages",
                (double) node.retainedBytes());
        sink.gauge(
                PREFIX + "waiting_bytes",
                "Bytes of messages that wait in queues and backlogs",
                (double) node.memoryUsed());
        sink.gauge(
                PREFIX + "session_bytes",
                "Bytes of all sessions, their messages aside",
                (double) node.sessionMemoryUsed());
    }
}
