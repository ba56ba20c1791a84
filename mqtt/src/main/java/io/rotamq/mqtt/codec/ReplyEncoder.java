package io.rotamq.mqtt.codec;

import io.netty.buffer.ByteBuf;
import io.rotamq.mqtt.Acknowledgement;
import io.rotamq.mqtt.Auth;
import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.Disconnect;
import io.rotamq.mqtt.ReasonCode;
import java.util.List;

/**
 * The packets by which an MQTT 5 server answers, each in its shortest form. Every method writes
 * nothing and returns false if the packet would exceed what the client takes.
 *
 * @param maximum the client's Maximum Packet Size
 * @param detailed whether the client wants details with other packets than PUBLISH, CONNACK and
 *     DISCONNECT [MQTT-3.1.2-29]
 */
record ReplyEncoder(long maximum, boolean detailed) {

    boolean acknowledgement(int header, Acknowledgement packet, ByteBuf out) {
        Details details = packet.details();
        boolean bare =
                !detailed || details.reasonString() == null && details.userProperties().isEmpty();
        if (bare) {
            return shortAcknowledgement(header, packet, out);
        }
        OutgoingProperties properties = OutgoingProperties.of(details, true);
        if (!properties.fit(3, maximum) || properties.isEmpty()) {
            return shortAcknowledgement(header, packet, out);
        }
        out.writeByte(header);
        VariableByteInteger.write(3 + properties.size(), out);
        out.writeShort(packet.packetId()).writeByte(packet.reasonCode().code());
        properties.writeTo(out);
        return true;
    }

    private boolean shortAcknowledgement(int header, Acknowledgement packet, ByteBuf out) {
        boolean success = packet.reasonCode() == ReasonCode.SUCCESS;
        if (maximum < (success ? 4 : 5)) {
            return false;
        }
        out.writeByte(header).writeByte(success ? 2 : 3).writeShort(packet.packetId());
        if (!success) {
            out.writeByte(packet.reasonCode().code());
        }
        return true;
    }

    /** SUBACK or UNSUBACK. */
    boolean codes(int header, int packetId, List<ReasonCode> codes, Details details, ByteBuf out) {
        OutgoingProperties properties = OutgoingProperties.of(details, detailed);
        int others = 2 + codes.size();
        if (!properties.fit(others, maximum)) {
            return false;
        }
        out.writeByte(header);
        VariableByteInteger.write(others + properties.size(), out);
        out.writeShort(packetId);
        properties.writeTo(out);
        for (ReasonCode code : codes) {
            out.writeByte(code.code());
        }
        return true;
    }

    /** Without a session expiry, which servers do not send [MQTT-3.14.2-2]. */
    boolean disconnect(Disconnect packet, ByteBuf out) {
        OutgoingProperties properties = new OutgoingProperties();
        if (packet.serverReference() != null) {
            properties.addString(Property.SERVER_REFERENCE, packet.serverReference());
        }
        properties.addDetails(packet.details());
        if (properties.fit(1, maximum) && !properties.isEmpty()) {
            out.writeByte(PacketType.DISCONNECT << 4);
            VariableByteInteger.write(1 + properties.size(), out);
            out.writeByte(packet.reasonCode().code());
            properties.writeTo(out);
            return true;
        }
        return shortDisconnect(packet.reasonCode(), out);
    }

    private boolean shortDisconnect(ReasonCode reasonCode, ByteBuf out) {
        boolean normal = reasonCode == ReasonCode.SUCCESS;
        if (maximum < (normal ? 2 : 3)) {
            return false;
        }
        out.writeByte(PacketType.DISCONNECT << 4).writeByte(normal ? 0 : 1);
        if (!normal) {
            out.writeByte(reasonCode.code());
        }
        return true;
    }

    boolean auth(Auth packet, ByteBuf out) {
        OutgoingProperties properties = new OutgoingProperties();
        if (packet.method() != null) {
            properties.addString(Property.AUTHENTICATION_METHOD, packet.method());
        }
        if (packet.data() != null) {
            properties.addBinary(Property.AUTHENTICATION_DATA, packet.data());
        }
        if (detailed) {
            properties.addDetails(packet.details());
        }
        if (!properties.fit(1, maximum)) {
            return false;
        }
        out.writeByte(PacketType.AUTH << 4);
        VariableByteInteger.write(1 + properties.size(), out);
        out.writeByte(packet.reasonCode().code());
        properties.writeTo(out);
        return true;
    }
}
