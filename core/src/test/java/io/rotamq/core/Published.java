package io.rotamq.core;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.rotamq.core.port.RoutingKey;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.topic.TopicName;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message of the simulated world, known on every way by the number in its properties. */
final class Published {
    /** Name of the user property by which some groups keep order. */
    static final String KEY = "k";

    private static final String NUMBER = "n";

    /** Bytes of a user property with a name of one character and a value of eight. */
    private static final int PROPERTY = 1 + 2 + 1 + 2 + 8;

    final int number;
    final String publisher;
    final TopicName topic;
    final int qos;
    final boolean retain;
    final long expiry;
    final byte[] payload;

    /** Value of its user property {@link #KEY}; empty for none. */
    final String property;

    /** When the broker took it, as an order; 0: not yet. */
    int accepted;

    /** The connection on which it came. */
    @Nullable Link link;

    int acceptedStep;
    long acceptedAt;

    /** The retained message of the topic when it was taken. */
    @Nullable Published replaces;

    /** Whom the broker owes it. */
    final List<Obligation> obligations = new ArrayList<>();

    Published(
            int number,
            String publisher,
            TopicName topic,
            int qos,
            boolean retain,
            long expiry,
            byte[] payload,
            String property) {
        this.number = number;
        this.publisher = publisher;
        this.topic = topic;
        this.qos = qos;
        this.retain = retain;
        this.expiry = expiry;
        this.payload = payload;
        this.property = property;
    }

    Publish packet(int packetId, boolean dup) {
        return new Publish(topic, payload, qos, retain, dup, packetId, expiry, properties());
    }

    /** The same content, sent again, which is a new message to the broker. */
    Published again(int otherNumber) {
        return new Published(otherNumber, publisher, topic, qos, retain, expiry, payload, property);
    }

    /** As MQTT encodes them: its number and, if it has one, its key. */
    byte[] properties() {
        ByteBuffer encoded = ByteBuffer.allocate(2 * PROPERTY + property.length());
        encode(encoded, NUMBER, "%08x".formatted(number));
        if (!property.isEmpty()) {
            encode(encoded, KEY, property);
        }
        return Arrays.copyOf(encoded.array(), encoded.position());
    }

    private static void encode(ByteBuffer to, String name, String value) {
        to.put((byte) 0x26).putShort((short) 1).put(name.getBytes(US_ASCII));
        to.putShort((short) value.length()).put(value.getBytes(US_ASCII));
    }

    static int numberOf(Publish publish) {
        return Integer.parseInt(new String(publish.properties(), 6, 8, US_ASCII), 16);
    }

    /** The routing key: by what is asked, or the publisher if it has none. */
    String key(RoutingKey by) {
        String found =
                switch (by) {
                    case RoutingKey.ClientId() -> "";
                    case RoutingKey.Topic() -> topic.toString();
                    case RoutingKey.TopicLevel(int level) -> level(level);
                    case RoutingKey.UserProperty(String name) -> name.equals(KEY) ? property : "";
                };
        return found.isEmpty() ? publisher : found;
    }

    private String level(int level) {
        List<String> levels = List.of(topic.toString().split("/", -1));
        return level <= levels.size() ? levels.get(level - 1) : "";
    }

    boolean isExpired(long now) {
        return expiry >= 0 && now >= acceptedAt + expiry * 1_000;
    }

    /** Seconds left, as they are forwarded. */
    long remaining(long now) {
        return expiry < 0 ? -1 : Math.max(0, (acceptedAt + expiry * 1_000 - now + 999) / 1_000);
    }

    @Override
    public String toString() {
        return "message " + number + " (qos " + qos + ", " + topic + ", by " + publisher + ")";
    }
}
