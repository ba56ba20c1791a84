package io.rotamq.testkit;

/**
 * PUBACK, PUBREC, PUBREL, PUBCOMP, DISCONNECT and AUTH: packets of an optional reason code and
 * optional properties. On connections before MQTT 5 code and properties are left out.
 */
public final class AckPacket implements Outgoing {
    private final int firstByte;
    private final int packetId;
    private final Props props = new Props();
    private int code = -1;
    private boolean properties;

    private AckPacket(int firstByte, int packetId) {
        this.firstByte = firstByte;
        this.packetId = packetId;
    }

    public static AckPacket puback(int packetId) {
        return new AckPacket(0x40, packetId);
    }

    public static AckPacket pubrec(int packetId) {
        return new AckPacket(0x50, packetId);
    }

    public static AckPacket pubrel(int packetId) {
        return new AckPacket(0x62, packetId);
    }

    public static AckPacket pubcomp(int packetId) {
        return new AckPacket(0x70, packetId);
    }

    public static AckPacket disconnect() {
        return new AckPacket(0xE0, -1);
    }

    public static AckPacket auth() {
        return new AckPacket(0xF0, -1);
    }

    public AckPacket code(int value) {
        code = value;
        return this;
    }

    /** Writes a property length even if no property follows. */
    public AckPacket properties() {
        properties = true;
        return this;
    }

    public AckPacket with(Property property, Object value) {
        props.with(property, value);
        code = Math.max(code, 0);
        return properties();
    }

    @Override
    public byte[] encode(int level) {
        Bytes body = new Bytes();
        if (packetId >= 0) {
            body.u16(packetId);
        }
        if (level == 5 && code >= 0) {
            body.u8(code);
            if (properties) {
                body.raw(props.encode());
            }
        }
        return body.packet(firstByte);
    }
}
