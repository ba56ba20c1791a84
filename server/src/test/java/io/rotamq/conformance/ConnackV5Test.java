package io.rotamq.conformance;

import static io.rotamq.testkit.Property.AUTH_DATA;
import static io.rotamq.testkit.Property.AUTH_METHOD;
import static io.rotamq.testkit.Property.MAXIMUM_PACKET_SIZE;
import static io.rotamq.testkit.Property.MAXIMUM_QOS;
import static io.rotamq.testkit.Property.RECEIVE_MAXIMUM;
import static io.rotamq.testkit.Property.REQUEST_RESPONSE_INFO;
import static io.rotamq.testkit.Property.RESPONSE_INFO;
import static io.rotamq.testkit.Property.RETAIN_AVAILABLE;
import static io.rotamq.testkit.Property.SERVER_KEEP_ALIVE;
import static io.rotamq.testkit.Property.SESSION_EXPIRY;
import static io.rotamq.testkit.Property.SHARED_AVAILABLE;
import static io.rotamq.testkit.Property.SUBSCRIPTION_IDS_AVAILABLE;
import static io.rotamq.testkit.Property.TOPIC_ALIAS_MAXIMUM;
import static io.rotamq.testkit.Property.WILDCARD_AVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.Await;
import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Props;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import io.rotamq.testkit.WillMessage;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** MQTT 5.0 chapter 3.2: what CONNACK says about the broker, and that clients are held to it. */
@Tag("mqtt5")
@Execution(ExecutionMode.CONCURRENT)
class ConnackV5Test {
    @AutoClose private static final TestBroker plain = TestBroker.start();

    @AutoClose
    private static final TestBroker limited =
            TestBroker.start(
                    "mqtt.max-qos=0",
                    "mqtt.retain-available=false",
                    "mqtt.wildcard-subscription-available=false",
                    "mqtt.subscription-identifiers-available=false",
                    "sharing.enabled=false",
                    "mqtt.topic-alias-maximum=0",
                    "session.max-expiry=1s",
                    "limits.max-packet-size=1KiB",
                    "mqtt.client-id-pattern=[a-z0-9]*");

    @AutoClose
    private static final TestBroker small =
            TestBroker.start(
                    "mqtt.receive-maximum=2",
                    "mqtt.max-qos=1",
                    "mqtt.topic-alias-maximum=10",
                    "mqtt.response-information=answers/%c");

    private static Props connack(TestBroker broker, ConnectPacket connect) {
        return broker.open().connect(connect).properties();
    }

    private static ConnectPacket connect() {
        return ConnectPacket.v5(Fresh.id());
    }

    private final String topic = Fresh.topic();

    @Test
    @Tag("MQTT-3.2.2-1")
    @Tag("MQTT-3.2.2-9")
    @Tag("X5-3.2.2.3.2-a")
    @Tag("X5-3.2.2.3.11-a")
    @Tag("X5-3.2.2.3.15-a")
    @Tag("MQTT-4.12.0-6")
    void aPlainConnackNamesOnlyWhatDiffersFromTheStandard() {
        RawClient client = plain.open();
        Received connack = client.connect(connect().with(SESSION_EXPIRY, 100));
        assertThat(connack.raw()[2]).isZero();
        Props props = connack.properties();
        assertThat(props.has(MAXIMUM_QOS)).isFalse();
        assertThat(props.has(SESSION_EXPIRY)).isFalse();
        assertThat(props.has(SERVER_KEEP_ALIVE)).isFalse();
        assertThat(props.has(RESPONSE_INFO)).isFalse();
        assertThat(props.has(AUTH_METHOD)).isFalse();
        assertThat(props.has(AUTH_DATA)).isFalse();
        assertThat(props.number(WILDCARD_AVAILABLE, 1)).isEqualTo(1);
        assertThat(props.number(SUBSCRIPTION_IDS_AVAILABLE, 1)).isEqualTo(1);
        assertThat(props.number(SHARED_AVAILABLE, 1)).isEqualTo(1);
        assertThat(props.number(RETAIN_AVAILABLE, 1)).isEqualTo(1);
        client.ping();
    }

    @Test
    @Tag("MQTT-3.2.2-9")
    void aLimitedQosIsAnnounced() {
        assertThat(connack(limited, connect()).number(MAXIMUM_QOS)).isZero();
        assertThat(connack(small, connect()).number(MAXIMUM_QOS)).isEqualTo(1);
    }

    @Test
    @Tag("MQTT-3.2.2-10")
    void subscriptionsAskingForMoreThanTheLimitAreGrantedTheLimit() {
        RawClient client = limited.client(connect());
        for (int qos = 0; qos <= 2; qos++) {
            assertThat(client.subscribe(topic, qos).code()).isZero();
        }
        client.publish(topic, "x", 0);
        assertThat(client.receive().qos()).isZero();
    }

    @Test
    @Tag("MQTT-3.2.2-11")
    @Tag("X5-4.13.1-a")
    void aPublishAboveTheAnnouncedQosEndsTheConnection() {
        RawClient watcher = limited.client(connect());
        watcher.subscribe(topic, 0);
        RawClient offender = limited.client(connect());
        offender.send(PublishPacket.of(topic, "x").qos(1, 1)).expectDisconnect(0x9B);
        watcher.expectNothingFrom(watcher);
        small.client(connect()).send(PublishPacket.of(topic, "x").qos(2, 1)).expectDisconnect(0x9B);
    }

    @Test
    @Tag("MQTT-3.2.2-12")
    @Tag("MQTT-3.2.2-7")
    void aWillAboveTheAnnouncedQosIsRefused() {
        RawClient watcher = limited.client(connect());
        watcher.subscribe(topic, 0);
        RawClient client = limited.open();
        client.send(connect().will(WillMessage.of(topic, "x").qos(1))).expectRefused(0x9B);
        watcher.expectNothingFrom(watcher);
    }

    @Test
    @Tag("MQTT-3.2.2-13")
    @Tag("MQTT-3.2.2-14")
    @Tag("X5-4.13.1-a")
    void withoutRetainSupportRetainedPublishesAndWillsAreRefused() {
        assertThat(connack(limited, connect()).number(RETAIN_AVAILABLE)).isZero();
        RawClient client = limited.open();
        client.send(connect().will(WillMessage.of(topic, "x").retain())).expectRefused(0x9A);
        RawClient offender = limited.client(connect());
        offender.send(PublishPacket.of(topic, "x").retain()).expectDisconnect(0x9A);
    }

    @Test
    @Tag("MQTT-3.2.2-15")
    @Tag("X5-4.13.1-a")
    void aPacketAboveTheAnnouncedSizeEndsTheConnectionBeforeItsBodyCame() {
        assertThat(connack(limited, connect()).number(MAXIMUM_PACKET_SIZE)).isEqualTo(1024);
        RawClient client = limited.client(connect());
        client.subscribe(topic, 0);
        int overhead = 1 + 2 + 2 + topic.length() + 1;
        byte[] payload = new byte[1024 - overhead];
        client.send(PublishPacket.of(topic, "").payload(payload));
        assertThat(client.receive().payload()).hasSize(payload.length);
        client.send(new Bytes().u8(0x30).varint(1024 - 3 + 1).toArray());
        client.expectDisconnect(0x95);
    }

    @Test
    @Tag("MQTT-3.2.2-17")
    @Tag("MQTT-3.3.2-9")
    @Tag("X5-4.13.1-a")
    void anAliasAboveTheAnnouncedMaximumEndsTheConnection() {
        assertThat(connack(small, connect()).number(TOPIC_ALIAS_MAXIMUM)).isEqualTo(10);
        RawClient watcher = small.client(connect());
        watcher.subscribe(topic, 0);
        RawClient client = small.client(connect());
        client.send(PublishPacket.of(topic, "x").alias(11)).expectDisconnect(0x94);
        watcher.expectNothingFrom(watcher);
    }

    @Test
    @Tag("MQTT-3.2.2-18")
    void anyAliasEndsTheConnectionWhenNoneWasAnnounced() {
        assertThat(connack(limited, connect()).number(TOPIC_ALIAS_MAXIMUM, 0)).isZero();
        RawClient client = limited.client(connect());
        client.send(PublishPacket.of(topic, "x").alias(1)).expectDisconnect(0x94);
    }

    @Test
    @Tag("X5-3.2.2.3.2-a")
    void aSessionExpiryAboveTheLimitIsLoweredAndTold() {
        ConnectPacket connect = connect().lasting(100);
        RawClient client = limited.open();
        Received connack = client.connect(connect);
        assertThat(connack.properties().number(SESSION_EXPIRY)).isEqualTo(1);
        client.leave();
        Await.elapsed(Duration.ofMillis(2200));
        assertThat(limited.open().connect(connect).sessionPresent()).isFalse();
    }

    @Test
    @Tag("X5-3.2.2.3.3-a")
    @Tag("MQTT-3.3.4-7")
    @Tag("X5-4.13.1-a")
    void thePublishAboveTheAnnouncedReceiveMaximumEndsTheConnection() {
        TestBroker broker = receiveMaximum;
        RawClient client = broker.open();
        Received connack = client.connect(connect());
        assertThat(connack.properties().number(RECEIVE_MAXIMUM)).isEqualTo(2);
        client.send(PublishPacket.of(topic, "1").qos(2, 1), PublishPacket.of(topic, "2").qos(2, 2));
        client.expect(Type.PUBREC, 1);
        client.expect(Type.PUBREC, 2);
        client.send(PublishPacket.of(topic, "3").qos(2, 3)).expectDisconnect(0x93);
    }

    @AutoClose
    private static final TestBroker receiveMaximum = TestBroker.start("mqtt.receive-maximum=2");

    @Test
    @Tag("MQTT-3.3.4-8")
    @Tag("MQTT-4.9.0-3")
    void aClientWithAFullSendWindowIsServedOtherwise() {
        RawClient client = receiveMaximum.client(connect());
        client.send(PublishPacket.of(topic, "1").qos(2, 1), PublishPacket.of(topic, "2").qos(2, 2));
        client.expect(Type.PUBREC, 1);
        client.expect(Type.PUBREC, 2);
        client.ping();
        client.subscribe(topic + "/x", 0);
        client.publish(topic + "/x", "qos 0", 0);
        assertThat(client.receive().text()).isEqualTo("qos 0");
        client.send(AckPacket.pubrel(1));
        client.expect(Type.PUBCOMP, 1);
        client.send(PublishPacket.of(topic, "3").qos(2, 3));
        client.expect(Type.PUBREC, 3);
    }

    @Test
    @Tag("X5-3.2.2.3.11-a")
    @Tag("X5-4.13.1-a")
    void withoutWildcardSupportAWildcardFilterEndsTheConnection() {
        assertThat(connack(limited, connect()).number(WILDCARD_AVAILABLE)).isZero();
        RawClient client = limited.client(connect());
        client.send(SubscribePacket.id(1).filter(topic + "/#", 0)).expectDisconnect(0xA2);
    }

    @Test
    @Tag("X5-3.2.2.3.12-a")
    @Tag("X5-4.13.1-a")
    void withoutIdentifierSupportASubscriptionIdentifierEndsTheConnection() {
        assertThat(connack(limited, connect()).number(SUBSCRIPTION_IDS_AVAILABLE)).isZero();
        RawClient client = limited.client(connect());
        client.send(SubscribePacket.id(1).identifier(1).filter(topic, 0)).expectDisconnect(0xA1);
    }

    @Test
    @Tag("X5-3.2.2.3.13-a")
    @Tag("X5-4.13.1-a")
    void withoutSharingASharedFilterEndsTheConnection() {
        assertThat(connack(limited, connect()).number(SHARED_AVAILABLE)).isZero();
        RawClient client = limited.client(connect());
        client.send(SubscribePacket.id(1).filter("$share/g/" + topic, 0)).expectDisconnect(0x9E);
    }

    @Test
    @Tag("MQTT-3.1.3-8")
    @Tag("MQTT-3.2.2-7")
    void aForbiddenClientIdentifierIsRefused() {
        limited.open().send(ConnectPacket.v5("Not-Allowed")).expectRefused(0x85);
    }

    @Test
    @Tag("X5-3.2.2.3.15-a")
    @Tag("MQTT-3.1.2-28")
    void responseInformationIsGivenOnRequestOnly() {
        String id = Fresh.id();
        Props asked = connack(small, ConnectPacket.v5(id).with(REQUEST_RESPONSE_INFO, 1));
        assertThat(asked.text(RESPONSE_INFO)).isEqualTo("answers/" + id);
        Props notAsked = connack(small, connect());
        assertThat(notAsked.has(RESPONSE_INFO)).isFalse();
        Props declined = connack(small, connect().with(REQUEST_RESPONSE_INFO, 0));
        assertThat(declined.has(RESPONSE_INFO)).isFalse();
    }

    @Test
    @Tag("MQTT-4.12.0-1")
    @Tag("MQTT-3.2.2-7")
    @Tag("MQTT-3.1.2-30")
    void anAuthenticationMethodIsRefusedAndNothingBehindTheConnectIsRouted() {
        RawClient watcher = plain.v5();
        watcher.subscribe(topic, 0);
        RawClient client = plain.open();
        client.send(connect().with(AUTH_METHOD, "NOPE"), PublishPacket.of(topic, "x"));
        client.expectRefused(0x8C);
        watcher.expectNothingFrom(watcher);
    }

    @Test
    @Tag("MQTT-3.2.2-19")
    void theReasonOfARefusalIsLeftOutIfItWouldNotFit() {
        RawClient client = plain.open();
        client.send(connect().with(AUTH_METHOD, "NOPE").with(MAXIMUM_PACKET_SIZE, 20));
        client.expectRefused(0x8C);
    }
}
