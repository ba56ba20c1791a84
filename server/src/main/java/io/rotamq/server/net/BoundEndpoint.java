package io.rotamq.server.net;

/**
 * Where a listener really listens.
 *
 * @param name of the {@link Endpoint}
 * @param host as configured
 * @param port the actual one, never 0
 */
public record BoundEndpoint(String name, String host, int port) {
    /** The way the ready line shows it, for example {@code mqtt 127.0.0.1:1883}. */
    @Override
    public String toString() {
        return name + ' ' + (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + port;
    }
}
