package io.rotamq.mqtt.codec;

import io.netty.buffer.ByteBuf;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.topic.TopicName;
import org.jspecify.annotations.Nullable;

/**
 * PUBLISH towards one client: what all receivers share is copied as it is, what belongs to this
 * delivery (identifiers, expiry, alias) is written around it. All sizes are known before the first
 * byte is written.
 */
final class PublishEncoder {
    private static final int EXPIRY_SIZE = 5;
    private static final int ALIAS_SIZE = 3;

    private final boolean withProperties;
    private final long maximum;
    private final @Nullable OutboundAliases aliases;

    PublishEncoder(ProtocolVersion version, long maximumPacketSize, int topicAliasMaximum) {
        withProperties = version.isV5();
        maximum = maximumPacketSize;
        aliases =
                version.isV5() && topicAliasMaximum > 0
                        ? new OutboundAliases(topicAliasMaximum)
                        : null;
    }

    boolean fits(Publish publish, long messageExpiry, int[] subscriptionIds) {
        int properties = propertiesSize(publish, messageExpiry, subscriptionIds);
        int others = othersSize(publish, publish.qos() > 0);
        return isAllowed(remaining(publish.topic().length(), others, properties));
    }

    /** Everything but the payload, which is to follow. */
    void encodeHead(
            ByteBuf out,
            int header,
            Publish publish,
            int packetId,
            long messageExpiry,
            int[] subscriptionIds) {
        TopicName topic = publish.topic();
        int properties = propertiesSize(publish, messageExpiry, subscriptionIds);
        int others = othersSize(publish, packetId > 0);
        int alias = OutboundAliases.NONE;
        boolean named = true;
        if (aliases != null) {
            alias = aliases.find(topic);
            named = alias == OutboundAliases.NONE;
            if (!isAllowed(
                    remaining(named ? topic.length() : 0, others, properties + ALIAS_SIZE))) {
                alias = OutboundAliases.NONE;
                named = true;
            } else {
                alias = named ? aliases.assign(topic) : alias;
                properties += ALIAS_SIZE;
            }
        }
        int remaining = remaining(named ? topic.length() : 0, others, properties);
        if (!isAllowed(remaining)) {
            throw new IllegalArgumentException("PUBLISH does not fit: " + remaining);
        }
        out.ensureWritable(
                1 + VariableByteInteger.size(remaining) + remaining - publish.payload().length);
        out.writeByte(header);
        VariableByteInteger.write(remaining, out);
        writeTopic(topic, named, out);
        if (packetId > 0) {
            out.writeShort(packetId);
        }
        if (withProperties) {
            VariableByteInteger.write(properties, out);
            writeProperties(messageExpiry, alias, subscriptionIds, out);
            out.writeBytes(publish.properties());
        }
    }

    private static int othersSize(Publish publish, boolean withPacketId) {
        return publish.payload().length + (withPacketId ? 2 : 0);
    }

    /** The size of the properties without an alias. */
    private int propertiesSize(Publish publish, long messageExpiry, int[] subscriptionIds) {
        if (!withProperties) {
            return 0;
        }
        int size = publish.properties().length + (messageExpiry >= 0 ? EXPIRY_SIZE : 0);
        for (int subscriptionId : subscriptionIds) {
            size += 1 + VariableByteInteger.size(subscriptionId);
        }
        return size;
    }

    private int remaining(int topicLength, int others, int properties) {
        int length = withProperties ? VariableByteInteger.size(properties) + properties : 0;
        return 2 + topicLength + others + length;
    }

    private boolean isAllowed(int remaining) {
        return remaining <= VariableByteInteger.MAX
                && 1 + VariableByteInteger.size(remaining) + remaining <= maximum;
    }

    private static void writeTopic(TopicName topic, boolean named, ByteBuf out) {
        if (named) {
            out.writeShort(topic.length());
            topic.writeTo(out);
        } else {
            out.writeShort(0);
        }
    }

    private static void writeProperties(
            long messageExpiry, int alias, int[] subscriptionIds, ByteBuf out) {
        if (messageExpiry >= 0) {
            out.writeByte(Property.MESSAGE_EXPIRY).writeInt((int) messageExpiry);
        }
        if (alias != OutboundAliases.NONE) {
            out.writeByte(Property.TOPIC_ALIAS).writeShort(alias);
        }
        for (int subscriptionId : subscriptionIds) {
            out.writeByte(Property.SUBSCRIPTION_ID);
            VariableByteInteger.write(subscriptionId, out);
        }
    }
}
