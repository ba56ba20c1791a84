package io.rotamq.server.admin;

import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * {@code POST /backup} with {@code {"directory": "/absolute/path"}}: on the machine of the broker,
 * with its rights.
 */
record BackupHandler(Durability durability) implements Handler {
    private static final String DIRECTORY = "directory";

    @Override
    public void handle(ServerRequest request, ServerResponse response) throws IOException {
        try {
            if (Json.isExpected(request, response)) {
                Path target = target(Json.object(request));
                Optional<String> problem = durability.backup(target);
                if (problem.isPresent()) {
                    Json.refuse(response, Status.CONFLICT_409, problem.get());
                } else {
                    Json.send(response, Status.OK_200, Map.of(DIRECTORY, target.toString()));
                }
            }
        } catch (Json.BadRequest e) {
            Json.refuse(response, Status.BAD_REQUEST_400, String.valueOf(e.getMessage()));
        }
    }

    private static Path target(Map<String, String> body) throws Json.BadRequest {
        String text = body.get(DIRECTORY);
        if (text == null || body.size() > 1) {
            throw new Json.BadRequest("the body has \"directory\" and nothing else");
        }
        try {
            Path target = Path.of(text);
            if (target.isAbsolute()) {
                return target;
            }
        } catch (InvalidPathException e) {
            // The same complaint.
        }
        throw new Json.BadRequest("directory: \"" + text + "\" is not an absolute path");
    }
}
