package io.rotamq.mqtt.codec;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperty;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PayloadFormatIndicator;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.UserProperty;
import io.rotamq.mqtt.topic.TopicName;
import java.util.List;

/** A message with all that MQTT 5 lets it have, as the HiveMQ client's PUBLISH and as ours. */
record HiveMqMessage(
        String topic,
        byte[] payload,
        int qos,
        boolean retain,
        long expiry,
        boolean utf8,
        String contentType,
        String responseTopic,
        byte[] correlation,
        List<UserProperty> pairs) {

    Mqtt5Publish theirs() {
        return Mqtt5Publish.builder()
                .topic(topic)
                .payload(payload)
                .qos(MqttQos.fromCode(qos))
                .retain(retain)
                .messageExpiryInterval(expiry)
                .payloadFormatIndicator(
                        utf8
                                ? Mqtt5PayloadFormatIndicator.UTF_8
                                : Mqtt5PayloadFormatIndicator.UNSPECIFIED)
                .contentType(contentType)
                .responseTopic(responseTopic)
                .correlationData(correlation)
                .userProperties(theirs(pairs))
                .build();
    }

    byte[] properties() {
        Wire properties =
                Wire.part()
                        .u8(Property.PAYLOAD_FORMAT)
                        .u8(utf8 ? 1 : 0)
                        .u8(Property.CONTENT_TYPE)
                        .string(contentType)
                        .u8(Property.RESPONSE_TOPIC)
                        .string(responseTopic)
                        .u8(Property.CORRELATION_DATA)
                        .binary(correlation);
        for (UserProperty pair : pairs) {
            properties.u8(Property.USER_PROPERTY).string(pair.name()).string(pair.value());
        }
        return properties.bytes();
    }

    Publish ours(int packetId, boolean dup) {
        return new Publish(
                TopicName.of(topic), payload, qos, retain, dup, packetId, expiry, properties());
    }

    static Mqtt5UserProperties theirs(List<UserProperty> pairs) {
        return Mqtt5UserProperties.of(
                pairs.stream()
                        .map(pair -> Mqtt5UserProperty.of(pair.name(), pair.value()))
                        .toList());
    }
}
