package io.rotamq.conformance;

import static io.rotamq.testkit.Property.MAXIMUM_PACKET_SIZE;
import static io.rotamq.testkit.Property.RECEIVE_MAXIMUM;
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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** MQTT 5.0 chapters 3.4 to 3.7, 4.3 and 4.4: the handshakes of QoS 1 and 2, and resending. */
@Tag("mqtt5")
@Execution(ExecutionMode.CONCURRENT)
class QosV5Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    private final String topic = Fresh.topic();
    private final ConnectPacket lasting = ConnectPacket.v5(Fresh.id()).lasting(60);
    private final RawClient publisher = broker.v5();

    private RawClient subscriber(int qos) {
        RawClient client = broker.client(lasting);
        client.subscribe(topic, qos);
        return client;
    }

    private RawClient resume(RawClient client) {
        client.reset();
        return broker.client(lasting);
    }

    @Test
    @Tag("X5-3.4.2.1-a")
    void everyFormOfAPubackIsAccepted() {
        RawClient client = broker.client(lasting.with(RECEIVE_MAXIMUM, 1));
        client.subscribe(topic, 1);
        for (int i = 0; i < 4; i++) {
            publisher.publish(topic, "m" + i, 1);
        }
        String[] forms = {"40 02 %04x", "40 03 %04x 00", "40 04 %04x 00 00"};
        for (String form : forms) {
            client.send(form.formatted(client.delivery().packetId()));
        }
        assertThat(client.receive().text()).isEqualTo("m3");
    }

    @Test
    @Tag("X5-3.4.2.1-b")
    void theCode10SaysThatNobodyIsSubscribed() {
        assertThat(publisher.publish(topic, "x", 1).code()).isEqualTo(0x10);
        assertThat(publisher.publish(topic, "x", 2).code()).isEqualTo(0x10);
        subscriber(0);
        assertThat(publisher.publish(topic, "x", 1).code()).isZero();
        assertThat(publisher.publish(topic, "x", 2).code()).isZero();
    }

    @Test
    @Tag("MQTT-3.6.2-1")
    @Tag("MQTT-3.6.2-2")
    void anUnknownPubrecIsAnsweredWithNotFound() {
        RawClient narrow =
                broker.client(ConnectPacket.v5(Fresh.id()).with(MAXIMUM_PACKET_SIZE, 64));
        narrow.send(AckPacket.pubrec(99));
        Received pubrel = narrow.expect(Type.PUBREL, 99);
        assertThat(pubrel.code()).isEqualTo(0x92);
        narrow.ping();
    }

    @Test
    @Tag("MQTT-3.7.2-1")
    @Tag("MQTT-3.7.2-2")
    void anUnknownPubrelIsAnsweredWithNotFound() {
        RawClient narrow =
                broker.client(ConnectPacket.v5(Fresh.id()).with(MAXIMUM_PACKET_SIZE, 64));
        narrow.send(AckPacket.pubrel(99));
        assertThat(narrow.expect(Type.PUBCOMP, 99).code()).isEqualTo(0x92);
        narrow.ping();
    }

    @Test
    @Tag("X5-3.6.2.1-a")
    @Tag("MQTT-4.3.3-11")
    void aPubrelThatIsRepeatedAfterAReconnectIsNoError() {
        RawClient client = broker.client(lasting);
        client.send(PublishPacket.of(topic, "x").qos(2, 9));
        client.expect(Type.PUBREC, 9);
        client.send(AckPacket.pubrel(9));
        assertThat(client.expect(Type.PUBCOMP, 9).code()).isZero();
        client.send(AckPacket.pubrel(9));
        assertThat(client.expect(Type.PUBCOMP, 9).code()).isIn(0x00, 0x92);
        RawClient resumed = resume(client);
        resumed.send(AckPacket.pubrel(9));
        assertThat(resumed.expect(Type.PUBCOMP, 9).code()).isIn(0x00, 0x92);
        resumed.ping();
    }

    @Test
    @Tag("MQTT-4.3.2-3")
    void aQos1DeliveryIsSentAgainUntilItsPuback() {
        RawClient client = subscriber(1);
        publisher.publish(topic, "x", 1);
        Received first = client.delivery();
        client = resume(client);
        Received second = client.delivery();
        assertThat(second.packetId()).isEqualTo(first.packetId());
        client.send(AckPacket.pubrec(first.packetId()));
        client.await(Type.PUBREL, first.packetId());
        client = resume(client);
        Received third = client.delivery();
        assertThat(third.packetId()).isEqualTo(first.packetId());
        client.send(AckPacket.puback(third.packetId()));
        client.ping();
        resume(client).expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-4.3.2-5")
    void afterThePubackTheIdentifierMeansANewMessage() {
        RawClient client = subscriber(1);
        publisher.publish(PublishPacket.of(topic, "first").qos(1, 1));
        publisher.publish(PublishPacket.of(topic, "second").qos(1, 1).dup());
        assertThat(client.receive(2)).extracting(Received::text).containsExactly("first", "second");
    }

    @Test
    @Tag("MQTT-4.3.3-1")
    void identifiersOfQos2DeliveriesAreFreeOnlyAfterPubcomp() {
        RawClient client = subscriber(2);
        Set<Integer> open = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            publisher.publish(topic, "m" + i, 2);
            Received delivery = client.delivery();
            assertThat(open.add(delivery.packetId())).as("%s is free", delivery).isTrue();
            if (i % 2 == 0) {
                client.send(AckPacket.pubrec(delivery.packetId()));
                client.expect(Type.PUBREL, delivery.packetId());
            }
        }
    }

    @Test
    @Tag("MQTT-4.3.3-3")
    void aQos2DeliveryIsSentAgainUntilItsPubrec() {
        RawClient client = subscriber(2);
        publisher.publish(topic, "x", 2);
        Received first = client.delivery();
        Received again = resume(client).delivery();
        assertThat(again.dup()).isTrue();
        assertThat(again.packetId()).isEqualTo(first.packetId());
    }

    @Test
    @Tag("MQTT-4.3.3-4")
    @Tag("MQTT-3.6.1-1")
    void aPubrecIsAnsweredWithPubrelUnlessItRefuses() {
        RawClient client = subscriber(2);
        for (int code : new int[] {0x00, 0x10}) {
            publisher.publish(topic, "x", 2);
            int id = client.delivery().packetId();
            client.send(AckPacket.pubrec(id).code(code));
            Received pubrel = client.expect(Type.PUBREL, id);
            assertThat(pubrel.firstByte()).isEqualTo(0x62);
            assertThat(pubrel.code()).isZero();
            client.send(AckPacket.pubcomp(id));
        }
        publisher.publish(topic, "x", 2);
        client.send(AckPacket.pubrec(client.delivery().packetId()).code(0x80));
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-4.3.3-5")
    @Tag("MQTT-4.3.3-6")
    @Tag("MQTT-4.4.0-1")
    void afterThePubrecOnlyThePubrelIsSentAgain() {
        RawClient client = subscriber(2);
        publisher.publish(topic, "x", 2);
        int id = client.delivery().packetId();
        client.send(AckPacket.pubrec(id));
        client.expect(Type.PUBREL, id);
        client = resume(client);
        client.expect(Type.PUBREL, id);
        client.send(AckPacket.pubcomp(id));
        client.expectNothingFrom(publisher);
        resume(client).expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-4.3.3-10")
    @Tag("MQTT-4.3.3-11")
    @Tag("MQTT-4.3.3-12")
    void repeatsOfAQos2PublishAreDeliveredOnce() {
        RawClient client = subscriber(2);
        publisher.send(PublishPacket.of(topic, "once").qos(2, 9));
        assertThat(publisher.expect(Type.PUBREC, 9).code()).isZero();
        for (int i = 0; i < 4; i++) {
            publisher.send(PublishPacket.of(topic, "once").qos(2, 9).dup());
            assertThat(publisher.expect(Type.PUBREC, 9).code()).isZero();
        }
        publisher.send(AckPacket.pubrel(9));
        assertThat(publisher.expect(Type.PUBCOMP, 9).code()).isZero();
        assertThat(client.receive().text()).isEqualTo("once");
        client.expectNothingFrom(publisher);
        publisher.publish(PublishPacket.of(topic, "again").qos(2, 9).dup());
        assertThat(client.receive().text()).isEqualTo("again");
    }

    @Test
    @Tag("X5-4.1-a")
    void anUnfinishedQos2PublishOutlivesTheConnection() {
        RawClient client = broker.v5();
        client.subscribe(topic, 2);
        RawClient source = broker.client(lasting);
        source.send(PublishPacket.of(topic, "once").qos(2, 9));
        source.expect(Type.PUBREC, 9);
        RawClient resumed = resume(source);
        resumed.send(PublishPacket.of(topic, "once").qos(2, 9).dup());
        resumed.expect(Type.PUBREC, 9);
        resumed.send(AckPacket.pubrel(9));
        assertThat(resumed.expect(Type.PUBCOMP, 9).code()).isZero();
        assertThat(client.receive().text()).isEqualTo("once");
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-4.4.0-1")
    void nothingIsSentAgainOnALiveConnection() {
        RawClient client = subscriber(2);
        publisher.publish(topic, "one", 1);
        publisher.publish(topic, "two", 2);
        publisher.publish(topic, "three", 2);
        int one = client.delivery().packetId();
        int two = client.delivery().packetId();
        int three = client.delivery().packetId();
        client.send(AckPacket.pubrec(two));
        client.expect(Type.PUBREL, two);
        assertThat(client.poll(Duration.ofSeconds(3))).isNull();
        client = resume(client);
        List<String> again = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Received each = client.read();
            again.add(each.type() + " " + each.packetId());
        }
        assertThat(again)
                .containsExactlyInAnyOrder("PUBLISH " + one, "PUBREL " + two, "PUBLISH " + three)
                .containsSubsequence("PUBLISH " + one, "PUBLISH " + three);
        client.send(AckPacket.puback(one), AckPacket.pubcomp(two), AckPacket.pubrec(three));
        client.expect(Type.PUBREL, three);
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-4.4.0-2")
    void aRefusalEndsTheDelivery() {
        RawClient client = subscriber(2);
        publisher.publish(topic, "one", 1);
        publisher.publish(topic, "two", 2);
        client.send(AckPacket.puback(client.delivery().packetId()).code(0x80));
        client.send(AckPacket.pubrec(client.delivery().packetId()).code(0x80));
        client.ping();
        resume(client).expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-4.3.1-1")
    void qos0IsNotSentAgain() {
        RawClient client = subscriber(0);
        publisher.publish(topic, "x", 2);
        assertThat(client.delivery().firstByte()).isEqualTo(0x30);
        resume(client).expectNothingFrom(publisher);
    }
}
