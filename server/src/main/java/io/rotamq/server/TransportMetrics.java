package io.rotamq.server;

import io.rotamq.server.admin.MetricsSink;
import io.rotamq.server.admin.MetricsSource;
import io.rotamq.server.net.EventLoops;
import io.rotamq.server.net.TransportCounters;

/** The transport's counters for {@code /metrics}. */
final class TransportMetrics implements MetricsSource {
    private static final String PREFIX = "rotamq_transport_";

    private final TransportCounters counters;

    TransportMetrics(EventLoops loops) {
        this.counters = loops.counters();
    }

    @Override
    public void collect(MetricsSink sink) {
        count(sink, "accepted", "Network connections accepted", counters.accepted());
        count(sink, "refused", "Connections closed for being too many", counters.refused());
        count(sink, "bytes_received", "Bytes read", counters.bytesReceived());
        count(sink, "bytes_sent", "Bytes written", counters.bytesSent());
        count(sink, "forced_closes", "Connections cut off unread", counters.forcedCloses());
        count(sink, "failures", "Errors that cost one connection", counters.containedFailures());
        count(sink, "failed_handshakes", "Failed TLS handshakes", counters.failedHandshakes());
        count(sink, "refused_upgrades", "HTTP without WebSocket", counters.refusedUpgrades());
        count(sink, "broken_frames", "WebSockets closed for a frame", counters.brokenFrames());
        count(sink, "moves", "Connections handed to another loop", counters.moves());
        count(sink, "congestion_pauses", "Pauses of reading", counters.congestionPauses());
        count(sink, "tls_reloads", "Certificates taken over", counters.tlsReloads());
        count(sink, "failed_tls_reloads", "Unusable certificates", counters.failedTlsReloads());
    }

    private static void count(MetricsSink sink, String name, String help, long value) {
        sink.counter(PREFIX + name + "_total", help, (double) value);
    }
}
