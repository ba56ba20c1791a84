package io.rotamq.server;

import io.rotamq.core.Node;
import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.GroupSettings.StrategyName;
import io.rotamq.core.share.Group;
import io.rotamq.server.admin.MetricsSink;
import io.rotamq.server.admin.MetricsSource;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

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
                    word(strategy));
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
        groups(sink);
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

    /** What groups of the same strategy have together: there may be very many groups. */
    private void groups(MetricsSink sink) {
        Map<StrategyName, Sums> byStrategy = new EnumMap<>(StrategyName.class);
        node.forEachGroup(
                group ->
                        byStrategy
                                .computeIfAbsent(
                                        group.settings().choice().strategy(), name -> new Sums())
                                .add(group));
        byStrategy.forEach((strategy, sums) -> sums.report(sink, word(strategy)));
    }

    private static String word(StrategyName strategy) {
        return strategy.name().toLowerCase(Locale.ROOT);
    }

    /** Figures of several groups added up, for one scrape. */
    private static final class Sums {
        private long members;
        private long waiting;
        private long slowed;

        void add(Group group) {
            members += group.roster().size();
            waiting += group.pending();
            slowed += group.isBehind() ? 1 : 0;
        }

        void report(MetricsSink sink, String strategy) {
            gauge(sink, "group_members", "Sessions in share groups", members, strategy);
            gauge(
                    sink,
                    "group_waiting_messages",
                    "Messages that wait in groups",
                    waiting,
                    strategy);
            gauge(sink, "groups_slowed", "Groups whose publishers are slowed", slowed, strategy);
        }

        private static void gauge(
                MetricsSink sink, String name, String help, long value, String strategy) {
            sink.gauge(PREFIX + name, help, (double) value, "strategy", strategy);
        }
    }
}
