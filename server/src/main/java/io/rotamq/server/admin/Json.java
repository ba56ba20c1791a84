package io.rotamq.server.admin;

import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON of the requests and answers of operators. */
final class Json {
    /** A rule has some hundred bytes. */
    private static final int LARGEST_BODY = 64 * 1024;

    static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private Json() {}

    /** The request cannot be carried out; the message is for the operator. Stackless. */
    static final class BadRequest extends Exception {
        private static final long serialVersionUID = 1L;

        BadRequest(String message) {
            super(message, null, false, false);
        }
    }

    static void send(ServerResponse response, Status status, Map<String, ?> body) {
        response.status(status);
        response.header(HeaderValues.create(HeaderNames.CONTENT_TYPE, "application/json"));
        response.header(HeaderValues.create(HeaderNames.CACHE_CONTROL, "no-store"));
        response.send(MAPPER.writeValueAsBytes(body));
    }

    static void refuse(ServerResponse response, Status status, String problem) {
        send(response, status, Map.of("error", problem));
    }

    /** Whether the body claims to be JSON, which no form of a web page can; else it is refused. */
    static boolean isExpected(ServerRequest request, ServerResponse response) {
        String type = request.headers().first(HeaderNames.CONTENT_TYPE).orElse("");
        String mediaType = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (mediaType.equals("application/json")) {
            return true;
        }
        refuse(
                response,
                Status.UNSUPPORTED_MEDIA_TYPE_415,
                "Content-Type: \"" + type + "\"; allowed: application/json");
        return false;
    }

    /**
     * The object in a body, flattened: {@code {"backlog": {"high-water": 5}}} is {@code
     * backlog.high-water} with the text {@code 5}.
     */
    static Map<String, String> object(ServerRequest request) throws BadRequest, IOException {
        Map<String, String> flat = new LinkedHashMap<>();
        try {
            JsonNode node = MAPPER.readTree(body(request));
            if (!node.isObject()) {
                throw new BadRequest("the body is not a JSON object");
            }
            flatten("", node, flat);
        } catch (JacksonException e) {
            throw new BadRequest("the body is not valid JSON: " + e.getOriginalMessage());
        }
        return flat;
    }

    private static byte[] body(ServerRequest request) throws BadRequest, IOException {
        if (!request.content().hasEntity()) {
            throw new BadRequest("the body is not a JSON object");
        }
        try (InputStream content = request.content().inputStream()) {
            byte[] bytes = content.readNBytes(LARGEST_BODY + 1);
            if (bytes.length > LARGEST_BODY) {
                throw new BadRequest("the body has more than " + LARGEST_BODY + " bytes");
            }
            return bytes;
        }
    }

    private static void flatten(String prefix, JsonNode object, Map<String, String> into)
            throws BadRequest {
        for (Map.Entry<String, JsonNode> each : object.properties()) {
            String key = prefix + each.getKey();
            JsonNode value = each.getValue();
            if (value.isObject()) {
                flatten(key + ".", value, into);
            } else if (!value.isValueNode() || value.isNull()) {
                throw new BadRequest(key + ": is neither text nor a number");
            } else if (into.put(key, value.asString()) != null) {
                throw new BadRequest(key + ": is set twice");
            }
        }
    }
}
