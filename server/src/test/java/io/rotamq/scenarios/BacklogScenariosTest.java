package io.rotamq.scenarios;

import static io.rotamq.scenarios.Payloads.hold;
import static io.rotamq.scenarios.Payloads.nothingMoreAt;
import static io.rotamq.scenarios.Payloads.range;
import static io.rotamq.scenarios.Payloads.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rotamq.clients.HiveMq5;
import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A20: what happens when a backlog reaches its bounds. */
class BacklogScenariosTest {
    private final String topic = Fresh.topic();
    private final String filter = "$share/g/" + topic;

    private static TestBroker broker(String overflow, int messages, String slowLimit) {
        return TestBroker.start(
                "sharing.backlog.overflow=" + overflow,
                "sharing.backlog.max-messages=" + messages,
                "sharing.backlog.high-water=" + messages / 4,
                "sharing.backlog.slow-limit=" + slowLimit);
    }

    private RawClient absent(TestBroker broker, String id) {
        RawClient member = broker.client(ConnectPacket.v5(id).lasting(600));
        member.subscribe(filter, 1);
        member.leave();
        return member;
    }

    @Test
    @DisplayName("A20: slow: input follows output, and nothing is lost")
    void slowedPublishersKeepPaceWithTheirConsumers() {
        try (TestBroker broker = broker("slow", 800, "30s");
                RawClient member =
                        broker.client(
                                ConnectPacket.v5(Fresh.id()).with(Property.RECEIVE_MAXIMUM, 10));
                HiveMq5 first = HiveMq5.connect(broker);
                HiveMq5 second = HiveMq5.connect(broker);
                RawClient other = broker.v5()) {
            member.subscribe(filter, 1);
            List<String> published = Payloads.of("p", 1_500);
            CompletableFuture<?> one = publishing(first, published);
            CompletableFuture<?> two = publishing(second, published);

            await().until(() -> broker.counted(Counter.ACKS_WITHHELD) > 0);
            // Publishers of other topics are not slowed.
            long start = System.nanoTime();
            other.publish("else/" + topic, "quick", 1);
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isLessThan(Duration.ofSeconds(1));
            assertThat(one).isNotDone();

            List<String> received = texts(member.receive(3_000));
            List<String> twice = new ArrayList<>(published);
            twice.addAll(published);
            assertThat(received).containsExactlyInAnyOrderElementsOf(twice);
            nothingMoreAt(member);
            CompletableFuture.allOf(one, two).join();
            assertThat(broker.dropped(DropReason.BACKLOG_FULL)).isZero();
        }
    }

    private CompletableFuture<?> publishing(HiveMq5 publisher, List<String> payloads) {
        return CompletableFuture.runAsync(() -> publisher.publishAll(topic, payloads, 1));
    }

    @Test
    @DisplayName("A20: slow: a client that publishes and consumes does not deadlock")
    void aClientThatFeedsItselfDoesNotDeadlock() {
        try (TestBroker broker = broker("slow", 100, "60s");
                RawClient self =
                        broker.client(
                                ConnectPacket.v5(Fresh.id()).with(Property.RECEIVE_MAXIMUM, 1))) {
            self.subscribe(filter, 1);
            // All that the server's Receive Maximum allows at once, far above the high-water mark.
            Bytes burst = new Bytes();
            for (int id = 1; id <= 100; id++) {
                burst.raw(PublishPacket.of(topic, "p:" + id).qos(1, id).encode(5));
            }
            self.send(burst.toArray());
            Set<Integer> acknowledged = new HashSet<>();
            Set<String> received = new HashSet<>();
            while (acknowledged.size() < 100 || received.size() < 100) {
                Received packet = self.read(Duration.ofSeconds(10));
                if (packet.type() == Type.PUBACK) {
                    acknowledged.add(packet.packetId());
                } else {
                    received.add(packet.text());
                    self.acknowledge(packet);
                }
            }
            assertThat(received).isEqualTo(new HashSet<>(Payloads.of("p", 100)));
        }
    }

    @Test
    @DisplayName("A20: slow becomes drop_oldest after the bounded time")
    void slowingEndsAfterTheBoundedTime() {
        try (TestBroker broker = broker("slow", 100, "1s");
                HiveMq5 publisher = HiveMq5.connect(broker)) {
            String id = Fresh.id();
            absent(broker, id);
            long start = System.nanoTime();
            publisher.publishAll(topic, Payloads.of("p", 300), 1);
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(800), Duration.ofSeconds(5));
            await().until(() -> broker.dropped(DropReason.BACKLOG_FULL) == 200);
            RawClient back = broker.client(ConnectPacket.v5(id).lasting(600));
            assertThat(texts(back.receive(100))).isEqualTo(range("p", 201, 300));
            nothingMoreAt(back);
        }
    }

    @Test
    @DisplayName("A20: drop_oldest: the newest stay, the others are counted")
    void dropOldestKeepsTheNewest() {
        try (TestBroker broker = broker("drop_oldest", 100, "30s");
                RawClient publisher = broker.v5()) {
            String id = Fresh.id();
            absent(broker, id);
            Payloads.publish(publisher, topic, Payloads.of("p", 150), 1);
            await().until(() -> broker.dropped(DropReason.BACKLOG_FULL) == 50);
            RawClient back = broker.client(ConnectPacket.v5(id).lasting(600));
            assertThat(texts(back.receive(100))).isEqualTo(range("p", 51, 150));
            nothingMoreAt(back);
        }
    }

    @Test
    @DisplayName("A20: reject_new: MQTT 5 publishers are told 0x97, older ones cannot be")
    void rejectNewTellsThePublisher() {
        try (TestBroker broker = broker("reject_new", 100, "30s");
                RawClient publisher = broker.v5();
                RawClient older = broker.v4()) {
            String id = Fresh.id();
            absent(broker, id);
            Payloads.publish(publisher, topic, Payloads.of("p", 100), 1);
            assertThat(publisher.publish(topic, "refused", 1).code()).isEqualTo(0x97);
            assertThat(publisher.publish(topic, "refused", 2).code()).isEqualTo(0x97);
            older.publish(topic, "acknowledged and counted", 1);
            assertThat(broker.dropped(DropReason.BACKLOG_REJECTED)).isEqualTo(3);

            RawClient back = broker.client(ConnectPacket.v5(id).lasting(600));
            List<Received> held = hold(back, 100);
            assertThat(texts(held)).isEqualTo(Payloads.of("p", 100));
            held.forEach(delivery -> back.send(AckPacket.puback(delivery.packetId())));
            assertThat(publisher.publish(topic, "taken", 1).code()).isZero();
            assertThat(back.receive().text()).isEqualTo("taken");
        }
    }
}
