package io.rotamq.conformance;

import static io.rotamq.testkit.Property.MAXIMUM_PACKET_SIZE;
import static io.rotamq.testkit.Property.REASON_STRING;
import static io.rotamq.testkit.Property.REQUEST_PROBLEM_INFO;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Guard;
import io.rotamq.testkit.Props;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import io.rotamq.testkit.WillMessage;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** MQTT 5.0: refused credentials, publishes and subscriptions. */
@Tag("mqtt5")
@Execution(ExecutionMode.CONCURRENT)
class AccessV5Test {
    @AutoClose private static final TestBroker broker = TestBroker.guarded();

    private final String topic = Fresh.topic();
    private final String forbidden = Guard.FORBIDDEN + topic;
    private final RawClient watcher = broker.v5();

    private static ConnectPacket wrong(String id) {
        return ConnectPacket.v5(id).resume().credentials("user", Guard.WRONG_PASSWORD);
    }

    private static RawClient narrow() {
        return broker.client(ConnectPacket.v5(Fresh.id()).with(MAXIMUM_PACKET_SIZE, 64));
    }

    private static RawClient withoutProblemInformation() {
        return broker.client(ConnectPacket.v5(Fresh.id()).with(REQUEST_PROBLEM_INFO, 0));
    }

    private void expectNothing() {
        watcher.expectNothingFrom(watcher);
    }

    @Test
    @Tag("MQTT-3.1.4-2")
    @Tag("MQTT-3.2.2-7")
    @Tag("MQTT-3.2.2-6")
    void aWrongPasswordIsRefusedAndKicksNobody() {
        ConnectPacket right = ConnectPacket.v5(Fresh.id()).lasting(60);
        RawClient live = broker.client(right);
        broker.open().send(wrong(right.clientId())).expectRefused(0x86, 0x87);
        live.ping();
        live.leave();
        broker.open().send(wrong(right.clientId())).expectRefused(0x86, 0x87);
        assertThat(broker.open().connect(right).sessionPresent()).isTrue();
    }

    @Test
    @Tag("MQTT-3.1.4-6")
    void whatFollowsARefusedConnectIsIgnored() {
        watcher.subscribe(topic, 0);
        RawClient client = broker.open();
        client.send(wrong(Fresh.id()), PublishPacket.of(topic, "x").retain());
        client.expectRefused(0x86, 0x87);
        expectNothing();
        RawClient late = broker.v5();
        late.subscribe(topic, 0);
        late.expectNothingFrom(late);
    }

    @Test
    @Tag("MQTT-3.1.3-1")
    void credentialsAreReadBehindTheWill() {
        watcher.subscribe(topic, 0);
        ConnectPacket connect =
                ConnectPacket.v5(Fresh.id())
                        .will(WillMessage.of(topic, "will").user("a", "b"))
                        .credentials("user", "right");
        broker.client(connect).reset();
        Received will = watcher.receive();
        assertThat(will.text()).isEqualTo("will");
        assertThat(will.properties().users()).containsExactly(new Props.Pair("a", "b"));
        broker.open()
                .send(connect.credentials("user", Guard.WRONG_PASSWORD))
                .expectRefused(0x86, 0x87);
        expectNothing();
    }

    @Test
    @Tag("MQTT-3.4.2-1")
    @Tag("X5-4.13.2-a")
    void aDeniedQos1PublishIsNotRoutedAndTheConnectionStays() {
        watcher.subscribe(Guard.FORBIDDEN + "#", 0);
        watcher.subscribe(topic, 0);
        RawClient client = broker.v5();
        client.send(PublishPacket.of(forbidden, "x").qos(1, 1));
        assertThat(client.expect(Type.PUBACK, 1).code()).isEqualTo(0x87);
        client.publish(forbidden, "x", 0);
        client.publish(topic, "fine", 1);
        assertThat(watcher.receive().text()).isEqualTo("fine");
    }

    @Test
    @Tag("MQTT-3.5.2-1")
    @Tag("MQTT-4.3.3-9")
    void aDeniedQos2PublishFreesItsIdentifierAtOnce() {
        watcher.subscribe(topic, 2);
        RawClient client = broker.v5();
        client.send(PublishPacket.of(forbidden, "x").qos(2, 5));
        assertThat(client.expect(Type.PUBREC, 5).code()).isEqualTo(0x87);
        client.send(PublishPacket.of(topic, "fine").qos(2, 5));
        assertThat(client.expect(Type.PUBREC, 5).code()).isZero();
        client.send(AckPacket.pubrel(5));
        assertThat(client.expect(Type.PUBCOMP, 5).code()).isZero();
        assertThat(watcher.receive().text()).isEqualTo("fine");
    }

    @Test
    @Tag("MQTT-3.4.2-2")
    @Tag("MQTT-3.5.2-2")
    @Tag("MQTT-3.9.2-1")
    void reasonStringsAreLeftOutWhenTheyDoNotFit() {
        RawClient roomy = broker.v5();
        roomy.send(PublishPacket.of(forbidden, "x").qos(1, 1));
        assertThat(roomy.expect(Type.PUBACK).properties().text(REASON_STRING))
                .hasSizeGreaterThan(100);
        RawClient client = narrow();
        client.send(PublishPacket.of(forbidden, "x").qos(1, 1));
        Received puback = client.expect(Type.PUBACK, 1);
        client.send(PublishPacket.of(forbidden, "x").qos(2, 2));
        Received pubrec = client.expect(Type.PUBREC, 2);
        Received suback = client.trySubscribe(SubscribePacket.id(3).filter(forbidden, 0));
        for (Received answer : List.of(puback, pubrec, suback)) {
            assertThat(answer.code()).isEqualTo(0x87);
            assertThat(answer.raw()).hasSizeLessThanOrEqualTo(64);
            assertThat(answer.properties().has(REASON_STRING)).isFalse();
        }
    }

    @Test
    @Tag("MQTT-3.1.2-24")
    void aRefusedConnectAnswersWithinThePacketSizeOfTheClient() {
        RawClient client = broker.open();
        client.send(wrong(Fresh.id()).with(MAXIMUM_PACKET_SIZE, 50)).expectRefused(0x86, 0x87);
    }

    @Test
    @Tag("MQTT-3.2.2-19")
    void theReasonStringOfARefusalIsLeftOutWhenItDoesNotFit() {
        RawClient roomy = broker.open();
        Received long200 = roomy.tryConnect(wrong(Fresh.id()));
        assertThat(long200.properties().text(REASON_STRING)).hasSizeGreaterThan(100);
        RawClient client = broker.open();
        Received connack = client.tryConnect(wrong(Fresh.id()).with(MAXIMUM_PACKET_SIZE, 20));
        assertThat(connack.raw()).hasSizeLessThanOrEqualTo(20);
        assertThat(connack.properties().has(REASON_STRING)).isFalse();
        client.expectClosed();
    }

    @Test
    @Tag("MQTT-3.1.2-29")
    void withoutProblemInformationOnlyPublishConnackAndDisconnectExplain() {
        RawClient client = withoutProblemInformation();
        client.subscribe(topic, 0);
        client.send(PublishPacket.of(forbidden, "x").qos(1, 1));
        Received puback = client.expect(Type.PUBACK, 1);
        client.send(PublishPacket.of(forbidden, "x").qos(2, 2));
        Received pubrec = client.expect(Type.PUBREC, 2);
        client.send(AckPacket.pubrel(3));
        Received pubcomp = client.expect(Type.PUBCOMP, 3);
        client.send(AckPacket.pubrec(4));
        Received pubrel = client.expect(Type.PUBREL, 4);
        Received suback = client.trySubscribe(SubscribePacket.id(5).filter(forbidden, 0));
        Received unsuback = client.unsubscribe(forbidden);
        for (Received answer : List.of(puback, pubrec, pubcomp, pubrel, suback, unsuback)) {
            assertThat(answer.codes()).as("%s", answer).allMatch(code -> code > 0);
            assertThat(answer.properties().entries()).as("%s", answer).isEmpty();
        }
        broker.v5().publish(PublishPacket.of(topic, "x").user("a", "b"));
        assertThat(client.receive().properties().users()).hasSize(1);
    }

    @Test
    @Tag("MQTT-3.8.4-7")
    @Tag("MQTT-3.9.3-1")
    @Tag("MQTT-3.9.3-2")
    @Tag("X5-4.13.2-a")
    void eachFilterOfASubscribeIsJudgedAlone() {
        RawClient client = broker.v5();
        Received suback =
                client.trySubscribe(
                        SubscribePacket.id(1)
                                .filter(topic + "/1", 1)
                                .filter(forbidden, 1)
                                .filter(topic + "/2", 2)
                                .filter("bad#", 0)
                                .filter(topic + "/0", 0));
        assertThat(suback.codes()).containsExactly(1, 0x87, 2, 0x8F, 0);
        RawClient publisher = broker.v5();
        publisher.publish(topic + "/2", "two", 2);
        publisher.publish(topic + "/0", "zero", 2);
        publisher.publish(topic + "/1", "one", 2);
        assertThat(client.receive(3)).extracting(Received::qos).containsExactly(2, 0, 1);
    }

    @Test
    @Tag("MQTT-3.11.3-2")
    void unsubackHasACodeForEveryFilter() {
        RawClient client = broker.v5();
        client.subscribe(topic, 0);
        assertThat(client.unsubscribe(topic, topic, "bad#").codes())
                .containsExactly(0x00, 0x11, 0x8F);
    }
}
