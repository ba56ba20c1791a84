package io.rotamq.server.admin;

import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Whether to send clients here: 200 while the broker accepts connections, else 503. A broker that
 * cannot take durable messages for a while is {@code degraded} but ready; one whose store has
 * failed has to be started anew.
 */
record ReadyHandler(Supplier<Phase> phase, Durability durability) implements Handler {
    @Override
    public void handle(ServerRequest request, ServerResponse response) {
        Phase now = phase.get();
        Durability.Health health = durability.health();
        boolean serves = now == Phase.READY && health.serves();
        response.status(serves ? Status.OK_200 : Status.SERVICE_UNAVAILABLE_503);
        response.send(text(now, health) + "\n");
    }

    private static String text(Phase now, Durability.Health health) {
        if (now != Phase.READY || health.problem().isEmpty()) {
            return now.name().toLowerCase(Locale.ROOT);
        }
        return (health.serves() ? "degraded: " : "failed: ") + health.problem();
    }
}
