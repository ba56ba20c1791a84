package io.rotamq.conformance;

import static io.rotamq.testkit.Property.RECEIVE_MAXIMUM;
import static io.rotamq.testkit.Property.SESSION_EXPIRY;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MQTT 5.0 chapter 4.8.2: shared subscriptions. */
@Tag("mqtt5")
@Execution(ExecutionMode.CONCURRENT)
class SharedV5Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    private final String topic = Fresh.topic();
    private final String share = "$share/g/" + topic;
    private final RawClient publisher = broker.v5();

    private RawClient member(String filter, int options) {
        RawClient client = broker.v5();
        client.subscribe(filter, options);
        return client;
    }

    private void publish(int count, int qos) {
        for (int i = 0; i < count; i++) {
            publisher.publish(topic, "m" + i, qos);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$share//t",
                "$share/g+/t",
                "$share/g#/t",
                "$share/+/t",
                "$share/g",
                "$share/g/",
                "$share/",
                "$share/g/a#",
                "$share/g/$share/h/t",
                "$share/g/$queue/t",
                "$queue/"
            })
    @Tag("MQTT-4.8.2-1")
    @Tag("MQTT-4.8.2-2")
    void aBadShareNameOrFilterIsRefusedAlone(String filter) {
        RawClient client = broker.v5();
        Received suback =
                client.trySubscribe(SubscribePacket.id(1).filter(filter, 0).filter(share, 1));
        assertThat(suback.codes()).containsExactly(0x8F, 1);
    }

    @Test
    @Tag("MQTT-4.8.2-1")
    void aGoodShareNameIsGranted() {
        RawClient client = member(share, 1);
        publish(1, 1);
        assertThat(client.receive().topic()).isEqualTo(topic);
    }

    @Test
    @Tag("MQTT-4.8.2-3")
    void eachMemberIsServedAtItsOwnQos() {
        List<RawClient> members = new ArrayList<>();
        for (int qos = 0; qos <= 2; qos++) {
            members.add(member(share, qos));
        }
        publish(30, 2);
        int total = 0;
        for (int qos = 0; qos <= 2; qos++) {
            int granted = qos;
            List<Received> taken = members.get(qos).deliveriesUntilCanary(publisher);
            assertThat(taken).isNotEmpty().allMatch(each -> each.qos() == granted);
            total += taken.size();
        }
        assertThat(total).isEqualTo(30);
    }

    @Test
    @Tag("MQTT-4.8.2-4")
    void aQos2DeliveryIsFinishedAtTheMemberThatGotIt() {
        ConnectPacket connect = ConnectPacket.v5(Fresh.id()).lasting(60);
        RawClient a = broker.client(connect);
        a.subscribe(share, 2);
        publish(1, 2);
        Received first = a.delivery();
        RawClient b = member(share, 2);
        a.reset();
        RawClient resumed = broker.client(connect);
        Received again = resumed.receive();
        assertThat(again.dup()).isTrue();
        assertThat(again.packetId()).isEqualTo(first.packetId());
        b.expectNothingFrom(publisher);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("MQTT-4.8.2-5")
    void aQos2DeliveryWhoseSessionEndsIsGivenToNobodyElse(boolean byCleanStart) {
        String id = Fresh.id();
        ConnectPacket connect = ConnectPacket.v5(id);
        RawClient a = broker.client(byCleanStart ? connect.with(SESSION_EXPIRY, 60) : connect);
        a.subscribe(share, 2);
        publish(1, 2);
        a.delivery();
        RawClient b = member(share, 2);
        a.leave();
        if (byCleanStart) {
            broker.client(ConnectPacket.v5(id));
        }
        b.expectNothingFrom(publisher);
        publish(1, 2);
        assertThat(b.receive().text()).isEqualTo("m0");
    }

    @Test
    @Tag("MQTT-4.8.2-6")
    void aRefusalByAMemberDiscardsTheMessage() {
        RawClient a = member(share, 2);
        publish(1, 1);
        publish(1, 2);
        Received one = a.delivery();
        Received two = a.delivery();
        RawClient b = member(share, 2);
        a.send(AckPacket.puback(one.packetId()).code(0x80));
        a.send(AckPacket.pubrec(two.packetId()).code(0x83));
        a.expectNothingFrom(publisher);
        b.expectNothingFrom(publisher);
        a.leave();
        b.expectNothingFrom(publisher);
    }

    @Test
    @Tag("X5-4.8.2-a")
    void eachMessageGoesToExactlyOneMember() {
        List<RawClient> members = List.of(member(share, 1), member(share, 1), member(share, 1));
        publish(90, 1);
        List<String> all = new ArrayList<>();
        for (RawClient each : members) {
            List<Received> taken = each.deliveriesUntilCanary(publisher);
            assertThat(taken).hasSize(30);
            taken.forEach(delivery -> all.add(delivery.text()));
        }
        assertThat(all).hasSize(90).doesNotHaveDuplicates();
    }

    @Test
    @Tag("X5-4.8.2-b")
    @Tag("X5-3.3.4-c")
    void everyGroupAndThePlainSubscriptionGetACopyOfTheirOwn() {
        RawClient client = broker.v5();
        String[] filters = {
            "$share/g1/" + topic, "$share/g2/" + topic, "$share/g1/" + topic + "/#", topic
        };
        for (int i = 0; i < filters.length; i++) {
            SubscribePacket packet = SubscribePacket.id(i + 1).identifier(i + 1);
            client.subscribe(packet.filter(filters[i], 1));
        }
        publish(1, 1);
        assertThat(client.deliveriesUntilCanary(publisher))
                .extracting(Received::identifiers)
                .containsExactlyInAnyOrder(List.of(1L), List.of(2L), List.of(3L), List.of(4L));
    }

    @Test
    @Tag("X5-3.3.4-c")
    void aDeliveryShowsTheIdentifierOfItsMemberOnly() {
        List<RawClient> members = List.of(broker.v5(), broker.v5());
        for (int i = 0; i < 2; i++) {
            members.get(i).subscribe(SubscribePacket.id(1).identifier(i + 1).filter(share, 0));
        }
        publish(10, 0);
        for (long i = 0; i < 2; i++) {
            long own = i + 1;
            assertThat(members.get((int) i).deliveriesUntilCanary(publisher))
                    .isNotEmpty()
                    .allMatch(each -> each.identifiers().equals(List.of(own)));
        }
    }

    @Test
    @Tag("X5-4.8.2-c")
    void anUnacknowledgedQos1MessageMovesWhenItsSessionEnds() {
        RawClient a = member(share, 1);
        publish(1, 1);
        assertThat(a.delivery().text()).isEqualTo("m0");
        RawClient b = member(share, 1);
        a.leave();
        Received moved = b.receive();
        assertThat(moved.text()).isEqualTo("m0");
        assertThat(moved.dup()).isFalse();
        b.expectNothingFrom(publisher);
    }

    @Test
    @Tag("X5-4.8.2-d")
    void subscribingTwiceMakesOneMember() {
        RawClient a = member(share, 1);
        RawClient b = member(share, 1);
        a.subscribe(share, 1);
        publish(20, 1);
        assertThat(a.deliveriesUntilCanary(publisher)).hasSize(10);
        assertThat(b.deliveriesUntilCanary(publisher)).hasSize(10);
        assertThat(a.unsubscribe(share).code()).isZero();
        publish(4, 1);
        a.expectNothingFrom(publisher);
        assertThat(b.deliveriesUntilCanary(publisher)).hasSize(4);
    }

    @Test
    @Tag("X5-4.8.2-e")
    void leavingTakesTheWholeFilter() {
        RawClient client = member(share, 1);
        assertThat(client.unsubscribe(topic, "$share/h/" + topic).codes())
                .containsExactly(0x11, 0x11);
        publish(1, 1);
        assertThat(client.receive().text()).isEqualTo("m0");
        assertThat(client.unsubscribe(share).code()).isZero();
        publish(1, 1);
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("X5-4.8.2-f")
    void aGroupEndsWithItsLastSession() {
        ConnectPacket connect = ConnectPacket.v5(Fresh.id()).with(RECEIVE_MAXIMUM, 1);
        RawClient last = broker.client(connect);
        last.subscribe(share, 1);
        publish(3, 1);
        last.delivery();
        last.unsubscribe(share);
        last.leave();
        RawClient later = member(share, 1);
        later.expectNothingFrom(publisher);
        publish(1, 1);
        assertThat(later.receive().text()).isEqualTo("m0");
    }

    @Test
    @Tag("X5-4.8.2-g")
    void theShareNameTakesNoPartInMatching() {
        RawClient slash = member("$share/g//" + topic, 0);
        publisher.publish("/" + topic, "x", 0);
        assertThat(slash.receive().topic()).isEqualTo("/" + topic);
        String dollar = "$" + topic;
        RawClient system = member("$share/g/" + dollar + "/#", 0);
        RawClient everything = member("$share/g" + topic + "/#", 0);
        publisher.publish(dollar + "/x", "x", 0);
        publisher.publish(topic, "y", 0);
        assertThat(system.receive().topic()).isEqualTo(dollar + "/x");
        assertThat(everything.deliveriesUntilCanary(publisher))
                .extracting(Received::topic)
                .contains(topic)
                .noneMatch(name -> name.startsWith("$"));
    }
}
