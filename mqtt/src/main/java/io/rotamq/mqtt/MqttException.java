package io.rotamq.mqtt;

/**
 * Bad input from a client, the only way it is reported.
 *
 * <p>It has no stack trace: it is thrown for every malformed packet that anybody cares to send, and
 * tells about the client, not about this program. Whoever catches it closes the connection, after
 * the answer that the version and the state of the connection allow [MQTT-4.13.1-1].
 */
public class MqttException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ReasonCode reasonCode;

    /**
     * Bad input.
     *
     * @param reasonCode what an MQTT 5 client is told; an error code
     * @param reason for humans: logs and reason strings. Never contains bytes of the client's
     */
    public MqttException(ReasonCode reasonCode, String reason) {
        super(reason, null, false, false);
        this.reasonCode = reasonCode;
    }

    /** What an MQTT 5 client is told; always an error code. */
    public ReasonCode reasonCode() {
        return reasonCode;
    }

    /** The reason for humans. */
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }

    /** A packet that cannot be parsed. */
    public static MqttException malformed(String reason) {
        return new MqttException(ReasonCode.MALFORMED_PACKET, reason);
    }

    /** A packet that can be parsed, but is not allowed there or with that content. */
    public static MqttException protocolError(String reason) {
        return new MqttException(ReasonCode.PROTOCOL_ERROR, reason);
    }

    /** A topic name that is well-formed text and no topic name. */
    public static MqttException invalidTopicName(String reason) {
        return new MqttException(ReasonCode.TOPIC_NAME_INVALID, reason);
    }

    /** A topic alias out of the range that the server announced. */
    public static MqttException invalidTopicAlias(String reason) {
        return new MqttException(ReasonCode.TOPIC_ALIAS_INVALID, reason);
    }

    /** A packet above the limit of its connection. */
    public static MqttException tooLarge(String reason) {
        return new MqttException(ReasonCode.PACKET_TOO_LARGE, reason);
    }
}
