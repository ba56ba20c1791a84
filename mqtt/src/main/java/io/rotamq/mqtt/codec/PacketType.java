package io.rotamq.mqtt.codec;

import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.ProtocolVersion;
import org.jspecify.annotations.Nullable;

/** The packet types of the fixed header, and what its first byte alone already tells. */
final class PacketType {
    static final int CONNECT = 1;
    static final int CONNACK = 2;
    static final int PUBLISH = 3;
    static final int PUBACK = 4;
    static final int PUBREC = 5;
    static final int PUBREL = 6;
    static final int PUBCOMP = 7;
    static final int SUBSCRIBE = 8;
    static final int SUBACK = 9;
    static final int UNSUBSCRIBE = 10;
    static final int UNSUBACK = 11;
    static final int PINGREQ = 12;
    static final int PINGRESP = 13;
    static final int DISCONNECT = 14;
    static final int AUTH = 15;

    private static final int DUP = 8;
    private static final int QOS = 6;

    private PacketType() {}

    /**
     * Checks type and flags of a packet from a client.
     *
     * @param version null until CONNECT has been accepted, which must come first and only once
     */
    static void check(int type, int flags, @Nullable ProtocolVersion version) throws MqttException {
        if (version == null && type != CONNECT) {
            throw MqttException.protocolError("first packet is not CONNECT"); // [MQTT-3.1.0-1]
        }
        if (version != null && type == CONNECT) {
            throw MqttException.protocolError("second CONNECT"); // [MQTT-3.1.0-2]
        }
        if (type == 0 || type == AUTH && version != null && !version.isV5()) {
            throw MqttException.malformed("packet type is reserved");
        }
        if (type == CONNACK || type == SUBACK || type == UNSUBACK || type == PINGRESP) {
            throw MqttException.protocolError("packet is for servers to send");
        }
        if (!areFlagsValid(type, flags, version)) {
            throw MqttException.malformed("reserved flags of the fixed header"); // [MQTT-2.1.3-1]
        }
    }

    private static boolean areFlagsValid(int type, int flags, @Nullable ProtocolVersion version) {
        return switch (type) {
            case PUBLISH -> (flags & QOS) != QOS; // [MQTT-3.3.1-4]
            // MQTT 3.1 marks the repetition of these three too.
            case PUBREL, SUBSCRIBE, UNSUBSCRIBE ->
                    (version == ProtocolVersion.MQTT_3_1 ? flags & ~DUP : flags) == 2;
            default -> flags == 0;
        };
    }

    /** Checks the remaining length of those packets that have only one. */
    static void checkLength(int type, int length, @Nullable ProtocolVersion version)
            throws MqttException {
        boolean v3 = version != null && !version.isV5();
        boolean valid =
                switch (type) {
                    case PINGREQ -> length == 0;
                    case PUBACK, PUBREC, PUBREL, PUBCOMP -> !v3 || length == 2;
                    case DISCONNECT -> !v3 || length == 0;
                    default -> true;
                };
        if (!valid) {
            throw MqttException.malformed("packet has the wrong length");
        }
    }
}
