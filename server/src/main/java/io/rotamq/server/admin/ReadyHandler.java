package io.rotamq.server.admin;

import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.Locale;
import java.util.function.Supplier;

/** Whether to send clients here: 200 while the broker accepts connections, else 503. */
record ReadyHandler(Supplier<Phase> phase) implements Handler {
    @Override
    public void handle(ServerRequest request, ServerResponse response) {
        Phase now = phase.get();
        response.status(now == Phase.READY ? Status.OK_200 : Status.SERVICE_UNAVAILABLE_503);
        response.send(now.name().toLowerCase(Locale.ROOT) + "\n");
    }
}
