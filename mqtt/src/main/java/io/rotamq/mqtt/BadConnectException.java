package io.rotamq.mqtt;

/**
 * A CONNECT of a version that the broker speaks, which cannot be accepted as it stands. An MQTT 5
 * client is told why in CONNACK [MQTT-3.1.4-1]; older ones are closed without an answer.
 */
public final class BadConnectException extends MqttException {
    private static final long serialVersionUID = 1L;

    private final ProtocolVersion version;

    /** What is bad about a CONNECT, with the version that it named. */
    public BadConnectException(ProtocolVersion version, MqttException bad) {
        super(bad.reasonCode(), bad.getMessage());
        this.version = version;
    }

    /** The version that the CONNECT named. */
    public ProtocolVersion version() {
        return version;
    }
}
