package io.rotamq.scenarios;

import static io.rotamq.scenarios.Payloads.hold;
import static io.rotamq.scenarios.Payloads.nothingMoreAt;
import static io.rotamq.scenarios.Payloads.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Groups whose members come and go, with {@code offline-members: skip}. */
class OfflineScenariosTest {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    private final String topic = Fresh.topic();
    private final String filter = "$share/g/" + topic;
    private RawClient publisher;

    @BeforeEach
    void connectPublisher() {
        publisher = broker.v5();
    }

    private static ConnectPacket lasting(String id, int seconds) {
        return ConnectPacket.v5(id).lasting(seconds);
    }

    private RawClient member(ConnectPacket connect) {
        RawClient member = broker.client(connect);
        member.subscribe(filter, 2);
        return member;
    }

    private static void awaitSessionEnd(long before) {
        await().atMost(Duration.ofSeconds(5))
                .until(() -> broker.counted(Counter.SESSIONS_ENDED) > before);
    }

    @Test
    @Tag("C26")
    @DisplayName("A10: everybody is away: the group holds the messages for who comes first")
    void holdsMessagesOnceWhileEverybodyIsAway() {
        String idA = Fresh.id();
        String idB = Fresh.id();
        member(lasting(idA, 3_600)).leave();
        member(lasting(idB, 2)).leave();
        long ended = broker.counted(Counter.SESSIONS_ENDED);
        List<String> published = Payloads.of("p", 100);
        for (String payload : published) {
            long start = System.nanoTime();
            Received ack = publisher.publish(topic, payload, 1);
            assertThat(ack.code()).isZero();
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isLessThan(Duration.ofSeconds(1));
        }
        RawClient a = broker.client(lasting(idA, 3_600));
        assertThat(texts(a.receive(100))).isEqualTo(published);
        awaitSessionEnd(ended);
        nothingMoreAt(a);
        RawClient b = broker.open();
        assertThat(b.connect(lasting(idB, 2)).sessionPresent()).isFalse();
        nothingMoreAt(b);
    }

    @Test
    @DisplayName("A12: a QoS 2 delivery waits for its client: before PUBREC it is sent again")
    void resumesQos2ThatWasNotReceived() {
        String idA = Fresh.id();
        RawClient a = member(lasting(idA, 60));
        publisher.publish(topic, "first", 2);
        int id = a.delivery().packetId();
        RawClient b = member(ConnectPacket.v5(Fresh.id()));
        a.reset();
        nothingMoreAt(b);
        RawClient back = broker.client(lasting(idA, 60));
        Received again = back.receive();
        assertThat(again.packetId()).isEqualTo(id);
        assertThat(again.dup()).isTrue();
        nothingMoreAt(back, b);
    }

    @Test
    @DisplayName("A12: a QoS 2 delivery waits for its client: after PUBREC it goes on with PUBREL")
    void resumesQos2ThatWasReceived() {
        String idA = Fresh.id();
        RawClient a = member(lasting(idA, 60));
        publisher.publish(topic, "first", 2);
        int id = a.delivery().packetId();
        a.send(AckPacket.pubrec(id));
        a.expect(Type.PUBREL, id);
        RawClient b = member(ConnectPacket.v5(Fresh.id()));
        a.reset();
        nothingMoreAt(b);
        RawClient back = broker.client(lasting(idA, 60));
        back.expect(Type.PUBREL, id);
        back.send(AckPacket.pubcomp(id));
        nothingMoreAt(back, b);
    }

    @Test
    @Tag("C18")
    @DisplayName("A14: takeover: the new connection inherits, nobody else gets anything")
    void takeoverInheritsWhatWasNotAcknowledged() {
        String idA = Fresh.id();
        RawClient a = member(lasting(idA, 60));
        Payloads.publish(publisher, topic, Payloads.of("p", 5), 1);
        List<Received> held = hold(a, 5);
        RawClient b = member(ConnectPacket.v5(Fresh.id()));
        RawClient back = broker.client(lasting(idA, 60));
        a.expectDisconnect(0x8E);
        List<Received> again = back.receive(5);
        assertThat(again).allMatch(Received::dup);
        assertThat(again)
                .extracting(Received::packetId)
                .isEqualTo(held.stream().map(Received::packetId).toList());
        nothingMoreAt(back, b);
    }

    @Test
    @DisplayName("A15: the last member's session ends: what waited is dropped and counted")
    void dropsAndCountsTheBacklogOfAGroupThatEnds() {
        member(lasting(Fresh.id(), 1)).leave();
        long dropped = broker.dropped(DropReason.GROUP_ENDED);
        Payloads.publish(publisher, topic, Payloads.of("p", 20), 1);
        await().atMost(Duration.ofSeconds(5))
                .until(() -> broker.dropped(DropReason.GROUP_ENDED) == dropped + 20);
        assertThat(publisher.publish(topic, "unheard", 1).code()).isEqualTo(0x10);
        nothingMoreAt(member(ConnectPacket.v5(Fresh.id())));
    }

    @Test
    @DisplayName("A18: a pool is replaced: new members get the backlog without waiting for expiry")
    void aNewPoolGetsTheBacklogOfTheOldOne() {
        RawClient old1 = member(lasting(Fresh.id(), 3_600));
        RawClient old2 = member(lasting(Fresh.id(), 3_600));
        Payloads.publish(publisher, topic, Payloads.range("p", 1, 4), 1);
        hold(old1, 2);
        hold(old2, 2);
        old1.reset();
        old2.reset();
        Payloads.publish(publisher, topic, Payloads.range("p", 5, 50), 1);
        RawClient new1 = member(ConnectPacket.v5(Fresh.id()));
        assertThat(texts(new1.receive(50)))
                .containsExactlyInAnyOrderElementsOf(Payloads.of("p", 50));
        RawClient new2 = member(ConnectPacket.v5(Fresh.id()));
        nothingMoreAt(new1, new2);
    }

    @Test
    @DisplayName("A21: nobody else can take them: the same client gets its deliveries again")
    void resendsToTheSameClientWhatNobodyElseTook() {
        String idA = Fresh.id();
        RawClient a = member(lasting(idA, 60));
        Payloads.publish(publisher, topic, Payloads.of("p", 3), 1);
        List<Received> held = hold(a, 3);
        a.reset();
        RawClient back = broker.client(lasting(idA, 60));
        List<Received> again = back.receive(3);
        assertThat(again).allMatch(Received::dup);
        assertThat(texts(again)).isEqualTo(texts(held));
        assertThat(again)
                .extracting(Received::packetId)
                .isEqualTo(held.stream().map(Received::packetId).toList());
        nothingMoreAt(back);
    }

    @Test
    @DisplayName("A21: another member took them: not sent again, a late PUBACK is ignored")
    void doesNotResendWhatAnotherMemberTook() {
        String idA = Fresh.id();
        RawClient a = member(lasting(idA, 60).with(Property.RECEIVE_MAXIMUM, 10));
        Payloads.publish(publisher, topic, Payloads.of("p", 3), 1);
        List<Received> held = hold(a, 3);
        a.reset();
        RawClient b = member(ConnectPacket.v5(Fresh.id()));
        List<Received> taken = b.receive(3);
        assertThat(texts(taken)).isEqualTo(texts(held));
        assertThat(taken).noneMatch(Received::dup);

        RawClient back = broker.client(lasting(idA, 60).with(Property.RECEIVE_MAXIMUM, 10));
        nothingMoreAt(back);
        long late = broker.counted(Counter.LATE_ACKS);
        held.forEach(delivery -> back.send(AckPacket.puback(delivery.packetId())));
        back.ping();
        assertThat(broker.counted(Counter.LATE_ACKS)).isEqualTo(late + 3);
        // The identifiers freed by the redispatch are reused last.
        Payloads.publish(publisher, topic, Payloads.of("q", 2), 1);
        int next = back.receive().packetId();
        assertThat(held).extracting(Received::packetId).doesNotContain(next);
        nothingMoreAt(back);
    }
}
