package io.rotamq.mqtt.codec;

import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.Disconnect;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.ReasonCode;
import java.util.EnumSet;
import java.util.Set;

/** DISCONNECT from a client. */
final class DisconnectDecoder {
    private static final long ALLOWED =
            Property.set(
                    Property.SESSION_EXPIRY, Property.REASON_STRING, Property.SERVER_REFERENCE);

    /** Those of table 3-10 that clients may send. */
    private static final Set<ReasonCode> FROM_CLIENTS =
            EnumSet.of(
                    ReasonCode.SUCCESS,
                    ReasonCode.DISCONNECT_WITH_WILL_MESSAGE,
                    ReasonCode.UNSPECIFIED_ERROR,
                    ReasonCode.MALFORMED_PACKET,
                    ReasonCode.PROTOCOL_ERROR,
                    ReasonCode.IMPLEMENTATION_SPECIFIC_ERROR,
                    ReasonCode.TOPIC_NAME_INVALID,
                    ReasonCode.RECEIVE_MAXIMUM_EXCEEDED,
                    ReasonCode.TOPIC_ALIAS_INVALID,
                    ReasonCode.PACKET_TOO_LARGE,
                    ReasonCode.MESSAGE_RATE_TOO_HIGH,
                    ReasonCode.QUOTA_EXCEEDED,
                    ReasonCode.ADMINISTRATIVE_ACTION,
                    ReasonCode.PAYLOAD_FORMAT_INVALID);

    private DisconnectDecoder() {}

    static Disconnect decode(Frame frame) throws MqttException {
        ReasonCode reasonCode =
                frame.hasMore() ? frame.reasonCode(FROM_CLIENTS) : ReasonCode.SUCCESS;
        if (!frame.hasMore()) {
            return new Disconnect(reasonCode, -1, Details.NONE, null);
        }
        PropertyReader properties = new PropertyReader(frame, ALLOWED);
        long sessionExpiry = -1;
        String reason = null;
        while (properties.next()) {
            switch (properties.id()) {
                case Property.SESSION_EXPIRY -> sessionExpiry = frame.unsignedInt();
                case Property.REASON_STRING -> reason = frame.string();
                default ->
                        throw MqttException.protocolError(
                                "server reference is for servers to send");
            }
        }
        frame.end();
        Details details = DetailsDecoder.of(reason, properties.userProperties());
        return new Disconnect(reasonCode, sessionExpiry, details, null);
    }
}
