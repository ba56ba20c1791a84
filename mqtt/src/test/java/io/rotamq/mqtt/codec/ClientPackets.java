package io.rotamq.mqtt.codec;

import io.rotamq.mqtt.ProtocolVersion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/** Valid packets that a client may send, made up by chance from a seed. */
final class ClientPackets {
    private static final String[] PIECES = {
        "a",
        "b/",
        "/",
        "device",
        "\u00e9",
        "\u4e2d\u6587",
        "\ud83d\ude00",
        "$",
        " ",
        "\n",
        "0123456789"
    };
    private static final int[] PUBLISH_CODES = {0, 0x10, 0x80, 0x83, 0x87, 0x90, 0x91, 0x97, 0x99};
    private static final int[] DISCONNECT_CODES = {0, 4, 0x80, 0x81, 0x82, 0x93, 0x97, 0x98, 0x99};

    private final SplittableRandom random;
    private final boolean v5;

    ClientPackets(SplittableRandom random, ProtocolVersion version) {
        this.random = random;
        this.v5 = version.isV5();
    }

    Wire connect() {
        boolean will = random.nextBoolean();
        boolean userName = random.nextBoolean();
        boolean password = userName && random.nextBoolean();
        int flags = random.nextBoolean() ? 2 : 0;
        flags |= will ? 4 | random.nextInt(3) << 3 | random.nextInt(2) << 5 : 0;
        flags |= (userName ? 0x80 : 0) | (password ? 0x40 : 0);
        Wire packet = Wire.packet(0x10).string("MQTT").u8(v5 ? 5 : 4).u8(flags);
        packet.u16(random.nextInt(65_536));
        if (v5) {
            packet.properties(connectProperties());
        }
        packet.string(text());
        if (will) {
            if (v5) {
                packet.properties(willProperties());
            }
            packet.string(topic()).binary(bytes());
        }
        if (userName) {
            packet.string(text());
        }
        return password ? packet.binary(bytes()) : packet;
    }

    private Wire connectProperties() {
        List<Wire> some = new ArrayList<>();
        maybe(some, Wire.part().u8(0x11).u32(random.nextInt()));
        maybe(some, Wire.part().u8(0x21).u16(1 + random.nextInt(65_535)));
        maybe(some, Wire.part().u8(0x27).u32(1 + random.nextInt(1_000_000)));
        maybe(some, Wire.part().u8(0x22).u16(random.nextInt(65_536)));
        maybe(some, Wire.part().u8(0x19).u8(random.nextInt(2)));
        maybe(some, Wire.part().u8(0x17).u8(random.nextInt(2)));
        some.add(Wire.part().u8(0x15).string("method"));
        maybe(some, Wire.part().u8(0x16).binary(bytes()));
        userProperties(some);
        return shuffled(some);
    }

    private Wire willProperties() {
        List<Wire> some = messageProperties();
        maybe(some, Wire.part().u8(0x18).u32(random.nextInt()));
        return shuffled(some);
    }

    private List<Wire> messageProperties() {
        List<Wire> some = new ArrayList<>();
        maybe(some, Wire.part().u8(0x01).u8(random.nextInt(2)));
        maybe(some, Wire.part().u8(0x02).u32(random.nextInt()));
        maybe(some, Wire.part().u8(0x03).string(text()));
        maybe(some, Wire.part().u8(0x08).string(topic()));
        maybe(some, Wire.part().u8(0x09).binary(bytes()));
        userProperties(some);
        return some;
    }

    private void maybe(List<Wire> some, Wire property) {
        if (random.nextInt(3) == 0) {
            some.add(property);
        }
    }

    private void userProperties(List<Wire> some) {
        for (int count = random.nextInt(3); count > 0; count--) {
            some.add(Wire.part().u8(0x26).string(text()).string(text()));
        }
    }

    private Wire shuffled(List<Wire> properties) {
        List<Wire> order = new ArrayList<>(properties);
        for (int at = order.size() - 1; at > 0; at--) {
            Collections.swap(order, at, random.nextInt(at + 1));
        }
        Wire all = Wire.part();
        order.forEach(property -> all.raw(property.bytes()));
        return all;
    }

    /** Any packet but CONNECT. */
    Wire next() {
        return switch (random.nextInt(12)) {
            case 0 -> subscribe();
            case 1 -> unsubscribe();
            case 2 -> Wire.packet(0xC0);
            case 3 -> disconnect();
            case 4 -> auth();
            case 5, 6 -> acknowledgement();
            default -> publish();
        };
    }

    Wire publish() {
        int qos = random.nextInt(3);
        int dup = qos > 0 && random.nextBoolean() ? 8 : 0;
        Wire packet = Wire.packet(0x30 | dup | qos << 1 | random.nextInt(2)).string(topic());
        if (qos > 0) {
            packet.u16(packetId());
        }
        if (v5) {
            List<Wire> some = messageProperties();
            maybe(some, Wire.part().u8(0x23).u16(1 + random.nextInt(10)));
            packet.properties(shuffled(some));
        }
        return packet.raw(bytes());
    }

    private Wire acknowledgement() {
        int type = 4 + random.nextInt(4);
        Wire packet = Wire.packet(type << 4 | (type == 6 ? 2 : 0)).u16(packetId());
        if (v5 && random.nextBoolean()) {
            boolean ofPublish = type <= 5;
            packet.u8(ofPublish ? any(PUBLISH_CODES) : random.nextBoolean() ? 0x92 : 0);
            details(packet);
        }
        return packet;
    }

    private void details(Wire packet) {
        if (random.nextBoolean()) {
            List<Wire> some = new ArrayList<>();
            maybe(some, Wire.part().u8(0x1F).string(text()));
            userProperties(some);
            packet.properties(shuffled(some));
        }
    }

    private Wire subscribe() {
        Wire packet = Wire.packet(0x82).u16(packetId());
        if (v5) {
            List<Wire> some = new ArrayList<>();
            maybe(some, Wire.part().u8(0x0B).vbi(1 + random.nextInt(268_435_455)));
            userProperties(some);
            packet.properties(shuffled(some));
        }
        for (int count = 1 + random.nextInt(4); count > 0; count--) {
            int qos = random.nextInt(3);
            int options = v5 ? random.nextInt(3) << 4 | random.nextInt(4) << 2 | qos : qos;
            packet.string(filter()).u8(options);
        }
        return packet;
    }

    private Wire unsubscribe() {
        Wire packet = Wire.packet(0xA2).u16(packetId());
        if (v5) {
            List<Wire> some = new ArrayList<>();
            userProperties(some);
            packet.properties(shuffled(some));
        }
        for (int count = 1 + random.nextInt(4); count > 0; count--) {
            packet.string(filter());
        }
        return packet;
    }

    private Wire disconnect() {
        Wire packet = Wire.packet(0xE0);
        if (v5 && random.nextBoolean()) {
            packet.u8(any(DISCONNECT_CODES));
            details(packet);
        }
        return packet;
    }

    private Wire auth() {
        if (!v5) {
            return Wire.packet(0xC0);
        }
        List<Wire> some = new ArrayList<>();
        some.add(Wire.part().u8(0x15).string("method"));
        maybe(some, Wire.part().u8(0x16).binary(bytes()));
        userProperties(some);
        return Wire.packet(0xF0).u8(0x18 + random.nextInt(2)).properties(shuffled(some));
    }

    private int packetId() {
        return 1 + random.nextInt(65_535);
    }

    private int any(int[] values) {
        return values[random.nextInt(values.length)];
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int count = random.nextInt(4); count > 0; count--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }

    private String topic() {
        return PIECES[random.nextInt(PIECES.length)] + text();
    }

    private String filter() {
        return switch (random.nextInt(4)) {
            case 0 -> topic() + "/#";
            case 1 -> "+/" + topic();
            case 2 -> "$share/g/" + topic();
            default -> topic();
        };
    }

    private byte[] bytes() {
        byte[] bytes = new byte[random.nextInt(8) == 0 ? random.nextInt(300) : random.nextInt(20)];
        random.nextBytes(bytes);
        return bytes;
    }
}
