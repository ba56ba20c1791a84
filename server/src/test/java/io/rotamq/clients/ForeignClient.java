package io.rotamq.clients;

import java.util.List;

/**
 * A connected client that somebody else wrote, as far as the tests need one. It acknowledges what
 * it receives by itself. Called by one thread; deliveries arrive on others.
 */
public interface ForeignClient extends AutoCloseable {
    /** Returns when the subscription is granted. */
    void subscribe(String filter, int qos);

    /** Returns when the handshake of the QoS is complete. */
    void publish(String topic, String payload, int qos);

    /** What was delivered so far. */
    Inbox inbox();

    /** Disconnects normally. */
    @Override
    void close();

    default void publishAll(String topic, List<String> payloads, int qos) {
        payloads.forEach(payload -> publish(topic, payload, qos));
    }
}
