package io.rotamq.mqtt.codec;

import io.netty.buffer.ByteBuf;
import io.rotamq.mqtt.Connack;
import io.rotamq.mqtt.ConnackProperties;
import io.rotamq.mqtt.ProtocolVersion;
import org.jspecify.annotations.Nullable;

/** CONNACK in both formats. */
final class ConnackEncoder {
    private static final int HEADER = PacketType.CONNACK << 4;

    private ConnackEncoder() {}

    /** Writes nothing and returns false if no return code of MQTT 3 fits [MQTT-3.2.2-6]. */
    static boolean encodeV3(ProtocolVersion version, Connack connack, ByteBuf out) {
        int returnCode = connack.reasonCode().v3ReturnCode();
        if (returnCode < 0) {
            return false;
        }
        // MQTT 3.1 has no Session Present: its byte is reserved.
        int flags = version == ProtocolVersion.MQTT_3_1 ? 0 : sessionPresent(connack);
        out.writeByte(HEADER).writeByte(2).writeByte(flags).writeByte(returnCode);
        return true;
    }

    static boolean encodeV5(Connack connack, long maximum, ByteBuf out) {
        OutgoingProperties properties = properties(connack.properties());
        if (!properties.fit(2, maximum)) {
            return false;
        }
        out.writeByte(HEADER);
        VariableByteInteger.write(2 + properties.size(), out);
        out.writeByte(sessionPresent(connack)).writeByte(connack.reasonCode().code());
        properties.writeTo(out);
        return true;
    }

    private static int sessionPresent(Connack connack) {
        return connack.sessionPresent() && !connack.reasonCode().isError() ? 1 : 0;
    }

    private static OutgoingProperties properties(ConnackProperties from) {
        OutgoingProperties to = new OutgoingProperties();
        addNumbers(from, to);
        addAvailabilities(from, to);
        addString(Property.ASSIGNED_CLIENT_ID, from.assignedClientId(), to);
        addString(Property.RESPONSE_INFORMATION, from.responseInformation(), to);
        addString(Property.SERVER_REFERENCE, from.serverReference(), to);
        addString(Property.AUTHENTICATION_METHOD, from.authenticationMethod(), to);
        byte[] data = from.authenticationData();
        if (data != null) {
            to.addBinary(Property.AUTHENTICATION_DATA, data);
        }
        to.addDetails(from.details());
        return to;
    }

    private static void addNumbers(ConnackProperties from, OutgoingProperties to) {
        addInt(Property.SESSION_EXPIRY, from.sessionExpiry(), to);
        addShort(Property.RECEIVE_MAXIMUM, from.receiveMaximum(), to);
        addInt(Property.MAXIMUM_PACKET_SIZE, from.maximumPacketSize(), to);
        addShort(Property.TOPIC_ALIAS_MAXIMUM, from.topicAliasMaximum(), to);
        addShort(Property.SERVER_KEEP_ALIVE, from.serverKeepAlive(), to);
        Integer maximumQos = from.maximumQos();
        if (maximumQos != null) {
            to.addByte(Property.MAXIMUM_QOS, maximumQos);
        }
    }

    private static void addAvailabilities(ConnackProperties from, OutgoingProperties to) {
        addBoolean(Property.RETAIN_AVAILABLE, from.retainAvailable(), to);
        addBoolean(Property.WILDCARD_AVAILABLE, from.wildcardSubscriptionAvailable(), to);
        addBoolean(Property.SUBSCRIPTION_IDS_AVAILABLE, from.subscriptionIdsAvailable(), to);
        addBoolean(Property.SHARED_AVAILABLE, from.sharedSubscriptionAvailable(), to);
    }

    private static void addInt(int id, @Nullable Long value, OutgoingProperties to) {
        if (value != null) {
            to.addInt(id, value);
        }
    }

    private static void addShort(int id, @Nullable Integer value, OutgoingProperties to) {
        if (value != null) {
            to.addShort(id, value);
        }
    }

    private static void addBoolean(int id, @Nullable Boolean value, OutgoingProperties to) {
        if (value != null) {
            to.addBoolean(id, value);
        }
    }

    private static void addString(int id, @Nullable String value, OutgoingProperties to) {
        if (value != null) {
            to.addString(id, value);
        }
    }
}
