package io.rotamq.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.Await;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of messages that a member did not finish. */
class SharedRedeliveryCasesTest extends CaseTest {

    /** How a member goes for good. */
    enum Departure {
        CLOSE,
        RESET,
        DISCONNECT,
        DISCONNECT_WITH_WILL,
        KEEP_ALIVE,
        CLEAN_TAKEOVER
    }

    @ParameterizedTest
    @Tag("C15")
    @EnumSource
    void inflightQos1OfAMemberThatGoesForGoodReachesAnother(Departure departure) {
        String idA = Fresh.id();
        RawClient a = member(ConnectPacket.v5(idA).keepAlive(1), 1);
        RawClient b = member(1);
        publish(4, 1);
        List<String> atA = texts(hold(a, 2));
        hold(b, 2);
        switch (departure) {
            case CLOSE -> a.close();
            case RESET -> a.reset();
            case DISCONNECT -> a.send(AckPacket.disconnect());
            case DISCONNECT_WITH_WILL -> a.send(AckPacket.disconnect().code(0x04));
            case KEEP_ALIVE -> a.expectDisconnect(0x8D);
            case CLEAN_TAKEOVER -> broker.client(ConnectPacket.v5(idA));
        }
        List<Received> moved = b.receive(2);
        assertThat(texts(moved)).isEqualTo(atA);
        assertThat(moved).noneMatch(Received::dup);
        nothingMoreAt(b);
    }

    @Test
    @Tag("C16")
    void theShareOfAnExpiredSessionGoesToALaterMember() {
        member(ConnectPacket.v5(Fresh.id()).lasting(2), 1).leave();
        List<String> published = publish(50, 1);
        RawClient second = member(1);
        assertThat(texts(second.receive(50))).isEqualTo(published);
        Await.elapsed(Duration.ofMillis(2_200));
        nothingMoreAt(second);
    }

    @Test
    @Tag("C17")
    void redispatchStaysInsideTheGroupOfTheMessage() {
        String wide = "$share/g1/" + topic + "/#";
        String narrow = "$share/g2/" + topic + "/+";
        RawClient stuck =
                broker.client(
                        ConnectPacket.v5(Fresh.id()).lasting(1).with(Property.RECEIVE_MAXIMUM, 2));
        stuck.subscribe(wide, 1);
        RawClient both = broker.v5();
        both.subscribe(SubscribePacket.id(1).filter(wide, 1).identifier(1));
        both.subscribe(SubscribePacket.id(2).filter(narrow, 1).identifier(2));
        for (int i = 1; i <= 10; i++) {
            publisher.publish(topic + "/" + i, String.valueOf(i), 1);
        }
        hold(stuck, 2);
        stuck.reset();
        List<Received> all = both.receive(20);
        assertThat(all.stream().filter(d -> d.identifiers().equals(List.of(1L))))
                .extracting(Received::text)
                .containsExactlyInAnyOrderElementsOf(numbers(1, 10));
        assertThat(all.stream().filter(d -> d.identifiers().equals(List.of(2L))))
                .extracting(Received::text)
                .containsExactlyElementsOf(numbers(1, 10));
        nothingMoreAt(both);
    }

    @Test
    @Tag("C18")
    void aTakeoverWithCleanStartEndsTheSession() {
        String idA = Fresh.id();
        RawClient a = member(lasting(idA), 1);
        List<String> published = publish(5, 1);
        hold(a, 5);
        RawClient b = member(1);
        RawClient clean = broker.open();
        assertThat(clean.connect(ConnectPacket.v5(idA)).sessionPresent()).isFalse();
        assertThat(texts(b.receive(5))).isEqualTo(published);
        nothingMoreAt(clean, b);
    }

    @ParameterizedTest
    @Tag("C19")
    @ValueSource(ints = {1, 2})
    void aRefusedMessageIsNotSentAgainOnReconnect(int qos) {
        String idA = Fresh.id();
        RawClient a = member(lasting(idA).with(Property.RECEIVE_MAXIMUM, 1), qos);
        publisher.publish(topic, "refused", qos);
        publisher.publish(topic, "next", qos);
        int id = a.delivery().packetId();
        a.send(qos == 1 ? AckPacket.puback(id).code(0x80) : AckPacket.pubrec(id).code(0x80));
        // No PUBREL: the next packet is the next message.
        assertThat(a.receive().text()).isEqualTo("next");
        a.reset();
        RawClient back = broker.client(lasting(idA));
        nothingMoreAt(back);
    }

    @Test
    @Tag("C20")
    void qos2UnderWayEndsWithItsSessionAndQueuedQos2Moves() {
        RawClient a =
                member(
                        ConnectPacket.v5(Fresh.id()).lasting(1).with(Property.RECEIVE_MAXIMUM, 1),
                        2);
        publisher.publish(topic, "under way", 2);
        publisher.publish(topic, "queued", 2);
        hold(a, 1);
        RawClient b = member(2);
        a.reset();
        assertThat(b.receive().text()).isEqualTo("queued");
        Await.elapsed(Duration.ofMillis(1_300));
        nothingMoreAt(b);
    }

    @Test
    @Tag("C21")
    void eachMemberGetsItsGrantedQos() {
        RawClient q0 = member(0);
        RawClient q1 = member(1);
        RawClient q2 = member(2);
        publish(3, 2);
        assertThat(q0.receive().qos()).isZero();
        assertThat(q1.receive().qos()).isEqualTo(1);
        assertThat(q2.receive().qos()).isEqualTo(2);
    }

    @Test
    @Tag("C21")
    void whatLiesInADeadSocketReachesAnotherMember() {
        RawClient dead = member(1);
        RawClient b = member(1);
        List<String> all = publish(40, 1);
        // The member's share was written to its socket, and nobody has read it.
        List<String> atB = new ArrayList<>(texts(b.receive(20)));
        dead.reset();
        atB.addAll(texts(b.receive(20)));
        assertThat(atB).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    @Tag("C23")
    void aGroupNeverGoesSilentWhileMembersStopAndReturn() throws Exception {
        List<String> ids = List.of(Fresh.id(), Fresh.id(), Fresh.id(), Fresh.id());
        Workers workers = new Workers(broker, shared, ids);
        List<String> published = new ArrayList<>();
        try {
            for (int i = 1; i <= 3_000; i++) {
                String payload = String.valueOf(i);
                publisher.publish(topic, payload, 1);
                published.add(payload);
            }
            workers.awaitAll(published);
        } finally {
            workers.stop();
        }
    }
}
