package io.rotamq.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rotamq.server.config.Listener;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The admin server over a real socket. */
@Timeout(30)
class AdminServerTest {
    private static final Listener ANY_PORT = new Listener(true, "127.0.0.1", 0);

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final List<MetricsSource> sources = new ArrayList<>();
    private volatile Phase phase = Phase.STARTING;
    private AdminServer server;

    @BeforeEach
    void start() throws IOException {
        server =
                AdminServer.start(
                        ANY_PORT,
                        () -> phase,
                        List.of(sink -> sources.forEach(each -> each.collect(sink))),
                        new NoGroups(),
                        Durability.NONE);
    }

    @AfterEach
    void stop() {
        server.stop();
        client.close();
    }

    @ParameterizedTest
    @CsvSource({"STARTING, 503, starting", "READY, 200, ready", "STOPPING, 503, stopping"})
    void isReadyOnlyBetweenStartAndStop(Phase now, int status, String text) throws Exception {
        phase = now;

        assertThat(get("/health/ready").statusCode()).isEqualTo(status);
        assertThat(get("/health/ready").body()).isEqualTo(text + "\n");
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
    }

    @Test
    void showsWhatItsSourcesReport() throws Exception {
        sources.add(
                sink -> {
                    sink.counter(
                            "rotamq_dropped_total", "Messages dropped.", 3, "reason", "queue_full");
                    sink.gauge("rotamq_connections", "Connections.", 17);
                });
        sources.add(
                sink ->
                        sink.counter(
                                "rotamq_dropped_total", "ignored", 4, "reason", "expi\"red\n"));

        HttpResponse<String> response = get("/metrics");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type"))
                .hasValue("text/plain; version=0.0.4; charset=utf-8");
        assertThat(response.body())
                .contains(
                        """
                        # HELP rotamq_connections Connections.
                        # TYPE rotamq_connections gauge
                        rotamq_connections 17.0
                        """)
                .contains(
                        """
                        # HELP rotamq_dropped_total Messages dropped.
                        # TYPE rotamq_dropped_total counter
                        rotamq_dropped_total{reason="expi\\"red\\n"} 4.0
                        rotamq_dropped_total{reason="queue_full"} 3.0
                        """);
    }

    @Test
    void asksItsSourcesAtEachScrape() throws Exception {
        double[] value = {1};
        sources.add(sink -> sink.gauge("rotamq_sessions", "Sessions.", value[0]));

        assertThat(get("/metrics").body()).contains("\nrotamq_sessions 1.0\n");
        value[0] = 2;
        assertThat(get("/metrics").body()).contains("\nrotamq_sessions 2.0\n");
    }

    @Test
    void showsTheVirtualMachine() throws Exception {
        assertThat(get("/metrics").body())
                .containsPattern("\njvm_memory_used_bytes\\{area=\"heap\"} [1-9]")
                .containsPattern("\njvm_memory_max_bytes\\{area=\"heap\"} [1-9]")
                .containsPattern("\njvm_gc_collections_total\\{gc=\"[^\"]+\"} \\d")
                .containsPattern("\njvm_gc_collection_seconds_total\\{gc=\"[^\"]+\"} \\d")
                .containsPattern("\njvm_buffer_pool_used_bytes\\{pool=\"direct\"} \\d")
                .containsPattern("\njvm_threads_current [1-9]")
                .containsPattern("\nprocess_cpu_seconds_total [0-9]")
                .containsPattern("\nprocess_open_fds [1-9]")
                .containsPattern("\nprocess_start_time_seconds 1\\.\\d+E9");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/health", "/metrics/x", "/health/live/x", "/METRICS"})
    void knowsNoOtherPath(String path) throws Exception {
        assertThat(get(path).statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "OPTIONS"})
    void refusesOtherMethods(String method) throws Exception {
        for (String path : List.of("/health/live", "/health/ready", "/metrics")) {
            HttpResponse<String> response =
                    client.send(
                            request(path).method(method, BodyPublishers.ofString("x")).build(),
                            BodyHandlers.ofString());

            assertThat(response.statusCode()).isEqualTo(405);
            assertThat(response.headers().firstValue("Allow")).hasValue("GET, HEAD");
        }
    }

    @Test
    void answersHeadWithoutABody() throws Exception {
        phase = Phase.READY;
        HttpResponse<String> response =
                client.send(request("/health/ready").HEAD().build(), BodyHandlers.ofString());

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEmpty();
        assertThat(get("/health/ready").statusCode()).isEqualTo(200);
    }

    @Test
    void saysWhyItCannotListen() {
        Listener taken = new Listener(true, "127.0.0.1", server.port());

        assertThatThrownBy(
                        () ->
                                AdminServer.start(
                                        taken,
                                        () -> phase,
                                        List.of(),
                                        new NoGroups(),
                                        Durability.NONE))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "cannot listen on 127.0.0.1:%d (admin): Address already in use"
                                .formatted(server.port()));
        Listener nowhere = new Listener(true, "host.invalid", 0);
        assertThatThrownBy(
                        () ->
                                AdminServer.start(
                                        nowhere,
                                        () -> phase,
                                        List.of(),
                                        new NoGroups(),
                                        Durability.NONE))
                .isInstanceOf(IOException.class)
                .hasMessage("cannot listen on host.invalid:0 (admin): unknown host");
    }

    @Test
    void listensNoLongerWhenStopped() {
        server.stop();

        assertThatThrownBy(() -> get("/health/live")).isInstanceOf(IOException.class);
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path).GET().build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(Duration.ofSeconds(10));
    }
}
