package io.rotamq.mqtt;

import org.jspecify.annotations.Nullable;

/**
 * A CONNECT of a protocol or a version that the broker does not speak.
 *
 * <p>The answer has to be in the format that the client can read [MQTT-3.1.2-2], so this tells
 * which that is.
 */
public final class UnsupportedVersionException extends MqttException {
    private static final long serialVersionUID = 1L;

    /** Mosquitto's bridges set this bit on an otherwise ordinary level and retry without it. */
    private static final int BRIDGE_BIT = 0x80;

    private final int protocolLevel;
    private final transient @Nullable ProtocolVersion answerVersion;

    private UnsupportedVersionException(
            String reason, int protocolLevel, @Nullable ProtocolVersion answerVersion) {
        super(ReasonCode.UNSUPPORTED_PROTOCOL_VERSION, reason);
        this.protocolLevel = protocolLevel;
        this.answerVersion = answerVersion;
    }

    /** The protocol name is another one. */
    public static UnsupportedVersionException ofName() {
        return new UnsupportedVersionException("protocol name is not MQTT", -1, null);
    }

    /** The name is MQTT's, the level none that the broker speaks. */
    public static UnsupportedVersionException ofLevel(int level) {
        ProtocolVersion answer =
                (level & ~BRIDGE_BIT) >= ProtocolVersion.MQTT_5.level()
                        ? ProtocolVersion.MQTT_5
                        : ProtocolVersion.MQTT_3_1_1;
        return new UnsupportedVersionException("protocol level is not supported", level, answer);
    }

    /** The protocol level byte of the CONNECT, -1 if the protocol name was wrong already. */
    public int protocolLevel() {
        return protocolLevel;
    }

    /**
     * The version whose CONNACK the client can be expected to understand; null if the protocol name
     * was wrong, so that the connection is closed without an answer.
     */
    public @Nullable ProtocolVersion answerVersion() {
        return answerVersion;
    }
}
