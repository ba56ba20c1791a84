package io.rotamq.testkit;

import java.nio.charset.StandardCharsets;

/** Builds an UNSUBSCRIBE. */
public final class UnsubscribePacket implements Outgoing {
    private final int packetId;
    private final Bytes filters = new Bytes();

    private UnsubscribePacket(int packetId) {
        this.packetId = packetId;
    }

    public static UnsubscribePacket id(int packetId) {
        return new UnsubscribePacket(packetId);
    }

    public UnsubscribePacket filter(String filter) {
        return filter(filter.getBytes(StandardCharsets.UTF_8));
    }

    public UnsubscribePacket filter(byte[] filter) {
        filters.binary(filter);
        return this;
    }

    @Override
    public byte[] encode(int level) {
        Bytes body = new Bytes().u16(packetId);
        if (level == 5) {
            body.raw(new Props().encode());
        }
        return body.raw(filters.toArray()).packet(0xA2);
    }
}
