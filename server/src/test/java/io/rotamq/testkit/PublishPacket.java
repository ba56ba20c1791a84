package io.rotamq.testkit;

import java.nio.charset.StandardCharsets;

/** Builds a PUBLISH from a client. */
public final class PublishPacket implements Outgoing {
    private final byte[] topic;
    private byte[] payload;
    private final Props props = new Props();
    private int qos;
    private int packetId;
    private boolean retain;
    private boolean dup;

    private PublishPacket(byte[] topic, byte[] payload) {
        this.topic = topic;
        this.payload = payload;
    }

    public static PublishPacket of(String topic, String payload) {
        return new PublishPacket(
                topic.getBytes(StandardCharsets.UTF_8), payload.getBytes(StandardCharsets.UTF_8));
    }

    /** For topics that are no valid strings. */
    public static PublishPacket ofRawTopic(String hex) {
        return new PublishPacket(Bytes.hex(hex), new byte[] {'x'});
    }

    public PublishPacket payload(byte[] bytes) {
        payload = bytes;
        return this;
    }

    /** QoS and packet identifier (not sent with QoS 0). */
    public PublishPacket qos(int level, int id) {
        qos = level;
        packetId = id;
        return this;
    }

    public PublishPacket retain() {
        retain = true;
        return this;
    }

    public PublishPacket dup() {
        dup = true;
        return this;
    }

    public PublishPacket alias(int alias) {
        return with(Property.TOPIC_ALIAS, alias);
    }

    public PublishPacket with(Property property, Object value) {
        props.with(property, value);
        return this;
    }

    public PublishPacket user(String name, String value) {
        props.user(name, value);
        return this;
    }

    /** Bytes behind the other properties: for malformed input. */
    public PublishPacket rawProperties(String hex) {
        props.raw(hex);
        return this;
    }

    int qos() {
        return qos;
    }

    int packetId() {
        return packetId;
    }

    @Override
    public byte[] encode(int level) {
        Bytes body = new Bytes().binary(topic);
        if (qos > 0) {
            body.u16(packetId);
        }
        if (level == 5) {
            body.raw(props.encode());
        }
        return body.raw(payload).packet(0x30 | (dup ? 8 : 0) | qos << 1 | (retain ? 1 : 0));
    }
}
