package io.rotamq.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** What the cases have in common: a broker for the class; a publisher, a topic for each test. */
abstract class CaseTest {
    private static final Duration QUIET = Duration.ofMillis(250);

    static TestBroker broker;

    final String topic = Fresh.topic();
    final String shared = "$share/g/" + topic;
    RawClient publisher;

    @BeforeAll
    static void startBroker() {
        broker = TestBroker.start();
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void connectPublisher() {
        publisher = broker.v5();
    }

    static ConnectPacket lasting(String id) {
        return ConnectPacket.v5(id).lasting(300);
    }

    RawClient member(ConnectPacket connect, int qos) {
        RawClient member = broker.client(connect);
        member.subscribe(shared, qos);
        return member;
    }

    RawClient member(int qos) {
        return member(ConnectPacket.v5(Fresh.id()), qos);
    }

    /** Publishes {@code 1} to {@code count}. */
    List<String> publish(int count, int qos) {
        List<String> payloads = numbers(1, count);
        payloads.forEach(payload -> publisher.publish(topic, payload, qos));
        return payloads;
    }

    static List<String> numbers(int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(String::valueOf).toList();
    }

    void retain(String name, String payload) {
        publisher.publish(PublishPacket.of(name, payload).retain().qos(1, 1));
    }

    static List<String> texts(List<Received> deliveries) {
        return deliveries.stream().map(Received::text).toList();
    }

    static List<Integer> ids(List<Received> deliveries) {
        return deliveries.stream().map(Received::packetId).toList();
    }

    static List<Received> hold(RawClient client, int count) {
        List<Received> held = new ArrayList<>();
        while (held.size() < count) {
            held.add(client.delivery());
        }
        return held;
    }

    /** Takes and acknowledges what comes until nothing does. */
    static List<Received> drain(RawClient client) {
        List<Received> all = new ArrayList<>();
        for (Received next = client.poll(QUIET); next != null; next = client.poll(QUIET)) {
            client.acknowledge(next);
            all.add(next);
        }
        return all;
    }

    static void nothingMoreAt(RawClient... clients) {
        for (RawClient client : clients) {
            assertThat(client.poll(QUIET)).as("what came too much").isNull();
        }
    }
}
