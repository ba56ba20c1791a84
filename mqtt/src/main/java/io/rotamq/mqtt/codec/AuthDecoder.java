package io.rotamq.mqtt.codec;

import io.rotamq.mqtt.Auth;
import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.ReasonCode;
import java.util.EnumSet;
import java.util.Set;

/** AUTH from a client. */
final class AuthDecoder {
    private static final long ALLOWED =
            Property.set(
                    Property.AUTHENTICATION_METHOD,
                    Property.AUTHENTICATION_DATA,
                    Property.REASON_STRING);
    private static final Set<ReasonCode> DEFINED =
            EnumSet.of(
                    ReasonCode.SUCCESS,
                    ReasonCode.CONTINUE_AUTHENTICATION,
                    ReasonCode.REAUTHENTICATE);

    private AuthDecoder() {}

    static Auth decode(Frame frame) throws MqttException {
        ReasonCode reasonCode = frame.hasMore() ? frame.reasonCode(DEFINED) : ReasonCode.SUCCESS;
        if (reasonCode == ReasonCode.SUCCESS) {
            throw MqttException.protocolError("AUTH with success is for servers to send");
        }
        if (!frame.hasMore()) {
            throw noMethod();
        }
        PropertyReader properties = new PropertyReader(frame, ALLOWED);
        String method = null;
        byte[] data = null;
        String reason = null;
        while (properties.next()) {
            switch (properties.id()) {
                case Property.AUTHENTICATION_METHOD -> method = frame.string();
                case Property.AUTHENTICATION_DATA -> data = frame.binary();
                default -> reason = frame.string();
            }
        }
        frame.end();
        if (method == null) {
            throw noMethod();
        }
        Details details = DetailsDecoder.of(reason, properties.userProperties());
        return new Auth(reasonCode, method, data, details);
    }

    private static MqttException noMethod() {
        return MqttException.protocolError("AUTH has no authentication method");
    }
}
