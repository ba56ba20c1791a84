package io.rotamq.mqtt.codec;

import io.netty.buffer.ByteBuf;
import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.Puback;
import io.rotamq.mqtt.Pubcomp;
import io.rotamq.mqtt.Pubrec;
import io.rotamq.mqtt.Pubrel;
import io.rotamq.mqtt.ReasonCode;
import java.util.EnumSet;
import java.util.Set;

/** PUBACK, PUBREC, PUBREL and PUBCOMP, which look alike and have a short form for success. */
final class AcknowledgementDecoder {
    private static final Set<ReasonCode> OF_PUBLISH =
            EnumSet.of(
                    ReasonCode.SUCCESS,
                    ReasonCode.NO_MATCHING_SUBSCRIBERS,
                    ReasonCode.UNSPECIFIED_ERROR,
                    ReasonCode.IMPLEMENTATION_SPECIFIC_ERROR,
                    ReasonCode.NOT_AUTHORIZED,
                    ReasonCode.TOPIC_NAME_INVALID,
                    ReasonCode.PACKET_IDENTIFIER_IN_USE,
                    ReasonCode.QUOTA_EXCEEDED,
                    ReasonCode.PAYLOAD_FORMAT_INVALID);
    private static final Set<ReasonCode> OF_RELEASE =
            EnumSet.of(ReasonCode.SUCCESS, ReasonCode.PACKET_IDENTIFIER_NOT_FOUND);

    private AcknowledgementDecoder() {}

    static Packet decode(int type, ByteBuf in, int start, int length) throws MqttException {
        if (length < 2) {
            throw MqttException.malformed("acknowledgement has no packet identifier");
        }
        int packetId = in.getUnsignedShort(start);
        if (packetId == 0) {
            throw MqttException.protocolError("packet identifier is 0");
        }
        if (length == 2) {
            return of(type, packetId, ReasonCode.SUCCESS, Details.NONE);
        }
        Frame frame = Frame.of(in, start + 2, length - 2);
        boolean ofPublish = type == PacketType.PUBACK || type == PacketType.PUBREC;
        ReasonCode reasonCode = frame.reasonCode(ofPublish ? OF_PUBLISH : OF_RELEASE);
        Details details = frame.hasMore() ? DetailsDecoder.decode(frame) : Details.NONE;
        frame.end();
        return of(type, packetId, reasonCode, details);
    }

    private static Packet of(int type, int packetId, ReasonCode reasonCode, Details details) {
        return switch (type) {
            case PacketType.PUBACK -> new Puback(packetId, reasonCode, details);
            case PacketType.PUBREC -> new Pubrec(packetId, reasonCode, details);
            case PacketType.PUBREL -> new Pubrel(packetId, reasonCode, details);
            default -> new Pubcomp(packetId, reasonCode, details);
        };
    }
}
