package io.rotamq.testkit;

import java.nio.charset.StandardCharsets;

/** Builds a SUBSCRIBE; each filter has its options byte (in 3.1.1: the QoS). */
public final class SubscribePacket implements Outgoing {
    public static final int NO_LOCAL = 0x04;
    public static final int RETAIN_AS_PUBLISHED = 0x08;
    public static final int RETAIN_IF_NEW = 0x10;
    public static final int RETAIN_NEVER = 0x20;

    private final int packetId;
    private final Props props = new Props();
    private final Bytes filters = new Bytes();

    private SubscribePacket(int packetId) {
        this.packetId = packetId;
    }

    public static SubscribePacket id(int packetId) {
        return new SubscribePacket(packetId);
    }

    public SubscribePacket filter(String filter, int options) {
        return filter(filter.getBytes(StandardCharsets.UTF_8), options);
    }

    public SubscribePacket filter(byte[] filter, int options) {
        filters.binary(filter).u8(options);
        return this;
    }

    /** Subscription Identifier. */
    public SubscribePacket identifier(int identifier) {
        return with(Property.SUBSCRIPTION_ID, identifier);
    }

    public SubscribePacket with(Property property, Object value) {
        props.with(property, value);
        return this;
    }

    public SubscribePacket user(String name, String value) {
        props.user(name, value);
        return this;
    }

    int packetId() {
        return packetId;
    }

    @Override
    public byte[] encode(int level) {
        Bytes body = new Bytes().u16(packetId);
        if (level == 5) {
            body.raw(props.encode());
        }
        return body.raw(filters.toArray()).packet(0x82);
    }
}
