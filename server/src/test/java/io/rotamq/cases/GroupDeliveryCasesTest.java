package io.rotamq.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.clients.ForeignClient;
import io.rotamq.clients.HiveMq5;
import io.rotamq.clients.Inbox;
import io.rotamq.clients.Kind;
import io.rotamq.core.port.DropReason;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every group gets every message exactly once, and members that stand still harm nobody. */
class GroupDeliveryCasesTest extends CaseTest {

    @ParameterizedTest
    @Tag("C01")
    @ValueSource(ints = {0, 1, 2})
    void everyGroupGetsEveryMessageExactlyOnce(int qos) {
        try (ForeignClient a1 = Kind.HIVEMQ_5.connect(broker);
                ForeignClient a2 = Kind.PAHO_3.connect(broker);
                ForeignClient b1 = Kind.PAHO_5.connect(broker);
                ForeignClient plain = Kind.HIVEMQ_3.connect(broker);
                HiveMq5 source = HiveMq5.connect(broker)) {
            a1.subscribe("$share/a/" + topic, qos);
            a2.subscribe("$share/a/" + topic, qos);
            b1.subscribe("$share/b/" + topic, qos);
            plain.subscribe(topic, qos);
            List<String> published = numbers(1, 1_000);
            source.publishAll(topic, published, qos);
            Inbox.awaitTotal(3_000, List.of(a1.inbox(), a2.inbox(), b1.inbox(), plain.inbox()));
            List<String> groupA = new ArrayList<>(a1.inbox().payloads());
            groupA.addAll(a2.inbox().payloads());
            assertThat(groupA).containsExactlyInAnyOrderElementsOf(published);
            assertThat(b1.inbox().payloads()).isEqualTo(published);
            assertThat(plain.inbox().payloads()).isEqualTo(published);
        }
    }

    @Test
    @Tag("C10")
    void aMemberWithAFullWindowDoesNotSlowItsGroup() {
        RawClient stuck = member(ConnectPacket.v5(Fresh.id()).with(Property.RECEIVE_MAXIMUM, 1), 1);
        try (ForeignClient b = HiveMq5.connect(broker);
                ForeignClient c = HiveMq5.connect(broker)) {
            b.subscribe(shared, 1);
            c.subscribe(shared, 1);
            List<String> published = publish(300, 1);
            Inbox.awaitTotal(299, List.of(b.inbox(), c.inbox()));
            List<String> all = new ArrayList<>(b.inbox().payloads());
            all.addAll(c.inbox().payloads());
            all.add(stuck.receive().text());
            assertThat(all).containsExactlyInAnyOrderElementsOf(published);
            nothingMoreAt(stuck);
        }
    }

    @ParameterizedTest
    @Tag("C161")
    @Tag("C162")
    @ValueSource(ints = {0, 1})
    void aSubscriberThatDoesNotReadCostsOnlyItself(int qos) {
        RawClient deaf = broker.v5();
        deaf.subscribe(topic, qos);
        RawClient deafMember = member(qos);
        List<ForeignClient> others = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            others.add(Kind.HIVEMQ_5.connect(broker));
            others.get(i).subscribe(i == 0 ? shared : topic, qos);
        }
        List<Inbox> plain = others.stream().skip(1).map(ForeignClient::inbox).toList();
        String payload = "x".repeat(100_000);
        for (int i = 0; i < 200; i++) {
            publisher.publish(PublishPacket.of(topic, payload).qos(qos, 1));
            Inbox.awaitTotal(4 * (i + 1), plain);
        }
        // The bounded rest lies in the sockets and the windows of those that do not read.
        assertThat(others.getFirst().inbox().size()).isGreaterThanOrEqualTo(100);
        if (qos == 0) {
            assertThat(broker.dropped(DropReason.SLOW_READER)).isPositive();
        }
        others.forEach(ForeignClient::close);
        deaf.close();
        deafMember.close();
    }
}
