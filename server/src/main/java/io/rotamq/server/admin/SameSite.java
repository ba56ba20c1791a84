package io.rotamq.server.admin;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.net.InetAddress;
import java.util.Optional;

/**
 * Lets requests that change something pass only if no foreign web page can be behind them. There
 * are no users yet, so that whatever runs on this machine, a browser too, can reach the port. A
 * page that makes its own name point here (DNS rebinding) is known by the Host that it sends:
 * neither an address nor the name that was configured. One that sends a request across sites is
 * known by its Origin.
 *
 * @param host the configured name or address of the admin port
 */
record SameSite(String host, Handler next) implements Handler {
    @Override
    public void handle(ServerRequest request, ServerResponse response) throws Exception {
        Optional<String> authority = header(request, HeaderNames.HOST);
        if (authority.isEmpty() || !isOurs(hostOf(authority.get()))) {
            Json.refuse(
                    response,
                    Status.FORBIDDEN_403,
                    "Host: \""
                            + authority.orElse("")
                            + "\" is not this broker; allowed: its IP address, localhost or the"
                            + " name in admin.host");
            return;
        }
        Optional<String> origin = header(request, HeaderNames.ORIGIN);
        if (origin.isPresent() && !origin.get().equalsIgnoreCase("http://" + authority.get())) {
            Json.refuse(
                    response,
                    Status.FORBIDDEN_403,
                    "Origin: \"" + origin.get() + "\" may not change anything here");
            return;
        }
        next.handle(request, response);
    }

    private boolean isOurs(String name) {
        return name.equalsIgnoreCase("localhost") || name.equalsIgnoreCase(host) || isAddress(name);
    }

    private static boolean isAddress(String name) {
        try {
            InetAddress.ofLiteral(name);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Without the port, and without the brackets of an IPv6 address. */
    private static String hostOf(String authority) {
        if (authority.startsWith("[")) {
            int end = authority.indexOf(']');
            return end < 0 ? "" : authority.substring(1, end);
        }
        int colon = authority.indexOf(':');
        return colon < 0 ? authority : authority.substring(0, colon);
    }

    private static Optional<String> header(ServerRequest request, HeaderName name) {
        return request.headers().first(name);
    }
}
