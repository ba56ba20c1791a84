package io.rotamq.server.admin;

import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import io.rotamq.server.config.Listener;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The HTTP server for operators. It answers on virtual threads; nothing of it is on the path of a
 * message.
 */
public final class AdminServer {
    private static final Method[] CHANGES = {Method.PUT, Method.PATCH, Method.DELETE};
    private static final String RULES = "/sharing/rules";
    private static final String BACKUP = "/backup";

    /**
     * Room for a topic filter and a share name of the greatest length, each byte as {@code %XX}.
     */
    private static final int LONGEST_REQUEST_LINE = 512 * 1024;

    private final WebServer server;
    private final int port;

    private AdminServer(WebServer server) {
        this.server = server;
        this.port = server.port();
    }

    /**
     * Starts it; it serves {@code /health/live} from now on, whatever the phase.
     *
     * @param listener where to listen
     * @param phase asked at each request for {@code /health/ready}
     * @param sources what {@code /metrics} shows besides the virtual machine's figures
     * @param sharing the share groups and their rules
     * @param durability what outlives the process
     * @throws IOException when it cannot listen there
     */
    public static AdminServer start(
            Listener listener,
            Supplier<Phase> phase,
            List<MetricsSource> sources,
            Sharing sharing,
            Durability durability)
            throws IOException {
        HttpRouting.Builder routing = HttpRouting.builder();
        serve(routing, "/health/live", (request, response) -> response.send("live\n"));
        serve(routing, "/health/ready", new ReadyHandler(phase, durability));
        serve(routing, "/metrics", new MetricsHandler(sources));
        serve(routing, "/groups", new GroupsHandler(sharing));
        Handler rules = new RulesHandler(sharing);
        Handler guarded = new SameSite(listener.host(), rules);
        for (Method change : CHANGES) {
            routing.route(change, RULES, guarded);
        }
        serve(routing, RULES, rules, CHANGES);
        routing.post(BACKUP, new SameSite(listener.host(), new BackupHandler(durability)));
        refuseOthers(routing, BACKUP, "POST");
        probe(listener);
        WebServer server =
                WebServer.builder()
                        .host(listener.host())
                        .port(listener.port())
                        .shutdownHook(false) // the broker says when: metrics to the end
                        .featuresDiscoverServices(false)
                        .addProtocol(
                                Http1Config.builder()
                                        .maxPrologueLength(LONGEST_REQUEST_LINE)
                                        .build())
                        .routing(routing)
                        .build()
                        .start();
        if (!server.isRunning()) {
            throw new IOException("the HTTP server did not start");
        }
        return new AdminServer(server);
    }

    /** The port that was bound. */
    public int port() {
        return port;
    }

    /** Stops listening and ends open requests. */
    public void stop() {
        server.stop();
    }

    /** GET and HEAD; what is neither that nor one of the others is refused by name. */
    private static void serve(
            HttpRouting.Builder routing, String path, Handler handler, Method... others) {
        routing.route(Method.GET, path, handler);
        routing.route(Method.HEAD, path, handler);
        String allowed =
                Stream.concat(Stream.of(Method.GET, Method.HEAD), Stream.of(others))
                        .map(Method::text)
                        .collect(Collectors.joining(", "));
        refuseOthers(routing, path, allowed);
    }

    private static void refuseOthers(HttpRouting.Builder routing, String path, String allowed) {
        routing.any(
                path,
                (request, response) ->
                        response.status(Status.METHOD_NOT_ALLOWED_405)
                                .header(HeaderValues.create(HeaderNames.ALLOW, allowed))
                                .send());
    }

    private static String cannotListen(Listener listener, String reason) {
        return "cannot listen on %s:%d (admin): %s"
                .formatted(listener.host(), listener.port(), reason);
    }

    /** The library reports a failure to its log only; so the reason is found out before. */
    private static void probe(Listener listener) throws IOException {
        InetSocketAddress address = new InetSocketAddress(listener.host(), listener.port());
        if (address.isUnresolved()) {
            throw new UnknownHostException(cannotListen(listener, "unknown host"));
        }
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address);
        } catch (BindException e) {
            throw new IOException(cannotListen(listener, String.valueOf(e.getMessage())), e);
        }
    }
}
