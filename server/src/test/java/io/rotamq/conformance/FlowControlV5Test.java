package io.rotamq.conformance;

import static io.rotamq.testkit.Property.MAXIMUM_PACKET_SIZE;
import static io.rotamq.testkit.Property.RECEIVE_MAXIMUM;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** MQTT 5.0 chapters 3.1.2.11.3, 3.1.2.11.4 and 4.9: Receive Maximum, Maximum Packet Size. */
@Tag("mqtt5")
@Execution(ExecutionMode.CONCURRENT)
class FlowControlV5Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    private final String topic = Fresh.topic();
    private final String id = Fresh.id();
    private final RawClient publisher = broker.v5();

    private ConnectPacket window(int receiveMaximum) {
        return ConnectPacket.v5(id).lasting(60).with(RECEIVE_MAXIMUM, receiveMaximum);
    }

    private RawClient subscriber(int receiveMaximum) {
        RawClient client = broker.client(window(receiveMaximum));
        client.subscribe(topic, 2);
        return client;
    }

    private void publish(int count, int qos) {
        for (int i = 0; i < count; i++) {
            publisher.publish(topic, "m" + i, qos);
        }
    }

    @Test
    @Tag("MQTT-3.3.4-9")
    @Tag("MQTT-4.9.0-1")
    @Tag("MQTT-4.9.0-2")
    @Tag("X5-4.9-a")
    void unacknowledgedDeliveriesStayWithinTheReceiveMaximum() {
        RawClient client = subscriber(3);
        publish(10, 2);
        List<Received> window = List.of(client.delivery(), client.delivery(), client.delivery());
        client.expectNothingFrom(publisher);
        int first = window.get(0).packetId();
        client.send(AckPacket.pubrec(first));
        client.expect(Type.PUBREL, first);
        client.expectNothingFrom(publisher);
        client.send(AckPacket.pubcomp(first));
        assertThat(client.delivery().text()).isEqualTo("m3");
        client.expectNothingFrom(publisher);
        client.send(AckPacket.pubrec(window.get(1).packetId()).code(0x80));
        assertThat(client.delivery().text()).isEqualTo("m4");
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-4.9.0-2")
    @Tag("X5-4.9-a")
    void bothQosShareTheWindow() {
        RawClient client = subscriber(2);
        publish(2, 1);
        publish(2, 2);
        publish(1, 1);
        int first = client.delivery().packetId();
        client.delivery();
        client.expectNothingFrom(publisher);
        client.send(AckPacket.puback(first).code(0x80));
        assertThat(client.delivery().qos()).isEqualTo(2);
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-3.3.4-10")
    @Tag("MQTT-4.9.0-3")
    @Tag("MQTT-3.12.4-1")
    void aFullWindowDelaysNothingElse() {
        RawClient client = subscriber(1);
        publish(3, 1);
        client.delivery();
        assertThat(client.send("C0 00").expect(Type.PINGRESP).hex()).isEqualTo("d000");
        client.subscribe(topic + "/x", 0);
        assertThat(client.unsubscribe(topic + "/x").code()).isZero();
        client.publish(Fresh.topic(), "own", 1);
        client.publish(Fresh.topic(), "own", 2);
    }

    @Test
    @Tag("MQTT-3.3.4-10")
    void pubrelsOfOpenHandshakesAreSentWhileTheWindowIsFull() {
        RawClient client = subscriber(2);
        publish(3, 2);
        int first = client.delivery().packetId();
        int second = client.delivery().packetId();
        client.send(AckPacket.pubrec(first), AckPacket.pubrec(second));
        client.expect(Type.PUBREL, first);
        client.expect(Type.PUBREL, second);
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("X5-4.9-b")
    void theWindowStartsAnewWithEachConnection() {
        RawClient client = subscriber(5);
        publish(3, 2);
        List<Integer> open = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            open.add(client.delivery().packetId());
        }
        for (int packetId : open) {
            client.send(AckPacket.pubrec(packetId));
            client.expect(Type.PUBREL, packetId);
        }
        client.leave();
        publish(5, 1);
        RawClient resumed = broker.client(window(2));
        List<Received> publishes = new ArrayList<>();
        for (int released = 0; released < 3; ) {
            Received each = resumed.read();
            if (each.type() == Type.PUBREL) {
                assertThat(open).contains(each.packetId());
                released++;
                resumed.send(AckPacket.pubcomp(each.packetId()));
            } else {
                publishes.add(each);
            }
        }
        resumed.ping();
        while (publishes.size() < 2) {
            publishes.add(resumed.delivery());
        }
        resumed.expectNothingFrom(publisher);
    }

    @Test
    @Tag("X5-4.9-c")
    void messagesSentAgainCountAgainstTheWindow() {
        RawClient client = subscriber(20);
        publish(20, 1);
        for (int i = 0; i < 20; i++) {
            client.delivery();
        }
        client.reset();
        RawClient resumed = broker.client(window(2));
        for (int i = 0; i < 20; i += 2) {
            Received first = resumed.delivery();
            Received second = resumed.delivery();
            assertThat(first.text()).isEqualTo("m" + i);
            resumed.expectNothingFrom(publisher);
            resumed.send(AckPacket.puback(first.packetId()), AckPacket.puback(second.packetId()));
        }
    }

    @Test
    @Tag("X5-4.9-d")
    void qos0FlowsWhileTheWindowIsFull() {
        RawClient client = subscriber(1);
        publish(2, 1);
        client.delivery();
        publish(3, 0);
        for (int i = 0; i < 3; i++) {
            assertThat(client.delivery().text()).isEqualTo("m" + i);
        }
    }

    @Test
    @Tag("X5-3.1.2.11.3-a")
    @Tag("MQTT-4.9.0-1")
    void withoutAReceiveMaximumTheBrokersOwnBoundHolds() {
        RawClient client = broker.client(ConnectPacket.v5(id));
        client.subscribe(topic, 1);
        publish(150, 1);
        for (int i = 0; i < 100; i++) {
            assertThat(client.delivery().text()).isEqualTo("m" + i);
        }
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-4.5.0-2")
    @Tag("MQTT-4.6.0-2")
    void acknowledgementsInAnyOrderFreeTheWindow() {
        RawClient client = subscriber(4);
        publish(8, 1);
        List<Received> held = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            held.add(client.delivery());
        }
        held.reversed().forEach(client::acknowledge);
        for (int i = 4; i < 8; i++) {
            assertThat(client.delivery().text()).isEqualTo("m" + i);
        }
    }

    @Test
    @Tag("MQTT-3.1.2-24")
    @Tag("MQTT-3.1.2-25")
    void aMessageTooBigForAClientIsDroppedAsThoughDelivered() {
        RawClient client = broker.client(window(1).with(MAXIMUM_PACKET_SIZE, 50));
        client.subscribe(topic, 1);
        publisher.publish(topic, "x".repeat(200), 1);
        publisher.publish(topic, "small", 1);
        assertThat(client.receive().text()).isEqualTo("small");
        client.ping();
    }

    @Test
    @Tag("X5-3.1.2.11.4-b")
    void aMessageTooBigForAMemberIsGivenToOneThatCanTakeIt() {
        ConnectPacket connect = ConnectPacket.v5(Fresh.id()).with(MAXIMUM_PACKET_SIZE, 50);
        RawClient small = broker.client(connect);
        RawClient large = broker.v5();
        small.subscribe("$share/g/" + topic, 1);
        large.subscribe("$share/g/" + topic, 1);
        for (int i = 0; i < 20; i++) {
            publisher.publish(topic, i + "x".repeat(200), 1);
        }
        List<Received> taken = large.deliveriesUntilCanary(publisher);
        assertThat(taken).extracting(Received::text).doesNotHaveDuplicates();
        small.expectNothingFrom(publisher);
        publisher.publish(topic, "1", 1);
        publisher.publish(topic, "2", 1);
        assertThat(small.receive().text()).hasSize(1);
    }
}
