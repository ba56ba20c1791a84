package io.rotamq.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.clients.HiveMq5;
import io.rotamq.clients.Inbox;
import io.rotamq.core.port.Counter;
import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of one publisher's messages, seen by clients. */
class ClientOrderCasesTest extends CaseTest {

    @Test
    @Tag("C152")
    void asynchronousPublishesOfOneClientKeepTheirOrderForEachTopicAndQos() {
        int devices = 16;
        int each = 1_200;
        try (HiveMq5 subscriber = HiveMq5.connect(broker);
                HiveMq5 source = HiveMq5.connect(broker)) {
            subscriber.subscribe(topic + "/#", 2);
            List<CompletableFuture<?>> sent = new ArrayList<>();
            for (int number = 0; number < each; number++) {
                int qos = number % 3;
                for (int device = 0; device < devices; device++) {
                    String name = topic + "/" + device;
                    sent.add(source.publishing(name, qos + ":" + number, qos));
                    // Within the client's own room, or it would refuse.
                    if (sent.size() == 200) {
                        CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).join();
                        sent.clear();
                    }
                }
            }
            Map<String, List<Integer>> streams = new TreeMap<>();
            subscriber
                    .inbox()
                    .await(devices * each)
                    .forEach(
                            got -> {
                                String text = got.payload();
                                streams.computeIfAbsent(
                                                got.topic() + " " + text.charAt(0),
                                                key -> new ArrayList<>())
                                        .add(Integer.valueOf(text.substring(2)));
                            });
            assertThat(streams).hasSize(3 * devices);
            assertThat(streams.values())
                    .allSatisfy(
                            stream ->
                                    assertThat(stream)
                                            .hasSize(each / 3)
                                            .isSorted()
                                            .doesNotHaveDuplicates());
        }
    }

    @ParameterizedTest
    @Tag("C153")
    @ValueSource(ints = {1, 2})
    void firstReceptionsKeepTheirOrderWhenThePublisherReconnects(int qos) {
        RawClient subscriber = broker.v5();
        subscriber.subscribe(topic, qos);
        RawClient member = member(qos);
        String id = Fresh.id();
        RawClient source = broker.client(lasting(id));
        List<String> seen = new ArrayList<>();
        List<String> seenByGroup = new ArrayList<>();
        for (int round = 0; round < 20; round++) {
            // The link breaks when some were sent and before any acknowledgement was seen; after
            // that the unacknowledged come again in their order, then what was queued, then new.
            send(source, qos, 10 * round + 1, 10 * round + 5, false);
            source.finishSending();
            source.readUntilClosed(RawClient.PATIENCE);
            source = broker.client(lasting(id));
            send(source, qos, 10 * round + 1, 10 * round + 5, true);
            send(source, qos, 10 * round + 6, 10 * round + 10, false);
            for (int i = 10 * round + 1; i <= 10 * round + 10; i++) {
                complete(source, qos, i);
            }
            takeNew(subscriber, qos, 10 * round + 10, seen);
            takeNew(member, qos, 10 * round + 10, seenByGroup);
        }
        assertThat(seen).isEqualTo(numbers(1, 200));
        assertThat(seenByGroup).isEqualTo(numbers(1, 200));
    }

    private void send(RawClient source, int qos, int first, int last, boolean dup) {
        Bytes burst = new Bytes();
        for (int i = first; i <= last; i++) {
            PublishPacket packet = PublishPacket.of(topic, String.valueOf(i)).qos(qos, i);
            burst.raw((dup ? packet.dup() : packet).encode(5));
        }
        source.send(burst.toArray());
    }

    private static void complete(RawClient source, int qos, int id) {
        if (qos == 1) {
            source.await(Type.PUBACK, id);
        } else {
            source.await(Type.PUBREC, id);
            source.send(AckPacket.pubrel(id));
            source.await(Type.PUBCOMP, id);
        }
    }

    /** Takes deliveries until the last one was seen; repeats are not counted, nor allowed at 2. */
    private static void takeNew(RawClient client, int qos, int last, List<String> seen) {
        Set<String> known = new HashSet<>(seen);
        while (!known.contains(String.valueOf(last))) {
            Received next = client.receive();
            boolean first = known.add(next.text());
            assertThat(first || qos == 1).as("%s again", next).isTrue();
            if (first) {
                seen.add(next.text());
            }
        }
    }

    @Test
    @Tag("C154")
    void whatWasNotAcknowledgedIsAcknowledgedOnTheNextConnectionAndStaleAcksDoNothing() {
        String id = Fresh.id();
        RawClient client = broker.client(lasting(id));
        client.subscribe(topic, 1);
        publish(10, 1);
        List<Received> first = hold(client, 10);
        first.stream()
                .filter(each -> !each.text().equals("3"))
                .forEach(each -> client.send(AckPacket.puback(each.packetId())));
        client.ping();
        client.reset();

        RawClient back = broker.client(lasting(id));
        Received third = back.delivery();
        assertThat(third.text()).isEqualTo("3");
        assertThat(third.dup()).isTrue();
        nothingMoreAt(back);
        // Acknowledgements that the application kept from the first connection.
        long late = broker.counted(Counter.LATE_ACKS);
        first.stream()
                .filter(each -> !each.text().equals("3"))
                .forEach(each -> back.send(AckPacket.puback(each.packetId())));
        back.ping();
        assertThat(broker.counted(Counter.LATE_ACKS)).isEqualTo(late + 9);
        back.acknowledge(third);
        assertThat(back.isOpen()).isTrue();
        back.leave();
        RawClient again = broker.client(lasting(id));
        nothingMoreAt(again);
    }

    @ParameterizedTest
    @Tag("C156")
    @ValueSource(ints = {0, 1})
    void aLongStreamOfOnePublisherKeepsItsOrderAtAPersistentSubscriber(int qos) {
        int count = 60_000;
        try (TestBroker wide =
                TestBroker.start(
                        "mqtt.receive-maximum=65535", "session.max-queued-messages=100000")) {
            String id = Fresh.id();
            RawClient subscriber = wide.client(lasting(id));
            subscriber.subscribe(topic, qos);
            RawClient source = wide.v5();
            CompletableFuture<Void> publishing =
                    CompletableFuture.runAsync(() -> stream(source, qos, count));
            int last = 0;
            int lost = 0;
            boolean reconnected = false;
            while (last < count) {
                Received next = subscriber.receive();
                int number = Integer.parseInt(next.text());
                if (number > last) {
                    lost += number - last - 1;
                    last = number;
                } else {
                    assertThat(next.dup()).as("%s after %d", next, last).isTrue();
                }
                if (last > count / 2 && !reconnected && qos == 1) {
                    reconnected = true;
                    subscriber.reset();
                    subscriber = wide.client(lasting(id));
                }
            }
            publishing.join();
            // At QoS 0 a subscriber that is slower than its socket misses some, in order.
            assertThat(qos == 0 || lost == 0).as("%d lost", lost).isTrue();
        }
    }

    private void stream(RawClient source, int qos, int count) {
        int batch = 500;
        for (int first = 1; first <= count; first += batch) {
            Bytes burst = new Bytes();
            for (int i = first; i < first + batch; i++) {
                burst.raw(PublishPacket.of(topic, String.valueOf(i)).qos(qos, i).encode(5));
            }
            source.send(burst.toArray());
            for (int i = first; i < first + batch && qos == 1; i++) {
                source.expect(Type.PUBACK, i);
            }
            if (qos == 0) {
                source.ping();
            }
        }
    }

    @ParameterizedTest
    @Tag("C157")
    @ValueSource(ints = {4, 5})
    void deliveriesOfGroupsCarryTheBareTopicAndTheirIdentifier(int level) {
        RawClient client = broker.client(level);
        List<String> filters =
                List.of("$share/g/" + topic + "/+", "$share/g2/" + topic + "/+", topic + "/+");
        for (int i = 0; i < filters.size(); i++) {
            SubscribePacket packet = SubscribePacket.id(i + 1).filter(filters.get(i), 1);
            client.subscribe(level == 5 ? packet.identifier(i + 1) : packet);
        }
        publisher.publish(topic + "/x", "m", 1);
        List<Received> copies = client.receive(3);
        assertThat(copies).allMatch(copy -> copy.topic().equals(topic + "/x"));
        if (level == 5) {
            assertThat(copies)
                    .extracting(Received::identifiers)
                    .containsExactlyInAnyOrder(List.of(1L), List.of(2L), List.of(3L));
        }
        client.unsubscribe(filters.get(0), filters.get(2));
        publisher.publish(topic + "/x", "m2", 1);
        assertThat(client.receive().text()).isEqualTo("m2");
        nothingMoreAt(client);
    }

    @Test
    @Tag("C156")
    void everyMemberSeesEachPublishersStreamInOrderUnderFullLoad() {
        List<HiveMq5> members = new ArrayList<>();
        List<HiveMq5> publishers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            members.add(HiveMq5.connect(broker));
            members.get(i).subscribe(shared, 1);
            publishers.add(HiveMq5.connect(broker));
        }
        publishers.parallelStream()
                .forEach(
                        each -> {
                            int own = publishers.indexOf(each);
                            List<String> payloads =
                                    numbers(1, 3_000).stream().map(n -> own + ":" + n).toList();
                            each.publishAll(topic, payloads, 1);
                        });
        Inbox.awaitTotal(12_000, members.stream().map(HiveMq5::inbox).toList());
        for (HiveMq5 member : members) {
            for (int own = 0; own < 4; own++) {
                String prefix = own + ":";
                List<Integer> stream =
                        member.inbox().payloads().stream()
                                .filter(text -> text.startsWith(prefix))
                                .map(text -> Integer.valueOf(text.substring(prefix.length())))
                                .toList();
                assertThat(stream).isSorted().doesNotHaveDuplicates();
            }
        }
        members.forEach(HiveMq5::close);
        publishers.forEach(HiveMq5::close);
    }
}
