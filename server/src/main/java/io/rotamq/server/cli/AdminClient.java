package io.rotamq.server.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks a running broker at its admin port. */
final class AdminClient implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .proxy(HttpClient.Builder.NO_PROXY)
                    .connectTimeout(CONNECT)
                    .build();
    private final URI base;

    AdminClient(URI base) {
        this.base = base;
    }

    /**
     * The broker did not do what it was asked for. Stackless.
     *
     * <p>{@link #status()} is that of the process.
     */
    static final class Failed extends Exception {
        private static final long serialVersionUID = 1L;
        private final int status;

        Failed(String message, int status) {
            super(message, null, false, false);
            this.status = status;
        }

        int status() {
            return status;
        }
    }

    JsonNode get(String path, Map<String, String> parameters) throws Failed {
        return ask("GET", path + query(parameters), BodyPublishers.noBody());
    }

    JsonNode patch(String path, Map<String, String> object) throws Failed {
        return ask("PATCH", path, BodyPublishers.ofByteArray(JSON.writeValueAsBytes(object)));
    }

    JsonNode post(String path, Map<String, String> object) throws Failed {
        return ask("POST", path, BodyPublishers.ofByteArray(JSON.writeValueAsBytes(object)));
    }

    JsonNode delete(String path, Map<String, String> parameters) throws Failed {
        return ask("DELETE", path + query(parameters), BodyPublishers.noBody());
    }

    private JsonNode ask(String method, String path, BodyPublisher body) throws Failed {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(base + path))
                        .timeout(PATIENCE)
                        .header("Content-Type", "application/json")
                        .method(method, body)
                        .build();
        try {
            return answer(http.send(request, BodyHandlers.ofByteArray()));
        } catch (ConnectException e) {
            throw failed("nothing answers at " + base + ": is the broker running there?");
        } catch (HttpTimeoutException e) {
            throw failed("no answer from " + base + " in time");
        } catch (IOException e) {
            throw failed("no answer from " + base + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed("interrupted");
        }
    }

    private JsonNode answer(HttpResponse<byte[]> response) throws Failed {
        JsonNode json;
        try {
            json = JSON.readTree(response.body());
        } catch (JacksonException e) {
            throw failed("what answers at " + base + " is not the admin port of a broker");
        }
        if (response.statusCode() == 200) {
            return json;
        }
        String problem = json.path("error").asString("HTTP status " + response.statusCode());
        boolean wrongUsage = response.statusCode() == 400;
        throw new Failed(problem, wrongUsage ? ExitStatus.USAGE : ExitStatus.FAILED);
    }

    private static Failed failed(String message) {
        return new Failed(message, ExitStatus.FAILED);
    }

    private static String query(Map<String, String> parameters) {
        return parameters.isEmpty()
                ? ""
                : parameters.entrySet().stream()
                        .map(each -> each.getKey() + "=" + encoded(each.getValue()))
                        .collect(Collectors.joining("&", "?", ""));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public void close() {
        http.close();
    }
}
