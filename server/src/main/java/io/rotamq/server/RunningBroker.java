package io.rotamq.server;

import java.util.List;

/** A broker that accepts connections. */
public interface RunningBroker {

    /** Where it listens, in the order of the ready line. */
    List<Endpoint> endpoints();

    /**
     * Stops in order and returns when everything is closed. Called once, from any thread but the
     * broker's own.
     */
    void stop();

    /**
     * A place where the broker listens.
     *
     * @param name {@code mqtt}, {@code tls}, {@code websocket}, {@code wss} or {@code admin}
     * @param host as configured
     * @param port the port that was bound, also if 0 was configured
     */
    record Endpoint(String name, String host, int port) {
        @Override
        public String toString() {
            return name + " " + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
        }
    }
}
