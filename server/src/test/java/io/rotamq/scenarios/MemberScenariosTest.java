package io.rotamq.scenarios;

import static io.rotamq.scenarios.Payloads.hold;
import static io.rotamq.scenarios.Payloads.nothingMoreAt;
import static io.rotamq.scenarios.Payloads.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rotamq.core.port.DropReason;
import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What single members do to their group: refuse, limit the packet size, unsubscribe. */
class MemberScenariosTest {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    private final String topic = Fresh.topic();
    private final String filter = "$share/g/" + topic;
    private RawClient publisher;

    @BeforeEach
    void connectPublisher() {
        publisher = broker.v5();
    }

    private RawClient member(ConnectPacket connect) {
        RawClient member = broker.client(connect);
        member.subscribe(filter, 2);
        return member;
    }

    private static ConnectPacket window(int size) {
        return ConnectPacket.v5(Fresh.id()).with(Property.RECEIVE_MAXIMUM, size);
    }

    @Test
    @Tag("C19")
    @DisplayName("A13: PUBACK 0x87 discards the message for the whole group")
    void aRefusedQos1MessageIsDiscardedForTheGroup() {
        RawClient a = member(window(1));
        publisher.publish(topic, "refused", 1);
        Received delivery = a.delivery();
        RawClient b = member(window(1));
        long dropped = broker.dropped(DropReason.NEGATIVE_ACK);
        a.send(AckPacket.puback(delivery.packetId()).code(0x87));
        a.ping();
        broker.awaitDropped(DropReason.NEGATIVE_ACK, dropped + 1);
        a.close();
        nothingMoreAt(b);
    }

    @Test
    @Tag("C19")
    @DisplayName("A13: PUBREC 0x83 discards the message for the whole group and frees the window")
    void aRefusedQos2MessageIsDiscardedForTheGroup() {
        RawClient a = member(window(1));
        publisher.publish(topic, "refused", 2);
        publisher.publish(topic, "waiting", 2);
        Received delivery = a.delivery();
        long dropped = broker.dropped(DropReason.NEGATIVE_ACK);
        a.send(AckPacket.pubrec(delivery.packetId()).code(0x83));
        assertThat(a.receive().text()).isEqualTo("waiting");
        broker.awaitDropped(DropReason.NEGATIVE_ACK, dropped + 1);
        RawClient b = member(window(1));
        a.close();
        nothingMoreAt(b);
    }

    @Test
    @DisplayName("A16: what is too large for one member goes to another, or is counted")
    void whatIsTooLargeForOneMemberGoesToAnother() {
        RawClient small =
                member(ConnectPacket.v5(Fresh.id()).with(Property.MAXIMUM_PACKET_SIZE, 200));
        RawClient large = member(window(100));
        String big = "x".repeat(500);
        for (int i = 0; i < 10; i++) {
            publisher.publish(topic, big, 1 + i % 2);
        }
        assertThat(texts(large.receive(10))).containsOnly(big);
        large.unsubscribe(filter);
        long dropped = broker.dropped(DropReason.TOO_LARGE);
        publisher.publish(topic, big, 1);
        publisher.publish(topic, "fits", 1);
        assertThat(small.receive().text()).isEqualTo("fits");
        broker.awaitDropped(DropReason.TOO_LARGE, dropped + 1);
        nothingMoreAt(small, large);
    }

    @Test
    @DisplayName("A22: who unsubscribes finishes what it was sent; what waits goes to others")
    void whoUnsubscribesFinishesWhatItWasSent() {
        RawClient a = member(window(5));
        RawClient b = member(window(5));
        List<String> published = Payloads.of("p", 20);
        Payloads.publish(publisher, topic, published, 1);
        List<Received> atA = hold(a, 5);
        List<Received> atB = hold(b, 5);
        assertThat(a.unsubscribe(filter).codes()).containsExactly(0);
        atA.forEach(a::acknowledge);
        nothingMoreAt(a);
        List<String> all = new ArrayList<>(texts(atA));
        all.addAll(texts(atB));
        atB.forEach(b::acknowledge);
        all.addAll(texts(b.receive(10)));
        assertThat(all).containsExactlyInAnyOrderElementsOf(published);
        a.close();
        nothingMoreAt(b);
    }

    @Test
    @DisplayName("A22: the session of who unsubscribed ends with messages sent and unacknowledged")
    void aSentMessageStaysWithTheLeaverUntilItsSessionEnds() {
        RawClient a = member(window(5));
        publisher.publish(topic, "sent", 1);
        hold(a, 1);
        RawClient b = member(window(5));
        a.unsubscribe(filter);
        nothingMoreAt(b);
        a.close();
        await().untilAsserted(() -> assertThat(b.receive().text()).isEqualTo("sent"));
    }
}
