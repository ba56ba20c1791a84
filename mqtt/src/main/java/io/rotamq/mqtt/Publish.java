package io.rotamq.mqtt;

import io.rotamq.mqtt.topic.TopicName;

/**
 * An application message on its way.
 *
 * @param topic with the topic alias, if there was one, already resolved
 * @param packetId 1 to 65,535; 0 with QoS 0
 * @param messageExpiry seconds, 0 to 0xFFFFFFFF; -1 if absent
 * @param properties the encoded MQTT 5 properties to be forwarded unchanged and in order (payload
 *     format, content type, response topic, correlation data, user properties), checked, without
 *     their length. Message expiry, topic alias and subscription identifiers, which each hop sets
 *     anew, are not among them
 */
public record Publish(
        TopicName topic,
        byte[] payload,
        int qos,
        boolean retain,
        boolean dup,
        int packetId,
        long messageExpiry,
        byte[] properties)
        implements Packet {
    /** No properties to forward. */
    public static final byte[] NO_PROPERTIES = {};
}
