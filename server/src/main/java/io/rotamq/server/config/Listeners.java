package io.rotamq.server.config;

import java.util.List;

/**
 * The places to listen for clients.
 *
 * @param mqtt MQTT over TCP
 * @param tls MQTT over TLS
 * @param websocket MQTT over WebSocket
 * @param wss MQTT over WebSocket over TLS
 * @param websocketPath the path of the HTTP request that opens a WebSocket, for both
 */
public record Listeners(
        Listener mqtt, Listener tls, Listener websocket, Listener wss, String websocketPath) {
    private static final Kind<Boolean> FLAG = Kinds.flag();

    static final Setting<Boolean> MQTT_ENABLED =
            Setting.of("mqtt.enabled", FLAG, "true", "Listen for MQTT over plain TCP.");
    static final Setting<String> MQTT_HOST =
            Setting.of(
                    "mqtt.host",
                    Kinds.host(),
                    "127.0.0.1",
                    "The address to listen on. `0.0.0.0` is every IPv4 address of the machine, `::`"
                            + " every address; read [Security](#security) first.");
    static final Setting<Integer> MQTT_PORT =
            Setting.of(
                    "mqtt.port",
                    Quantities.port(),
                    "1883",
                    "The port. 0 picks a free one; the ready line tells which.");

    static final Setting<Boolean> TLS_ENABLED =
            Setting.of("tls.enabled", FLAG, "false", "Listen for MQTT over TLS.");
    static final Setting<String> TLS_HOST =
            Setting.like(MQTT_HOST, "tls.host", "The address to listen on.");
    static final Setting<Integer> TLS_PORT =
            Setting.of("tls.port", Quantities.port(), "8883", "The port; 0 picks a free one.");

    static final Setting<Boolean> WEBSOCKET_ENABLED =
            Setting.of("websocket.enabled", FLAG, "true", "Listen for MQTT over WebSocket.");
    static final Setting<String> WEBSOCKET_HOST =
            Setting.like(MQTT_HOST, "websocket.host", "The address to listen on.");
    static final Setting<Integer> WEBSOCKET_PORT =
            Setting.of(
                    "websocket.port", Quantities.port(), "8083", "The port; 0 picks a free one.");
    static final Setting<String> WEBSOCKET_PATH =
            Setting.of(
                    "websocket.path",
                    Kinds.urlPath(),
                    "/mqtt",
                    "The path of the request that opens a WebSocket, with and without TLS.");

    static final Setting<Boolean> WSS_ENABLED =
            Setting.of(
                    "wss.enabled",
                    FLAG,
                    "false",
                    "Listen for MQTT over secure WebSocket, with the certificate of [TLS](#tls).");
    static final Setting<String> WSS_HOST =
            Setting.like(MQTT_HOST, "wss.host", "The address to listen on.");
    static final Setting<Integer> WSS_PORT =
            Setting.of("wss.port", Quantities.port(), "8084", "The port; 0 picks a free one.");

    static final Section SECTION =
            new Section(
                    "Listeners",
                    "MQTT 3.1, 3.1.1 and 5.0 are understood on each of them.",
                    List.of(
                            MQTT_ENABLED,
                            MQTT_HOST,
                            MQTT_PORT,
                            TLS_ENABLED,
                            TLS_HOST,
                            TLS_PORT,
                            WEBSOCKET_ENABLED,
                            WEBSOCKET_HOST,
                            WEBSOCKET_PORT,
                            WEBSOCKET_PATH,
                            WSS_ENABLED,
                            WSS_HOST,
                            WSS_PORT));

    static Listeners of(Values values) {
        return new Listeners(
                listener(values, MQTT_ENABLED, MQTT_HOST, MQTT_PORT),
                listener(values, TLS_ENABLED, TLS_HOST, TLS_PORT),
                listener(values, WEBSOCKET_ENABLED, WEBSOCKET_HOST, WEBSOCKET_PORT),
                listener(values, WSS_ENABLED, WSS_HOST, WSS_PORT),
                values.get(WEBSOCKET_PATH));
    }

    static Listener listener(
            Values values, Setting<Boolean> enabled, Setting<String> host, Setting<Integer> port) {
        return new Listener(values.get(enabled), values.get(host), values.get(port));
    }
}
