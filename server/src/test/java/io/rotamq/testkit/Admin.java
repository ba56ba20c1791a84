package io.rotamq.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** An operator at the admin port: what becomes of share groups while the broker runs. */
public final class Admin implements AutoCloseable {
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(RawClient.PATIENCE).build();
    private final int port;

    Admin(int port) {
        this.port = port;
    }

    /** Where it is, as {@code http://127.0.0.1:8080}. */
    public String url() {
        return "http://127.0.0.1:" + port;
    }

    /**
     * Sets the rule of the groups that match both patterns; when this returns the next publish
     * obeys.
     *
     * @param options the rest of the JSON object, as {@code "strategy":"sticky"}
     */
    public void rule(String share, String filter, String options) {
        String json = "{\"share\":\"%s\",\"filter\":\"%s\",%s}".formatted(share, filter, options);
        HttpResponse<String> answer = send("PUT", "/sharing/rules", BodyPublishers.ofString(json));
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    }

    /** Takes back what {@link #rule} set for these two patterns. */
    public void reset(String share, String filter) {
        String query = "?share=%s&filter=%s".formatted(encoded(share), encoded(filter));
        HttpResponse<String> answer =
                send("DELETE", "/sharing/rules" + query, BodyPublishers.noBody());
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    }

    /** What the broker says of a group, as JSON. */
    public String group(String share, String filter) {
        String query = "?share=%s&filter=%s".formatted(encoded(share), encoded(filter));
        HttpResponse<String> answer = send("GET", "/groups" + query, BodyPublishers.noBody());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private HttpResponse<String> send(String method, String path, BodyPublisher body) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url() + path))
                        .timeout(Duration.ofSeconds(10))
                        .header("Content-Type", "application/json")
                        .method(method, body)
                        .build();
        try {
            return http.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
