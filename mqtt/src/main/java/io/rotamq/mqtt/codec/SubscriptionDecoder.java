package io.rotamq.mqtt.codec;

import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.Subscribe;
import io.rotamq.mqtt.SubscribeRequest;
import io.rotamq.mqtt.Unsubscribe;
import io.rotamq.mqtt.UserProperty;
import java.util.ArrayList;
import java.util.List;

/**
 * SUBSCRIBE and UNSUBSCRIBE. Whether a filter is a valid one is not asked here: a bad one is
 * answered alone, in SUBACK or UNSUBACK.
 */
final class SubscriptionDecoder {
    private static final long IN_SUBSCRIBE = Property.set(Property.SUBSCRIPTION_ID);

    private SubscriptionDecoder() {}

    static Subscribe subscribe(ProtocolVersion version, Frame frame) throws MqttException {
        int packetId = frame.packetId();
        int subscriptionId = 0;
        List<UserProperty> userProperties = List.of();
        if (version.isV5()) {
            PropertyReader properties = new PropertyReader(frame, IN_SUBSCRIBE);
            while (properties.next()) {
                subscriptionId = subscriptionId(frame);
            }
            userProperties = properties.userProperties();
        }
        List<SubscribeRequest> requests = new ArrayList<>(1);
        while (frame.hasMore()) {
            requests.add(request(version, frame));
        }
        checkNotEmpty(requests);
        return new Subscribe(packetId, subscriptionId, requests, userProperties);
    }

    static Unsubscribe unsubscribe(ProtocolVersion version, Frame frame) throws MqttException {
        int packetId = frame.packetId();
        List<UserProperty> userProperties = List.of();
        if (version.isV5()) {
            PropertyReader properties = new PropertyReader(frame, 0);
            properties.next(); // nothing but user properties is allowed, so this is the end
            userProperties = properties.userProperties();
        }
        List<String> filters = new ArrayList<>(1);
        while (frame.hasMore()) {
            filters.add(frame.string());
        }
        checkNotEmpty(filters);
        return new Unsubscribe(packetId, filters, userProperties);
    }

    private static int subscriptionId(Frame frame) throws MqttException {
        int subscriptionId = frame.variableByteInteger();
        if (subscriptionId == 0) {
            throw MqttException.protocolError("subscription identifier is 0");
        }
        return subscriptionId;
    }

    private static SubscribeRequest request(ProtocolVersion version, Frame frame)
            throws MqttException {
        String filter = frame.string();
        int options = frame.unsignedByte();
        int qos = options & 3;
        int retainHandling = options >> 4 & 3;
        int reserved = version.isV5() ? 0xC0 : 0xFC;
        if ((options & reserved) != 0) {
            throw MqttException.malformed("reserved subscription options"); // [MQTT-3.8.3-5]
        }
        if (qos == 3 || retainHandling == 3) {
            throw MqttException.protocolError("QoS 3 or retain handling 3 requested");
        }
        return new SubscribeRequest(
                filter, qos, (options & 4) != 0, (options & 8) != 0, retainHandling);
    }

    /** [MQTT-3.8.3-2] [MQTT-3.10.3-2]. */
    private static void checkNotEmpty(List<?> list) throws MqttException {
        if (list.isEmpty()) {
            throw MqttException.protocolError("packet has no topic filter");
        }
    }
}
