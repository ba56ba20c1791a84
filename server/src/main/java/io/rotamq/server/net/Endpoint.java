package io.rotamq.server.net;

import org.jspecify.annotations.Nullable;

/**
 * One place to listen for clients.
 *
 * @param name as the ready line, the log and {@code ConnectionInfo} call it
 * @param host name or address to bind
 * @param port 0 picks a free one
 * @param tls whether connections begin with a TLS handshake
 * @param webSocketPath path of the request that opens a WebSocket; null: plain MQTT
 */
public record Endpoint(
        String name, String host, int port, boolean tls, @Nullable String webSocketPath) {}
