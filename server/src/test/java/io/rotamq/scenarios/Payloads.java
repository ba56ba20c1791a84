package io.rotamq.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.clients.ForeignClient;
import io.rotamq.clients.Inbox;
import io.rotamq.testkit.Await;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Numbered payloads, and what became of them: nothing lost, nothing doubled. */
final class Payloads {
    /** How long to look for what must not come; the soak waits longer. */
    static final Duration QUIET = Duration.ofMillis(Integer.getInteger("scenarios.quiet", 300));

    private Payloads() {}

    /** {@code publisher:1} and so on. */
    static List<String> of(String publisher, int count) {
        return range(publisher, 1, count);
    }

    static List<String> range(String publisher, int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(i -> publisher + ":" + i).toList();
    }

    static void publish(RawClient publisher, String topic, List<String> payloads, int qos) {
        payloads.forEach(payload -> publisher.publish(topic, payload, qos));
    }

    static List<String> texts(List<Received> deliveries) {
        return deliveries.stream().map(Received::text).toList();
    }

    /** The next deliveries without acknowledging them. */
    static List<Received> hold(RawClient client, int count) {
        List<Received> held = new ArrayList<>();
        while (held.size() < count) {
            held.add(client.delivery());
        }
        return held;
    }

    /** Nothing comes to any of these clients any more. */
    static void nothingMoreAt(RawClient... clients) {
        for (RawClient client : clients) {
            Received packet = client.poll(QUIET);
            assertThat(packet).as("what came too much").isNull();
        }
    }

    /** All of these together received each payload exactly once. */
    static void eachOnceAt(List<String> payloads, ForeignClient... members) {
        List<Inbox> inboxes = Arrays.stream(members).map(ForeignClient::inbox).toList();
        Inbox.awaitTotal(payloads.size(), inboxes);
        Await.elapsed(QUIET);
        List<String> received = new ArrayList<>();
        inboxes.forEach(inbox -> received.addAll(inbox.payloads()));
        assertThat(received).containsExactlyInAnyOrderElementsOf(payloads);
    }
}
