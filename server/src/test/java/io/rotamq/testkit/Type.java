package io.rotamq.testkit;

/** The control packet types; the ordinal is the number on the wire. */
public enum Type {
    RESERVED,
    CONNECT,
    CONNACK,
    PUBLISH,
    PUBACK,
    PUBREC,
    PUBREL,
    PUBCOMP,
    SUBSCRIBE,
    SUBACK,
    UNSUBSCRIBE,
    UNSUBACK,
    PINGREQ,
    PINGRESP,
    DISCONNECT,
    AUTH;

    private static final Type[] ALL = values();

    static Type of(int firstByte) {
        return ALL[(firstByte & 0xF0) >> 4];
    }
}
