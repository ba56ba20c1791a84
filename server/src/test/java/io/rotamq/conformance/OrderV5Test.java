package io.rotamq.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Outgoing;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MQTT 5.0 chapter 4.6: the order of messages. */
@Tag("mqtt5")
@Execution(ExecutionMode.CONCURRENT)
class OrderV5Test {
    private static final int MESSAGES = 3_000;

    @AutoClose
    private static final TestBroker broker =
            TestBroker.start("session.max-queued-messages=100000", "mqtt.receive-maximum=65535");

    private final String topic = Fresh.topic();
    private final ConnectPacket lasting = ConnectPacket.v5(Fresh.id()).lasting(60);

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @Tag("MQTT-4.6.0-5")
    @Tag("MQTT-4.6.0-6")
    @Tag("MQTT-4.6.0-1")
    void firstReceptionsKeepTheOrderOfThePublishesAcrossAReconnect(int qos) {
        RawClient subscriber = broker.client(lasting);
        subscriber.subscribe(topic, qos);
        RawClient publisher = broker.v5();
        RawClient other = broker.v5();
        for (int i = 0; i < MESSAGES; i++) {
            publisher.send(PublishPacket.of(topic, "a" + i).qos(qos, i + 1));
            other.send(PublishPacket.of(topic, "b" + i).qos(qos, i + 1));
        }
        List<String> first = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (int i = 0; seen.size() < 2 * MESSAGES; i++) {
            if (i == 1000 || i == 2500) {
                subscriber.reset();
                subscriber = broker.client(lasting);
            }
            Received each = subscriber.read();
            if (each.type() == Type.PUBLISH) {
                if (seen.add(each.text())) {
                    first.add(each.text());
                }
                AckPacket ack =
                        qos == 1
                                ? AckPacket.puback(each.packetId())
                                : AckPacket.pubrec(each.packetId());
                subscriber.send(ack);
            } else {
                assertThat(each.type()).isEqualTo(Type.PUBREL);
                subscriber.send(AckPacket.pubcomp(each.packetId()));
            }
        }
        assertThat(numbersOf("a", first)).isEqualTo(upTo(MESSAGES));
        assertThat(numbersOf("b", first)).isEqualTo(upTo(MESSAGES));
    }

    @Test
    @Tag("MQTT-4.6.0-5")
    @Tag("MQTT-4.6.0-6")
    void qos0MessagesKeepTheirOrder() {
        RawClient subscriber = broker.v5();
        subscriber.subscribe(topic, 0);
        RawClient publisher = broker.v5();
        List<String> received = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            publisher.publish(topic, "a" + i, 0);
        }
        for (int i = 0; i < 1_000; i++) {
            received.add(subscriber.receive().text());
        }
        assertThat(numbersOf("a", received)).isEqualTo(upTo(1_000));
    }

    @Test
    @Tag("MQTT-4.6.0-3")
    void acknowledgementsComeInTheOrderOfThePublishes() {
        RawClient publisher = broker.v5();
        int[] ids = {3, 1, 2, 60_000, 7};
        for (int qos = 1; qos <= 2; qos++) {
            for (int id : ids) {
                publisher.send(PublishPacket.of(topic, "x").qos(qos, id));
            }
            for (int id : ids) {
                publisher.expect(qos == 1 ? Type.PUBACK : Type.PUBREC, id);
            }
        }
    }

    @Test
    @Tag("MQTT-4.6.0-4")
    void pubrelsComeInTheOrderOfThePubrecs() {
        RawClient publisher = broker.v5();
        RawClient client = broker.client(lasting);
        client.subscribe(topic, 2);
        for (int i = 0; i < 3; i++) {
            publisher.publish(topic, "m" + i, 2);
        }
        List<Integer> ids =
                new ArrayList<>(
                        List.of(
                                client.delivery().packetId(),
                                client.delivery().packetId(),
                                client.delivery().packetId()));
        Collections.reverse(ids);
        ids.forEach(id -> client.send(AckPacket.pubrec(id)));
        ids.forEach(id -> client.expect(Type.PUBREL, id));
        client.ping();
    }

    @Test
    @Tag("MQTT-4.3.2-1")
    @Tag("MQTT-2.2.1-4")
    void identifiersInUseAreSkippedWhenTheNumbersStartAnew() {
        int held = 50;
        int batch = 50;
        RawClient subscriber = broker.v5();
        subscriber.subscribe(topic, 1);
        RawClient publisher = broker.v5();
        Set<Integer> inUse = new HashSet<>();
        Set<Integer> seen = new HashSet<>();
        for (int sent = 0; seen.size() < 65_535 - held || sent < 66_000; sent += batch) {
            Outgoing[] publishes = new Outgoing[batch];
            Arrays.setAll(publishes, i -> PublishPacket.of(topic, "x").qos(1, i + 1));
            publisher.send(publishes);
            Outgoing[] acks = new Outgoing[batch];
            for (int i = 0; i < batch; i++) {
                int id = subscriber.delivery().packetId();
                assertThat(inUse).doesNotContain(id);
                if (sent < held) {
                    inUse.add(id);
                } else {
                    seen.add(id);
                }
                acks[i] = AckPacket.puback(id);
                publisher.expect(Type.PUBACK);
            }
            if (sent >= held) {
                subscriber.send(acks);
            }
            assertThat(sent).isLessThan(140_000);
        }
    }

    private static List<Integer> upTo(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    private static List<Integer> numbersOf(String publisher, List<String> texts) {
        return texts.stream()
                .filter(text -> text.startsWith(publisher))
                .map(text -> Integer.valueOf(text.substring(1)))
                .toList();
    }
}
