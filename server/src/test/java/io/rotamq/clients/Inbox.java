package io.rotamq.clients;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** What a client received, in order. Filled and read by any thread. */
public final class Inbox {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<Delivery> deliveries = new ArrayList<>();

    /** One message as the client's callback saw it. */
    public record Delivery(String topic, String payload, int qos, boolean retain) {}

    synchronized void add(Delivery delivery) {
        deliveries.add(delivery);
    }

    public synchronized List<Delivery> all() {
        return List.copyOf(deliveries);
    }

    public synchronized int size() {
        return deliveries.size();
    }

    public List<String> payloads() {
        return all().stream().map(Delivery::payload).toList();
    }

    /** The first deliveries, at least so many; fails when they do not come in time. */
    public List<Delivery> await(int count) {
        awaitTotal(count, List.of(this));
        return all();
    }

    /** Waits until the inboxes hold so many deliveries together. */
    public static void awaitTotal(int count, List<Inbox> inboxes) {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .untilAsserted(
                        () -> {
                            int sum = inboxes.stream().mapToInt(Inbox::size).sum();
                            if (sum < count) {
                                throw new AssertionError("%d of %d came".formatted(sum, count));
                            }
                        });
    }
}
