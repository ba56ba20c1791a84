package io.rotamq.mqtt.codec;

import io.rotamq.mqtt.Connect;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.Will;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Forwarded properties in the order of their identifiers; user properties keep theirs. */
final class Canonical {
    private Canonical() {}

    /** The packet with the properties of its message, if it has one, in canonical order. */
    static Packet of(Packet packet) {
        return switch (packet) {
            case Publish from ->
                    new Publish(
                            from.topic(),
                            from.payload(),
                            from.qos(),
                            from.retain(),
                            from.dup(),
                            from.packetId(),
                            from.messageExpiry(),
                            ordered(from.properties()));
            case Connect from when from.will() != null ->
                    new Connect(
                            from.version(),
                            from.clientId(),
                            from.cleanStart(),
                            from.keepAlive(),
                            from.properties(),
                            of(from.will()),
                            from.username(),
                            from.password());
            default -> packet;
        };
    }

    private static Will of(Will from) {
        return new Will(
                from.topic(),
                from.payload(),
                from.qos(),
                from.retain(),
                from.delay(),
                from.messageExpiry(),
                ordered(from.properties()));
    }

    private static byte[] ordered(byte[] properties) {
        List<byte[]> parts = new ArrayList<>();
        int at = 0;
        while (at < properties.length) {
            int end = end(properties, at);
            parts.add(Arrays.copyOfRange(properties, at, end));
            at = end;
        }
        parts.sort(Comparator.comparingInt(part -> part[0]));
        Wire all = Wire.part();
        parts.forEach(all::raw);
        return all.bytes();
    }

    private static int end(byte[] properties, int at) {
        if (properties[at] == Property.PAYLOAD_FORMAT) {
            return at + 2;
        }
        int end = afterString(properties, at + 1);
        return properties[at] == Property.USER_PROPERTY ? afterString(properties, end) : end;
    }

    private static int afterString(byte[] properties, int at) {
        return at + 2 + ((properties[at] & 0xFF) << 8 | properties[at + 1] & 0xFF);
    }
}
