package io.rotamq.mqtt.codec;

/** The identifiers of MQTT 5 properties; all fit into a byte. */
final class Property {
    static final int PAYLOAD_FORMAT = 0x01;
    static final int MESSAGE_EXPIRY = 0x02;
    static final int CONTENT_TYPE = 0x03;
    static final int RESPONSE_TOPIC = 0x08;
    static final int CORRELATION_DATA = 0x09;
    static final int SUBSCRIPTION_ID = 0x0B;
    static final int SESSION_EXPIRY = 0x11;
    static final int ASSIGNED_CLIENT_ID = 0x12;
    static final int SERVER_KEEP_ALIVE = 0x13;
    static final int AUTHENTICATION_METHOD = 0x15;
    static final int AUTHENTICATION_DATA = 0x16;
    static final int REQUEST_PROBLEM_INFORMATION = 0x17;
    static final int WILL_DELAY = 0x18;
    static final int REQUEST_RESPONSE_INFORMATION = 0x19;
    static final int RESPONSE_INFORMATION = 0x1A;
    static final int SERVER_REFERENCE = 0x1C;
    static final int REASON_STRING = 0x1F;
    static final int RECEIVE_MAXIMUM = 0x21;
    static final int TOPIC_ALIAS_MAXIMUM = 0x22;
    static final int TOPIC_ALIAS = 0x23;
    static final int MAXIMUM_QOS = 0x24;
    static final int RETAIN_AVAILABLE = 0x25;
    static final int USER_PROPERTY = 0x26;
    static final int MAXIMUM_PACKET_SIZE = 0x27;
    static final int WILDCARD_AVAILABLE = 0x28;
    static final int SUBSCRIPTION_IDS_AVAILABLE = 0x29;
    static final int SHARED_AVAILABLE = 0x2A;

    private Property() {}

    /** A set of identifiers as bits. */
    static long set(int... ids) {
        long set = 0;
        for (int id : ids) {
            set |= 1L << id;
        }
        return set;
    }
}
