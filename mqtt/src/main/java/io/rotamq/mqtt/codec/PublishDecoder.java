package io.rotamq.mqtt.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.topic.TopicName;
import io.rotamq.mqtt.topic.TopicNames;
import org.jspecify.annotations.Nullable;

/**
 * PUBLISH, the packet that has to be fast: fields are found by index in the buffer, the topic comes
 * from the loop's cache, and only payload and properties are copied.
 *
 * <p>A payload that is not the UTF-8 which its format indicator promises is passed on: the check is
 * the receiver's choice, and the payload is none of the broker's business (section 3.3.2.3.2).
 */
final class PublishDecoder {
    private static final byte[] NO_PAYLOAD = {};

    private final TopicNames topics;
    private final InboundAliases aliases;
    private final MessageProperties properties = new MessageProperties();

    PublishDecoder(TopicNames topics, int topicAliasMaximum) {
        this.topics = topics;
        this.aliases = new InboundAliases(topics, topicAliasMaximum);
    }

    Publish decode(ProtocolVersion version, int flags, ByteBuf in, int start, int end)
            throws MqttException {
        int topicEnd = topicEnd(in, start, end);
        TopicName named = topicEnd == start + 2 ? null : named(in, start + 2, topicEnd);
        int qos = flags >> 1 & 3;
        int packetId = qos == 0 ? 0 : packetId(in, topicEnd, end);
        int at = qos == 0 ? topicEnd : topicEnd + 2;
        if (version.isV5()) {
            at = properties.readPublish(in, at, end);
        }
        TopicName topic = topic(named);
        byte[] payload = payload(in, at, end - at);
        boolean retain = (flags & 1) != 0;
        // Set with QoS 0 it means nothing; whoever sets it is not worth a disconnection.
        boolean dup = qos > 0 && (flags & 8) != 0;
        Publish publish =
                new Publish(
                        topic,
                        payload,
                        qos,
                        retain,
                        dup,
                        packetId,
                        properties.messageExpiry(),
                        properties.forwarded());
        properties.clear();
        return publish;
    }

    /** Forgets the aliases. */
    void close() {
        aliases.clear();
    }

    private TopicName named(ByteBuf in, int from, int to) throws MqttException {
        TopicName known = topics.get(in, from, to - from);
        if (known == null) {
            throw Frame.noTopicName(ByteBufUtil.getBytes(in, from, to - from));
        }
        return known;
    }

    private static int topicEnd(ByteBuf in, int start, int end) throws MqttException {
        if (end - start < 2) {
            throw MqttException.malformed("PUBLISH has no topic name");
        }
        int topicEnd = start + 2 + in.getUnsignedShort(start);
        if (topicEnd > end) {
            throw MqttException.malformed("topic name is longer than the packet");
        }
        return topicEnd;
    }

    private static int packetId(ByteBuf in, int index, int end) throws MqttException {
        if (end - index < 2) {
            throw MqttException.malformed("PUBLISH has no packet identifier");
        }
        int packetId = in.getUnsignedShort(index);
        if (packetId == 0) {
            throw MqttException.protocolError("packet identifier is 0");
        }
        return packetId;
    }

    private TopicName topic(@Nullable TopicName named) throws MqttException {
        if (properties.hasAlias()) {
            return aliases.resolve(properties.alias(), named);
        }
        if (named == null) {
            throw MqttException.protocolError("topic name is empty");
        }
        return named;
    }

    private static byte[] payload(ByteBuf in, int index, int length) {
        if (length == 0) {
            return NO_PAYLOAD;
        }
        byte[] payload = new byte[length];
        in.getBytes(index, payload);
        return payload;
    }
}
