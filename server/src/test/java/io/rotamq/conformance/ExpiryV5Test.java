package io.rotamq.conformance;

import static io.rotamq.testkit.Property.MESSAGE_EXPIRY;
import static io.rotamq.testkit.Property.RECEIVE_MAXIMUM;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.Await;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** MQTT 5.0 chapters 3.3.2.3.3 and 4.3.3: the expiry of messages, and what it does not end. */
@Tag("mqtt5")
@Execution(ExecutionMode.CONCURRENT)
class ExpiryV5Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    private final String topic = Fresh.topic();
    private final ConnectPacket lasting = ConnectPacket.v5(Fresh.id()).lasting(60);
    private final RawClient publisher = broker.v5();

    private PublishPacket expiring(String payload, int qos, long seconds) {
        return PublishPacket.of(topic, payload).qos(qos, 1).with(MESSAGE_EXPIRY, seconds);
    }

    private RawClient subscriber() {
        RawClient client = broker.client(lasting);
        client.subscribe(topic, 2);
        return client;
    }

    @Test
    @Tag("MQTT-3.3.2-5")
    void aMessageThatExpiredInTheQueueIsNotDelivered() {
        subscriber().leave();
        publisher.publish(expiring("expired", 1, 1));
        publisher.publish(topic, "kept", 1);
        publisher.publish(expiring("long", 1, 60));
        Await.elapsed(Duration.ofMillis(2300));
        assertThat(broker.client(lasting).deliveriesUntilCanary(publisher))
                .extracting(Received::text)
                .containsExactly("kept", "long");
    }

    @Test
    @Tag("MQTT-3.3.2-5")
    void aMessageThatExpiredBehindAFullWindowIsNotDelivered() {
        ConnectPacket connect = ConnectPacket.v5(Fresh.id()).with(RECEIVE_MAXIMUM, 1);
        RawClient client = broker.client(connect);
        client.subscribe(topic, 1);
        publisher.publish(topic, "first", 1);
        publisher.publish(expiring("expired", 1, 1));
        publisher.publish(topic, "last", 1);
        Received first = client.delivery();
        Await.elapsed(Duration.ofMillis(2300));
        client.acknowledge(first);
        assertThat(client.receive().text()).isEqualTo("last");
    }

    @Test
    @Tag("MQTT-3.3.2-6")
    void theExpiryIsReducedByTheTimeInTheBroker() {
        subscriber().leave();
        publisher.publish(expiring("x", 1, 60).retain());
        publisher.publish(topic, "without", 1);
        Await.elapsed(Duration.ofMillis(2200));
        RawClient resumed = broker.client(lasting);
        assertThat(resumed.receive().properties().number(MESSAGE_EXPIRY)).isBetween(50L, 58L);
        assertThat(resumed.receive().properties().has(MESSAGE_EXPIRY)).isFalse();
        RawClient late = broker.v5();
        late.subscribe(topic, 0);
        assertThat(late.receive().properties().number(MESSAGE_EXPIRY)).isBetween(50L, 58L);
        publisher.publish(expiring("live", 1, 60));
        assertThat(late.receive().properties().number(MESSAGE_EXPIRY)).isBetween(55L, 60L);
    }

    @Test
    @Tag("MQTT-4.3.3-7")
    void aDeliveryThatWasBegunDoesNotExpire() {
        RawClient client = subscriber();
        publisher.publish(expiring("x", 2, 1));
        int id = client.delivery().packetId();
        client.reset();
        Await.elapsed(Duration.ofMillis(2200));
        RawClient resumed = broker.client(lasting);
        assertThat(resumed.expect(Type.PUBLISH, id).dup()).isTrue();
        resumed.send(AckPacket.pubrec(id));
        resumed.expect(Type.PUBREL, id);
        resumed.reset();
        RawClient again = broker.client(lasting);
        again.expect(Type.PUBREL, id);
        again.send(AckPacket.pubcomp(id));
        again.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-4.3.3-13")
    void theHandshakeOfAnExpiredPublishGoesOn() {
        publisher.send(expiring("x", 2, 1));
        publisher.expect(Type.PUBREC, 1);
        Await.elapsed(Duration.ofMillis(2200));
        publisher.send(AckPacket.pubrel(1));
        assertThat(publisher.expect(Type.PUBCOMP, 1).code()).isZero();
    }
}
