package io.rotamq.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.Await;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.Type;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exactly once, in both directions, across lost connections. */
class Qos2CasesTest extends CaseTest {

    @ParameterizedTest
    @Tag("C30")
    @ValueSource(booleans = {true, false})
    void aPublishRepeatedAfterAReconnectIsDeliveredOnce(boolean dup) {
        RawClient plain = broker.v5();
        plain.subscribe(topic, 2);
        RawClient sharing = member(2);
        String id = Fresh.id();
        RawClient first = broker.client(lasting(id));
        first.send(PublishPacket.of(topic, "x").qos(2, 1));
        first.expect(Type.PUBREC, 1);
        first.reset();

        RawClient back = broker.open();
        assertThat(back.connect(lasting(id)).sessionPresent()).isTrue();
        PublishPacket again = PublishPacket.of(topic, "x").qos(2, 1);
        back.send(dup ? again.dup() : again);
        assertThat(back.expect(Type.PUBREC, 1).code()).isZero();
        back.send(AckPacket.pubrel(1));
        assertThat(back.expect(Type.PUBCOMP, 1).code()).isZero();
        plain.receive();
        sharing.receive();
        nothingMoreAt(plain, sharing);
    }

    @Test
    @Tag("C163")
    void repeatsWithoutPubrelAreStoredOnce() {
        RawClient subscriber = broker.v5();
        subscriber.subscribe(topic, 1);
        RawClient client = broker.v5();
        byte[] large = new byte[100_000];
        long memory = broker.memoryUsed();
        for (int i = 0; i < 500; i++) {
            PublishPacket publish = PublishPacket.of(topic, "").payload(large).qos(2, 1);
            client.send(i == 0 ? publish : publish.dup());
            assertThat(client.expect(Type.PUBREC, 1).code()).isZero();
        }
        assertThat(subscriber.receive().payload()).hasSize(large.length);
        nothingMoreAt(subscriber);
        assertThat(broker.memoryUsed() - memory).isLessThan(2L * large.length);
    }

    @ParameterizedTest
    @Tag("C31")
    @ValueSource(ints = {4, 5})
    void everyDuplicateBeforePubrelIsAnsweredWithSuccess(int level) {
        RawClient subscriber = broker.v5();
        subscriber.subscribe(topic, 2);
        RawClient client = broker.client(level);
        client.send(PublishPacket.of(topic, "x").qos(2, 1));
        client.expect(Type.PUBREC, 1);
        for (int i = 0; i < 5; i++) {
            client.send(PublishPacket.of(topic, "x").qos(2, 1).dup());
            assertThat(client.expect(Type.PUBREC, 1).codes()).allMatch(code -> code == 0);
        }
        client.send(AckPacket.pubrel(1));
        assertThat(client.expect(Type.PUBCOMP, 1).codes()).allMatch(code -> code == 0);
        client.send(AckPacket.pubrel(1));
        assertThat(client.expect(Type.PUBCOMP, 1).codes())
                .isEqualTo(level == 5 ? List.of(0x92) : List.of());
        subscriber.receive();
        nothingMoreAt(subscriber);
    }

    @ParameterizedTest(name = "shared {0}, message expiry {1}")
    @Tag("C33")
    @Tag("C34")
    @CsvSource({"false, -1", "true, -1", "false, 1", "true, 1"})
    void pubrelIsOwedAfterResumeWhateverTheMessageExpiry(boolean isShared, int expiry) {
        String id = Fresh.id();
        RawClient first = broker.client(lasting(id));
        first.subscribe(isShared ? shared : topic, 2);
        PublishPacket publish = PublishPacket.of(topic, "x").qos(2, 1);
        publisher.publish(expiry < 0 ? publish : publish.with(Property.MESSAGE_EXPIRY, expiry));
        int delivery = first.delivery().packetId();
        first.send(AckPacket.pubrec(delivery));
        first.expect(Type.PUBREL, delivery);
        first.reset();
        if (expiry > 0) {
            Await.elapsed(Duration.ofMillis(1_500));
        }
        RawClient back = broker.client(lasting(id));
        back.expect(Type.PUBREL, delivery);
        back.send(AckPacket.pubcomp(delivery));
        nothingMoreAt(back);
    }

    @Test
    @Tag("C35")
    void pubrelAfterResumeFindsItsIdentifier() {
        RawClient subscriber = broker.v5();
        subscriber.subscribe(topic, 2);
        String id = Fresh.id();
        RawClient first = broker.client(lasting(id));
        first.send(PublishPacket.of(topic, "x").qos(2, 1));
        first.expect(Type.PUBREC, 1);
        first.reset();
        RawClient back = broker.client(lasting(id));
        back.send(AckPacket.pubrel(1));
        assertThat(back.expect(Type.PUBCOMP, 1).code()).isZero();
        subscriber.receive();
        nothingMoreAt(subscriber);
    }

    @ParameterizedTest
    @Tag("C36")
    @ValueSource(ints = {1, 2})
    void resendsOnReconnectWithDupInOrderAndAtNoOtherTime(int qos) {
        String id = Fresh.id();
        RawClient first = broker.client(lasting(id));
        first.subscribe(topic, qos);
        publish(3, qos);
        List<Received> held = hold(first, 3);
        assertThat(held).noneMatch(Received::dup);
        assertThat(first.poll(Duration.ofSeconds(2))).isNull();
        first.reset();
        RawClient back = broker.client(lasting(id));
        List<Received> again = hold(back, 3);
        assertThat(again).allMatch(Received::dup);
        assertThat(ids(again)).isEqualTo(ids(held));
        assertThat(texts(again)).isEqualTo(texts(held));
        nothingMoreAt(back);
    }

    @ParameterizedTest
    @Tag("C37")
    @ValueSource(booleans = {true, false})
    void finishedExchangesFreeTheirSlotAcrossReconnects(boolean isShared) {
        String id = Fresh.id();
        ConnectPacket connect = lasting(id).with(Property.RECEIVE_MAXIMUM, 5);
        RawClient client = broker.client(connect);
        client.subscribe(isShared ? shared : topic, 2);
        for (int round = 0; round < 100; round++) {
            publisher.publish(topic, "round " + round, 2);
            Received packet = client.read();
            if (packet.type() == Type.PUBLISH && round % 3 > 0) {
                client.send(AckPacket.pubrec(packet.packetId()));
                if (round % 3 > 1) {
                    client.await(Type.PUBREL, packet.packetId());
                }
            }
            client.reset();
            client = broker.client(connect);
            while (isUnfinished(client.poll(Duration.ofMillis(10)), client)) {
                // Completes what the round before left.
            }
        }
        drain(client);
        assertThat(texts(client.receive(publish(20, 2).size()))).isEqualTo(numbers(1, 20));
        nothingMoreAt(client);
    }

    private static boolean isUnfinished(Received packet, RawClient client) {
        if (packet == null) {
            return false;
        }
        if (packet.type() == Type.PUBREL) {
            client.send(AckPacket.pubcomp(packet.packetId()));
        } else {
            client.acknowledge(packet);
        }
        return true;
    }

    @ParameterizedTest
    @Tag("C38")
    @ValueSource(ints = {1, 2})
    void theMessageWrittenIntoADeadConnectionIsNotMissing(int qos) {
        String id = Fresh.id();
        RawClient dead = broker.client(lasting(id));
        dead.subscribe(topic, qos);
        publish(5, qos);
        // The old connection is still open, and nobody reads from it any more.
        RawClient back = broker.client(lasting(id));
        assertThat(texts(back.receive(5))).isEqualTo(numbers(1, 5));
        nothingMoreAt(back);
    }

    @ParameterizedTest(name = "QoS {0}, persistent {1}")
    @Tag("C39")
    @CsvSource({"0, false", "1, false", "2, false", "0, true", "1, true", "2, true"})
    void aRetainedMessageComesAsAnOrdinaryExchange(int qos, boolean persistent) {
        publisher.publish(PublishPacket.of(topic, "kept").retain().qos(2, 1));
        String id = Fresh.id();
        RawClient client = broker.client(persistent ? lasting(id) : ConnectPacket.v5(id));
        client.subscribe(topic, qos);
        Received delivery = client.receive();
        assertThat(delivery.qos()).isEqualTo(qos);
        assertThat(delivery.retain()).isTrue();
        assertThat(client.isOpen()).isTrue();
        retain(topic, "");
    }
}
