package io.rotamq.core;

import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.topic.TopicName;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message of the simulated world, known on every way by the number in its properties. */
final class Published {
    final int number;
    final String publisher;
    final TopicName topic;
    final int qos;
    final boolean retain;
    final long expiry;
    final byte[] payload;

    /** When the broker took it, as an order; 0: not yet. */
    int accepted;

    /** The publisher's session: order is kept for each of them. */
    @Nullable ModelSession origin;

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
            byte[] payload) {
        this.number = number;
        this.publisher = publisher;
        this.topic = topic;
        this.qos = qos;
        this.retain = retain;
        this.expiry = expiry;
        this.payload = payload;
    }

    Publish packet(int packetId, boolean dup) {
        return new Publish(topic, payload, qos, retain, dup, packetId, expiry, properties());
    }

    /** The same content, sent again, which is a new message to the broker. */
    Published again(int otherNumber) {
        return new Published(otherNumber, publisher, topic, qos, retain, expiry, payload);
    }

    byte[] properties() {
        return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    }

    static int numberOf(Publish publish) {
        return ByteBuffer.wrap(publish.properties()).getInt();
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
