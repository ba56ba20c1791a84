package io.rotamq.server.admin;

import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;

/** All figures in Prometheus' text format. */
final class MetricsHandler implements Handler {
    private final JvmMetrics machine = new JvmMetrics();
    private final List<MetricsSource> sources;

    MetricsHandler(List<MetricsSource> sources) {
        this.sources = List.copyOf(sources);
    }

    @Override
    public void handle(ServerRequest request, ServerResponse response) throws IOException {
        MetricsSink sink = new MetricsSink();
        sources.forEach(source -> source.collect(sink));
        machine.collect(sink);
        PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        writer.write(text, sink.snapshots());
        response.header(HeaderValues.create(HeaderNames.CONTENT_TYPE, writer.getContentType()));
        response.send(text.toByteArray());
    }
}
