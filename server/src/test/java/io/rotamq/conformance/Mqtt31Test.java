package io.rotamq.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** MQTT 3.1, for old devices: what differs from 3.1.1. */
@Execution(ExecutionMode.CONCURRENT)
class Mqtt31Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    private final String topic = Fresh.topic();

    @Test
    void aClientConnectsSubscribesAndPublishes() {
        RawClient client = broker.open();
        assertThat(client.connect(ConnectPacket.v3(Fresh.id())).hex()).isEqualTo("20020000");
        client.subscribe(topic, 2);
        for (int qos = 0; qos <= 2; qos++) {
            client.publish(topic, "q" + qos, qos);
            Received delivery = client.receive();
            assertThat(delivery.text()).isEqualTo("q" + qos);
            assertThat(delivery.qos()).isEqualTo(qos);
        }
        client.unsubscribe(topic);
        client.ping();
    }

    @Test
    void aSessionGoesOnWithoutTheSessionPresentFlag() {
        ConnectPacket connect = ConnectPacket.v3(Fresh.id()).resume();
        RawClient first = broker.client(connect);
        first.subscribe(topic, 1);
        first.leave();
        broker.v5().publish(topic, "queued", 1);
        RawClient again = broker.open();
        assertThat(again.connect(connect).hex()).isEqualTo("20020000");
        assertThat(again.receive().text()).isEqualTo("queued");
    }

    @Test
    void theNameOfTheProtocolBelongsToItsLevel() {
        Bytes nameOf31 = ConnectPacket.header("MQIsdp", 4, 2, 0).text(Fresh.id());
        RawClient client = broker.open().level(4).send(nameOf31.packet(0x10));
        assertThat(client.expect(Type.CONNACK).hex()).isEqualTo("20020001");
        client.expectClosed();
    }

    @Test
    void clientsOfAllVersionsExchangeMessages() {
        List<RawClient> clients = List.of(broker.client(3), broker.client(4), broker.client(5));
        clients.forEach(each -> each.subscribe(topic, 1));
        for (RawClient sender : clients) {
            sender.publish(topic, "x", 1);
            clients.forEach(each -> assertThat(each.receive().text()).isEqualTo("x"));
        }
    }
}
