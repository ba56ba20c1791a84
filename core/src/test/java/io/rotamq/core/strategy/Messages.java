package io.rotamq.core.strategy;

import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.topic.TopicName;

/** Messages for tests. */
public final class Messages {
    private Messages() {}

    public static Message of(int qos, long arrival) {
        return of(qos, arrival, -1);
    }

    public static Message from(Publisher publisher, int qos) {
        return new Message(of(qos, 0).publish(), publisher, 0, 0);
    }

    /** Published at 0 ms. */
    public static Message of(int qos, long arrival, long expiry) {
        Publish publish =
                new Publish(
                        TopicName.of("t"),
                        new byte[1],
                        qos,
                        false,
                        false,
                        qos == 0 ? 0 : 1,
                        expiry,
                        Publish.NO_PROPERTIES);
        return new Message(publish, new Publisher("publisher"), arrival, 0);
    }
}
