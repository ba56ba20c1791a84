package io.rotamq.clients;

/** How a client reaches the broker. */
public enum Transport {
    TCP("tcp", "mqtt"),
    TLS("ssl", "mqtts"),
    WEBSOCKET("ws", "ws"),
    SECURE_WEBSOCKET("wss", "wss");

    private final String pahoScheme;
    private final String jsScheme;

    Transport(String pahoScheme, String jsScheme) {
        this.pahoScheme = pahoScheme;
        this.jsScheme = jsScheme;
    }

    boolean isSecure() {
        return this == TLS || this == SECURE_WEBSOCKET;
    }

    boolean isWebSocket() {
        return this == WEBSOCKET || this == SECURE_WEBSOCKET;
    }

    String pahoUri(int port) {
        return uri(pahoScheme, port);
    }

    String jsUri(int port) {
        return uri(jsScheme, port);
    }

    private String uri(String scheme, int port) {
        return scheme + "://127.0.0.1:" + port + (isWebSocket() ? "/mqtt" : "");
    }
}
