package io.rotamq.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MQTT 3.1.1 chapters 4.3, 4.4 and 4.6: handshakes, resending and order. */
@Tag("mqtt311")
@Execution(ExecutionMode.CONCURRENT)
class QosV4Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    private final String topic = Fresh.topic();
    private final ConnectPacket stored = ConnectPacket.v4(Fresh.id()).resume();
    private final RawClient publisher = broker.v4();

    private RawClient subscriber() {
        RawClient client = broker.client(stored);
        client.subscribe(topic, 2);
        return client;
    }

    private RawClient resume(RawClient client) {
        client.reset();
        return broker.client(stored);
    }

    @Test
    @Tag("MQTT-2.3.1-2")
    @Tag("MQTT-2.3.1-3")
    @Tag("MQTT-4.3.3-2")
    void repeatsOfAQos2PublishAreDeliveredOnce() {
        RawClient client = subscriber();
        for (int i = 0; i < 5; i++) {
            PublishPacket packet = PublishPacket.of(topic, "once").qos(2, 9);
            publisher.send(i == 0 ? packet : packet.dup());
            publisher.expect(Type.PUBREC, 9);
        }
        publisher.send(AckPacket.pubrel(9));
        publisher.expect(Type.PUBCOMP, 9);
        assertThat(client.receive().text()).isEqualTo("once");
        client.expectNothingFrom(publisher);
        publisher.publish(PublishPacket.of(topic, "new").qos(2, 9));
        assertThat(client.receive().text()).isEqualTo("new");
    }

    @Test
    @Tag("X3-4.1-a")
    @Tag("MQTT-2.3.1-3")
    @Tag("MQTT-4.1.0-1")
    void anUnfinishedQos2PublishOutlivesTheConnection() {
        publisher.subscribe(topic, 2);
        RawClient source = broker.client(stored);
        source.send(PublishPacket.of(topic, "once").qos(2, 5));
        source.expect(Type.PUBREC, 5);
        RawClient resumed = resume(source);
        resumed.send(PublishPacket.of(topic, "once").qos(2, 5).dup());
        resumed.expect(Type.PUBREC, 5);
        resumed.send(AckPacket.pubrel(5));
        resumed.expect(Type.PUBCOMP, 5);
        assertThat(publisher.receive().text()).isEqualTo("once");
        publisher.expectNothingFrom(publisher);
        resumed.publish(PublishPacket.of(topic, "new").qos(2, 5));
        assertThat(publisher.receive().text()).isEqualTo("new");
    }

    @Test
    @Tag("X3-4.3.3-a")
    void anUnknownPubrelIsAnsweredToo() {
        publisher.send(AckPacket.pubrel(99));
        assertThat(publisher.expect(Type.PUBCOMP).hex()).isEqualTo("70020063");
        publisher.ping();
    }

    @Test
    @Tag("MQTT-4.3.2-1")
    void aQos1DeliveryIsSentAgainUntilItsPuback() {
        RawClient client = subscriber();
        publisher.publish(topic, "x", 1);
        Received first = client.delivery();
        assertThat(first.firstByte()).isEqualTo(0x32);
        client = resume(client);
        Received again = client.receive();
        assertThat(again.firstByte()).isEqualTo(0x3A);
        assertThat(again.packetId()).isEqualTo(first.packetId());
        client.ping();
        resume(client).expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-4.3.2-2")
    void afterThePubackTheIdentifierMeansANewMessage() {
        RawClient client = subscriber();
        publisher.publish(PublishPacket.of(topic, "first").qos(1, 1));
        publisher.publish(PublishPacket.of(topic, "second").qos(1, 1).dup());
        assertThat(client.receive(2)).extracting(Received::text).containsExactly("first", "second");
    }

    @Test
    @Tag("MQTT-4.3.3-1")
    void afterThePubrecOnlyThePubrelIsSentAgain() {
        RawClient client = subscriber();
        publisher.publish(topic, "x", 2);
        Received first = client.delivery();
        int id = first.packetId();
        assertThat(first.firstByte()).isEqualTo(0x34);
        client = resume(client);
        Received again = client.expect(Type.PUBLISH, id);
        assertThat(again.firstByte()).isEqualTo(0x3C);
        client.send(AckPacket.pubrec(id));
        client.expect(Type.PUBREL, id);
        client = resume(client);
        client.expect(Type.PUBREL, id);
        client.send(AckPacket.pubcomp(id));
        client.expectNothingFrom(publisher);
        resume(client).expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-4.4.0-1")
    @Tag("X3-4.4-a")
    void everythingUnfinishedIsSentAgainOnAReconnectOnly() {
        RawClient client = subscriber();
        publisher.publish(topic, "one", 1);
        publisher.publish(topic, "two", 2);
        publisher.publish(topic, "three", 2);
        int one = client.delivery().packetId();
        int two = client.delivery().packetId();
        int three = client.delivery().packetId();
        client.send(AckPacket.pubrec(two));
        client.expect(Type.PUBREL, two);
        assertThat(client.poll(Duration.ofSeconds(3))).isNull();
        client.ping();
        RawClient resumed = resume(client);
        List<String> again = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Received each = resumed.read();
            again.add(each.type() + " " + each.packetId());
        }
        assertThat(again)
                .containsExactlyInAnyOrder("PUBLISH " + one, "PUBREL " + two, "PUBLISH " + three);
    }

    @Test
    @Tag("MQTT-4.6.0-1")
    void whatIsSentAgainKeepsItsOrder() {
        RawClient client = subscriber();
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            publisher.publish(topic, "m" + i, 1 + i % 2);
            Received delivery = client.delivery();
            sent.add(delivery.text() + " " + delivery.packetId());
        }
        RawClient resumed = resume(client);
        for (String each : sent) {
            Received again = resumed.delivery();
            assertThat(again.text() + " " + again.packetId()).isEqualTo(each);
        }
    }

    @Test
    @Tag("MQTT-4.6.0-2")
    @Tag("MQTT-4.6.0-3")
    void acknowledgementsComeInTheOrderOfThePublishes() {
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
    @Tag("MQTT-4.5.0-2")
    void pubrelsComeInTheOrderOfThePubrecs() {
        RawClient client = subscriber();
        publisher.publish(topic, "a", 2);
        publisher.publish(topic, "b", 2);
        int a = client.delivery().packetId();
        int b = client.delivery().packetId();
        client.send(AckPacket.pubrec(b), AckPacket.pubrec(a));
        client.expect(Type.PUBREL, b);
        client.expect(Type.PUBREL, a);
        client.send(AckPacket.pubcomp(b), AckPacket.pubcomp(a));
        client.ping();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    @Tag("MQTT-4.6.0-5")
    @Tag("MQTT-4.6.0-6")
    void deliveriesKeepTheOrderOfThePublishesAcrossReconnects(int qos) {
        int messages = 900;
        RawClient client = subscriber();
        for (int i = 0; i < messages; i++) {
            publisher.publish(topic, "" + i, qos);
        }
        int next = 0;
        int reconnects = qos == 0 ? 2 : 0;
        while (next < messages) {
            Received each = client.receive();
            int number = Integer.parseInt(each.text());
            assertThat(number).isLessThanOrEqualTo(next);
            next = Math.max(next, number + 1);
            if (reconnects < 2 && next == 300 * (reconnects + 1)) {
                client = resume(client);
                reconnects++;
            }
        }
        client.expectNothingFrom(publisher);
    }
}
