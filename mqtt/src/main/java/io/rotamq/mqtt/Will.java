package io.rotamq.mqtt;

import io.rotamq.mqtt.topic.TopicName;

/**
 * The message that the server publishes for a client that went without a normal DISCONNECT.
 *
 * @param delay seconds to wait, 0 to 0xFFFFFFFF
 * @param messageExpiry seconds from the publication on, -1 if absent
 * @param properties encoded, to be forwarded unchanged; as in {@link Publish}
 */
public record Will(
        TopicName topic,
        byte[] payload,
        int qos,
        boolean retain,
        long delay,
        long messageExpiry,
        byte[] properties) {}
