package io.rotamq.mqtt;

import org.jspecify.annotations.Nullable;

/** The reason codes of MQTT 5.0 by their standard names (table 2-6). */
public enum ReasonCode {
    /** Also Normal disconnection and Granted QoS 0. */
    SUCCESS(0x00),
    GRANTED_QOS_1(0x01),
    GRANTED_QOS_2(0x02),
    DISCONNECT_WITH_WILL_MESSAGE(0x04),
    NO_MATCHING_SUBSCRIBERS(0x10),
    NO_SUBSCRIPTION_EXISTED(0x11),
    CONTINUE_AUTHENTICATION(0x18),
    REAUTHENTICATE(0x19),
    UNSPECIFIED_ERROR(0x80),
    MALFORMED_PACKET(0x81),
    PROTOCOL_ERROR(0x82),
    IMPLEMENTATION_SPECIFIC_ERROR(0x83),
    UNSUPPORTED_PROTOCOL_VERSION(0x84),
    CLIENT_IDENTIFIER_NOT_VALID(0x85),
    BAD_USER_NAME_OR_PASSWORD(0x86),
    NOT_AUTHORIZED(0x87),
    SERVER_UNAVAILABLE(0x88),
    SERVER_BUSY(0x89),
    BANNED(0x8A),
    SERVER_SHUTTING_DOWN(0x8B),
    BAD_AUTHENTICATION_METHOD(0x8C),
    KEEP_ALIVE_TIMEOUT(0x8D),
    SESSION_TAKEN_OVER(0x8E),
    TOPIC_FILTER_INVALID(0x8F),
    TOPIC_NAME_INVALID(0x90),
    PACKET_IDENTIFIER_IN_USE(0x91),
    PACKET_IDENTIFIER_NOT_FOUND(0x92),
    RECEIVE_MAXIMUM_EXCEEDED(0x93),
    TOPIC_ALIAS_INVALID(0x94),
    PACKET_TOO_LARGE(0x95),
    MESSAGE_RATE_TOO_HIGH(0x96),
    QUOTA_EXCEEDED(0x97),
    ADMINISTRATIVE_ACTION(0x98),
    PAYLOAD_FORMAT_INVALID(0x99),
    RETAIN_NOT_SUPPORTED(0x9A),
    QOS_NOT_SUPPORTED(0x9B),
    USE_ANOTHER_SERVER(0x9C),
    SERVER_MOVED(0x9D),
    SHARED_SUBSCRIPTIONS_NOT_SUPPORTED(0x9E),
    CONNECTION_RATE_EXCEEDED(0x9F),
    MAXIMUM_CONNECT_TIME(0xA0),
    SUBSCRIPTION_IDENTIFIERS_NOT_SUPPORTED(0xA1),
    WILDCARD_SUBSCRIPTIONS_NOT_SUPPORTED(0xA2);

    private static final @Nullable ReasonCode[] BY_CODE = new @Nullable ReasonCode[256];

    static {
        for (ReasonCode reasonCode : values()) {
            BY_CODE[reasonCode.code] = reasonCode;
        }
    }

    private final int code;

    ReasonCode(int code) {
        this.code = code;
    }

    /** The byte on the wire, 0 to 255. */
    public int code() {
        return code;
    }

    /** Whether the code tells of a failure. */
    public boolean isError() {
        return code >= 0x80;
    }

    /**
     * Whether a CONNACK of MQTT 3.1 or 3.1.1 can say this. Where it cannot, the connection is
     * closed without one [MQTT-3.2.2-6 of 3.1.1].
     */
    public boolean hasV3ReturnCode() {
        return v3ReturnCode() >= 0;
    }

    /** The CONNACK return code of MQTT 3.1 and 3.1.1, or -1 where none fits. */
    public int v3ReturnCode() {
        return switch (this) {
            case SUCCESS -> 0;
            case UNSUPPORTED_PROTOCOL_VERSION -> 1;
            case CLIENT_IDENTIFIER_NOT_VALID -> 2;
            case SERVER_UNAVAILABLE -> 3;
            case BAD_USER_NAME_OR_PASSWORD -> 4;
            case NOT_AUTHORIZED -> 5;
            default -> -1;
        };
    }

    /** The reason code of that byte, null if the standard defines none. */
    public static @Nullable ReasonCode of(int code) {
        return code < 0 || code >= BY_CODE.length ? null : BY_CODE[code];
    }
}
