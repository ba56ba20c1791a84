package io.rotamq.mqtt;

/** The protocol versions that the broker speaks. */
public enum ProtocolVersion {
    /** MQTT 3.1, protocol name {@code MQIsdp}. */
    MQTT_3_1(3),
    /** MQTT 3.1.1. */
    MQTT_3_1_1(4),
    /** MQTT 5.0. */
    MQTT_5(5);

    private final int level;

    ProtocolVersion(int level) {
        this.level = level;
    }

    /** The protocol level byte of CONNECT. */
    public int level() {
        return level;
    }

    /** Whether packets have reason codes and properties. */
    public boolean isV5() {
        return this == MQTT_5;
    }
}
