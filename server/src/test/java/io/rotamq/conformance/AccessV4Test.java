package io.rotamq.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Guard;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import io.rotamq.testkit.WillMessage;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** MQTT 3.1.1: refused credentials, publishes and subscriptions. */
@Tag("mqtt311")
@Execution(ExecutionMode.CONCURRENT)
class AccessV4Test {
    @AutoClose private static final TestBroker broker = TestBroker.guarded();

    private final String topic = Fresh.topic();
    private final String forbidden = Guard.FORBIDDEN + topic;
    private final RawClient watcher = broker.v4();

    private static ConnectPacket wrong(String id) {
        return ConnectPacket.v4(id).resume().credentials("user", Guard.WRONG_PASSWORD);
    }

    @Test
    @Tag("MQTT-3.2.2-4")
    @Tag("MQTT-3.2.2-5")
    @Tag("MQTT-3.2.2-6")
    void aWrongPasswordIsRefusedWithoutSessionPresent() {
        ConnectPacket right = ConnectPacket.v4(Fresh.id()).resume();
        broker.client(right).leave();
        RawClient client = broker.open().send(wrong(right.clientId()));
        assertThat(client.expect(Type.CONNACK).hex()).isIn("20020004", "20020005");
        client.expectClosed();
        assertThat(broker.open().connect(right).sessionPresent()).isTrue();
    }

    @Test
    @Tag("MQTT-3.1.4-5")
    void whatFollowsARefusedConnectIsIgnored() {
        watcher.subscribe(topic, 0);
        RawClient client = broker.open();
        client.send(wrong(Fresh.id()), PublishPacket.of(topic, "x").retain());
        client.expectRefused(4, 5);
        watcher.expectNothingFrom(watcher);
        RawClient late = broker.v4();
        late.subscribe(topic, 0);
        late.expectNothingFrom(watcher);
    }

    @Test
    @Tag("MQTT-3.1.3-1")
    void credentialsAreReadBehindTheWill() {
        watcher.subscribe(topic, 0);
        ConnectPacket connect =
                ConnectPacket.v4(Fresh.id())
                        .will(WillMessage.of(topic, "will"))
                        .credentials("user", "right");
        broker.client(connect).reset();
        assertThat(watcher.receive().text()).isEqualTo("will");
        connect.credentials("user", Guard.WRONG_PASSWORD);
        broker.open().send(connect).expectRefused(4, 5);
        watcher.expectNothingFrom(watcher);
    }

    @Test
    @Tag("MQTT-3.3.5-2")
    void aDeniedPublishIsAcknowledgedAndNotRouted() {
        watcher.subscribe(Guard.FORBIDDEN + "#", 0);
        RawClient client = broker.v4();
        client.publish(forbidden, "x", 1);
        client.publish(forbidden, "x", 2);
        client.publish(forbidden, "x", 0);
        watcher.expectNothingFrom(client);
    }

    @Test
    @Tag("MQTT-3.8.4-5")
    @Tag("MQTT-3.9.3-1")
    @Tag("MQTT-3.9.3-2")
    void eachFilterOfASubscribeIsJudgedAlone() {
        SubscribePacket packet =
                SubscribePacket.id(1)
                        .filter(topic + "/1", 1)
                        .filter(forbidden, 1)
                        .filter(topic + "/2", 2);
        assertThat(watcher.trySubscribe(packet).codes()).containsExactly(1, 0x80, 2);
        RawClient publisher = broker.v4();
        publisher.publish(topic + "/2", "two", 2);
        assertThat(watcher.receive().qos()).isEqualTo(2);
    }

    @Test
    @Tag("MQTT-4.8.0-2")
    void anErrorInTheBrokerClosesTheConnectionWithoutAnAcknowledgement() {
        watcher.subscribe(Guard.FAILING + "#", 1);
        RawClient unlucky = broker.v4();
        unlucky.send(PublishPacket.of(Guard.FAILING + topic, "x").qos(1, 1)).expectClosed();
        watcher.expectNothingFrom(watcher);
        broker.v4().ping();
    }
}
