package io.rotamq.mqtt;

/** The answer to a CONNECT. {@code sessionPresent} only with SUCCESS [MQTT-3.2.2-6]. */
public record Connack(boolean sessionPresent, ReasonCode reasonCode, ConnackProperties properties)
        implements Packet {}
