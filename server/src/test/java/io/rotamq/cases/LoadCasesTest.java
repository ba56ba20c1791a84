package io.rotamq.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import io.rotamq.testkit.UnsubscribePacket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Very many subscriptions, members and messages that wait. What must not grow with their number is
 * compared within one run: the first part against the last, with room for a busy machine.
 */
class LoadCasesTest {
    /** How much slower the last part may be than the first, and what counts as nothing. */
    private static final int SLACK = 4;

    private static final Duration LITTLE = Duration.ofMillis(400);
    private static final int BATCH = 500;

    private final String topic = Fresh.topic();

    private static TestBroker broker(String... settings) {
        return TestBroker.start(settings);
    }

    private static Duration timed(Runnable work) {
        long start = System.nanoTime();
        work.run();
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private static void mustNotGrow(List<Duration> parts) {
        Duration first = parts.getFirst().compareTo(LITTLE) < 0 ? LITTLE : parts.getFirst();
        assertThat(parts.getLast()).as("parts: %s", parts).isLessThan(first.multipliedBy(SLACK));
    }

    /** Subscribes in batches; returns how long each tenth took. */
    private static List<Duration> subscribe(RawClient client, int count, IntFunction<String> name) {
        List<Duration> tenths = new ArrayList<>();
        for (int tenth = 0; tenth < 10; tenth++) {
            int from = tenth * (count / 10);
            tenths.add(
                    timed(
                            () -> {
                                for (int i = from; i < from + count / 10; i += BATCH) {
                                    SubscribePacket packet = SubscribePacket.id(9);
                                    for (int j = i; j < i + BATCH; j++) {
                                        packet.filter(name.apply(j), 0);
                                    }
                                    client.subscribe(packet);
                                }
                            }));
        }
        return tenths;
    }

    private static void unsubscribe(RawClient client, int count, IntFunction<String> name) {
        for (int i = 0; i < count; i += BATCH) {
            UnsubscribePacket packet = UnsubscribePacket.id(9);
            for (int j = i; j < i + BATCH; j++) {
                packet.filter(name.apply(j));
            }
            client.send(packet);
            client.await(Type.UNSUBACK, 9);
        }
    }

    @Test
    @Tag("C164")
    void veryManyFiltersBelowOneLevelCostNoMoreEachThanFew() {
        int count = 100_000;
        try (TestBroker broker = broker("limits.max-subscriptions-per-session=200000")) {
            RawClient client = broker.v5();
            RawClient publisher = broker.v5();
            mustNotGrow(subscribe(client, count, i -> topic + "/" + i));
            for (int i = 0; i < count; i += count / 100) {
                publisher.publish(topic + "/" + i, "m", 1);
                assertThat(client.receive().topic()).isEqualTo(topic + "/" + i);
            }
            unsubscribe(client, count, i -> topic + "/" + i);
            publisher.publish(topic + "/1", "nobody's", 1);
            client.expectNothingFrom(publisher);
        }
    }

    @Test
    @Tag("C164")
    void veryManyGroupsOnOneFilterCostNoMoreEachThanFew() {
        int count = 100_000;
        try (TestBroker broker =
                broker(
                        "limits.max-subscriptions-per-session=200000",
                        "session.max-queued-messages=100000")) {
            RawClient client = broker.v5();
            RawClient publisher = broker.v5();
            mustNotGrow(subscribe(client, count, i -> "$share/g" + i + "/" + topic));
            assertThat(broker.groups()).isEqualTo(count);
            // One publish is one message for each group.
            publisher.publish(topic, "m", 1);
            for (int i = 0; i < count; i++) {
                assertThat(client.delivery().topic()).isEqualTo(topic);
            }
            unsubscribe(client, count, i -> "$share/g" + i + "/" + topic);
            assertThat(broker.groups()).isZero();
            client.expectNothingFrom(publisher);
        }
    }

    @Test
    @Tag("C164")
    void veryManyMembersOfOneGroupJoinAndLeaveWithoutAPauseForOthers() {
        int count = 2_000;
        try (TestBroker broker = broker()) {
            RawClient other = broker.v5();
            other.subscribe("else/" + topic, 1);
            RawClient publisher = broker.v5();
            String filter = "$share/g/" + topic;
            List<RawClient> members = new ArrayList<>();
            List<Duration> tenths = new ArrayList<>();
            for (int tenth = 0; tenth < 10; tenth++) {
                tenths.add(
                        timed(
                                () -> {
                                    for (int i = 0; i < count / 10; i++) {
                                        RawClient member = broker.v5();
                                        member.subscribe(filter, 1);
                                        members.add(member);
                                    }
                                }));
                // Other traffic goes on meanwhile.
                publisher.publish("else/" + topic, "m", 1);
                other.receive();
            }
            mustNotGrow(tenths);
            for (int i = 0; i < count; i++) {
                publisher.publish(topic, "m", 1);
            }
            members.forEach(RawClient::receive);
            // All of them go at once; who is left gets everything.
            RawClient last = members.removeLast();
            members.forEach(RawClient::reset);
            for (int i = 0; i < 100; i++) {
                publisher.publish(topic, "late" + i, 1);
            }
            assertThat(last.receive(100)).hasSize(100);
        }
    }

    @Test
    @Tag("C164")
    void sixClientsJoinThreeThousandGroupsEachAtOnce() {
        int groups = 3_000;
        try (TestBroker broker = broker("limits.max-subscriptions-per-session=200000")) {
            List<RawClient> clients = IntStream.range(0, 6).mapToObj(i -> broker.v5()).toList();
            RawClient bystander = broker.v5();
            bystander.subscribe("else/" + topic, 1);
            RawClient publisher = broker.v5();
            List<CompletableFuture<Void>> joining =
                    clients.stream()
                            .map(client -> CompletableFuture.runAsync(() -> join(client, groups)))
                            .toList();
            CompletableFuture<Void> all =
                    CompletableFuture.allOf(joining.toArray(CompletableFuture[]::new));
            do {
                publisher.publish("else/" + topic, "m", 1);
                bystander.receive();
            } while (!all.isDone());
            all.join();
            assertThat(broker.groups()).isEqualTo(groups);
            // Six messages for each of some groups: one to each member.
            for (int group = 0; group < groups; group += groups / 10) {
                for (int i = 0; i < 6; i++) {
                    publisher.publish(topic + "/" + group, "m", 1);
                }
                String name = topic + "/" + group;
                clients.forEach(each -> assertThat(each.receive().topic()).isEqualTo(name));
            }
        }
    }

    private void join(RawClient client, int groups) {
        for (int i = 0; i < groups; i += 100) {
            SubscribePacket packet = SubscribePacket.id(9);
            for (int j = i; j < i + 100; j++) {
                packet.filter("$share/g/" + topic + "/" + j, 1);
            }
            client.subscribe(packet);
        }
    }

    @Test
    @Tag("C165")
    void aLongBacklogDrainsAtTheSamePaceFromBeginningToEnd() {
        int count = 100_000;
        try (TestBroker broker =
                broker(
                        "sharing.backlog.max-messages=200000",
                        "sharing.backlog.high-water=200000",
                        "session.max-inflight=1000",
                        "mqtt.receive-maximum=1000")) {
            String filter = "$share/g/" + topic;
            RawClient away = broker.client(ConnectPacket.v5(Fresh.id()).lasting(600));
            away.subscribe(filter, 1);
            away.leave();
            fill(broker.v5(), count);

            RawClient stuck = member(broker, filter);
            List<Received> held = new ArrayList<>();
            while (held.size() < 1_000) {
                held.add(stuck.delivery());
            }
            RawClient quick = member(broker, filter);
            List<Duration> tenths = new ArrayList<>();
            int rest = count - held.size();
            for (int tenth = 0; tenth < 10; tenth++) {
                tenths.add(timed(() -> take(quick, rest / 10)));
            }
            mustNotGrow(tenths);
            assertThat(quick.poll(Duration.ofMillis(200))).isNull();
        }
    }

    private void fill(RawClient publisher, int count) {
        for (int i = 0; i < count; i += BATCH) {
            Bytes burst = new Bytes();
            for (int id = 1; id <= BATCH; id++) {
                burst.raw(PublishPacket.of(topic, "m").qos(1, id).encode(5));
            }
            publisher.send(burst.toArray());
            for (int id = 1; id <= BATCH; id++) {
                publisher.expect(Type.PUBACK, id);
            }
        }
    }

    private static RawClient member(TestBroker broker, String filter) {
        RawClient member =
                broker.client(ConnectPacket.v5(Fresh.id()).with(Property.RECEIVE_MAXIMUM, 1_000));
        member.subscribe(filter, 1);
        return member;
    }

    /** Acknowledges in batches, as a client does that is busy. */
    private static void take(RawClient member, int count) {
        for (int taken = 0; taken < count; ) {
            Bytes acks = new Bytes();
            int batch = Math.min(100, count - taken);
            for (int i = 0; i < batch; i++) {
                acks.raw(AckPacket.puback(member.delivery().packetId()).encode(5));
            }
            member.send(acks.toArray());
            taken += batch;
        }
    }
}
