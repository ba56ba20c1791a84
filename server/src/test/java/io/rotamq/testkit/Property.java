package io.rotamq.testkit;

/** The MQTT 5 properties with their identifiers and wire types. */
public enum Property {
    PAYLOAD_FORMAT(0x01, Kind.BYTE),
    MESSAGE_EXPIRY(0x02, Kind.INT),
    CONTENT_TYPE(0x03, Kind.TEXT),
    RESPONSE_TOPIC(0x08, Kind.TEXT),
    CORRELATION_DATA(0x09, Kind.BINARY),
    SUBSCRIPTION_ID(0x0B, Kind.VARINT),
    SESSION_EXPIRY(0x11, Kind.INT),
    ASSIGNED_CLIENT_ID(0x12, Kind.TEXT),
    SERVER_KEEP_ALIVE(0x13, Kind.SHORT),
    AUTH_METHOD(0x15, Kind.TEXT),
    AUTH_DATA(0x16, Kind.BINARY),
    REQUEST_PROBLEM_INFO(0x17, Kind.BYTE),
    WILL_DELAY(0x18, Kind.INT),
    REQUEST_RESPONSE_INFO(0x19, Kind.BYTE),
    RESPONSE_INFO(0x1A, Kind.TEXT),
    SERVER_REFERENCE(0x1C, Kind.TEXT),
    REASON_STRING(0x1F, Kind.TEXT),
    RECEIVE_MAXIMUM(0x21, Kind.SHORT),
    TOPIC_ALIAS_MAXIMUM(0x22, Kind.SHORT),
    TOPIC_ALIAS(0x23, Kind.SHORT),
    MAXIMUM_QOS(0x24, Kind.BYTE),
    RETAIN_AVAILABLE(0x25, Kind.BYTE),
    USER_PROPERTY(0x26, Kind.PAIR),
    MAXIMUM_PACKET_SIZE(0x27, Kind.INT),
    WILDCARD_AVAILABLE(0x28, Kind.BYTE),
    SUBSCRIPTION_IDS_AVAILABLE(0x29, Kind.BYTE),
    SHARED_AVAILABLE(0x2A, Kind.BYTE);

    enum Kind {
        BYTE,
        SHORT,
        INT,
        VARINT,
        TEXT,
        BINARY,
        PAIR
    }

    final int id;
    final Kind kind;

    Property(int id, Kind kind) {
        this.id = id;
        this.kind = kind;
    }

    static Property of(int id) {
        for (Property property : values()) {
            if (property.id == id) {
                return property;
            }
        }
        throw new AssertionError("the broker sent the unknown property 0x%02X".formatted(id));
    }
}
