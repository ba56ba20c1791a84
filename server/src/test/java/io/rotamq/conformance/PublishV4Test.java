package io.rotamq.conformance;

import static io.rotamq.testkit.Property.CONTENT_TYPE;
import static io.rotamq.testkit.Property.CORRELATION_DATA;
import static io.rotamq.testkit.Property.MESSAGE_EXPIRY;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.Await;
import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MQTT 3.1.1 chapter 3.3 and 4.7: publishing, retained messages, topic names. */
@Tag("mqtt311")
@Execution(ExecutionMode.CONCURRENT)
class PublishV4Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    private final String topic = Fresh.topic();
    private final RawClient client = broker.v4();
    private final RawClient publisher = broker.v4();

    private void retain(String name, String payload, int qos) {
        publisher.publish(PublishPacket.of(name, payload).qos(qos, 1).retain());
        publisher.ping();
    }

    private List<Received> subscribeLate(String filter, int qos) {
        RawClient late = broker.v4();
        late.subscribe(filter, qos);
        return late.deliveriesUntilCanary(publisher);
    }

    private List<String> matches(String filter, String... topics) {
        RawClient subscriber = broker.v4();
        subscriber.subscribe(filter, 0);
        for (String each : topics) {
            publisher.publish(each, "x", 0);
        }
        return subscriber.deliveriesUntilCanary(publisher).stream().map(Received::topic).toList();
    }

    @Test
    @Tag("MQTT-3.3.1-1")
    void aPublishSentAgainHasDup1() {
        ConnectPacket stored = ConnectPacket.v4(Fresh.id()).resume();
        RawClient first = broker.client(stored);
        first.subscribe(topic, 1);
        publisher.publish(topic, "x", 1);
        Received delivery = first.delivery();
        first.reset();
        Received again = broker.client(stored).delivery();
        assertThat(again.firstByte()).isEqualTo(0x3A);
        assertThat(again.packetId()).isEqualTo(delivery.packetId());
    }

    @Test
    @Tag("MQTT-3.3.1-2")
    @Tag("MQTT-4.3.1-1")
    void aQos0DeliveryHasQos0AndDup0() {
        client.subscribe(topic, 2);
        publisher.publish(topic, "x", 0);
        assertThat(client.receive().firstByte()).isEqualTo(0x30);
        retain(topic, "y", 0);
        assertThat(client.receive().firstByte()).isEqualTo(0x30);
        assertThat(subscribeLate(topic, 0)).extracting(Received::firstByte).containsExactly(0x31);
    }

    @Test
    @Tag("MQTT-3.3.1-3")
    void dupOfADeliveryDoesNotComeFromThePublisher() {
        client.subscribe(topic, 1);
        publisher.publish(PublishPacket.of(topic, "x").qos(1, 1).dup());
        assertThat(client.receive().firstByte()).isEqualTo(0x32);
    }

    @Test
    @Tag("MQTT-3.3.1-4")
    void theQos3ClosesTheConnection() {
        client.subscribe(topic, 0);
        broker.v4().send(PublishPacket.of(topic, "x").qos(3, 1)).expectClosed();
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-3.3.1-5")
    @Tag("MQTT-3.3.1-8")
    void aRetainedMessageIsStoredWithItsQos() {
        retain(topic, "x", 1);
        client.subscribe(topic, 2);
        assertThat(client.receive().firstByte()).isEqualTo(0x33);
    }

    @Test
    @Tag("MQTT-3.3.1-6")
    @Tag("MQTT-3.3.2-3")
    void aNewSubscriptionBringsTheLastRetainedMessageOfEachTopic() {
        retain(topic + "/b", "old", 1);
        retain(topic + "/b", "b", 1);
        retain(topic + "/c", "c", 1);
        retain(topic + "/c/d", "d", 1);
        assertThat(subscribeLate(topic + "/+", 1))
                .extracting(each -> each.topic() + "=" + each.text())
                .containsExactlyInAnyOrder(topic + "/b=b", topic + "/c=c");
    }

    @Test
    @Tag("MQTT-3.3.1-7")
    void aRetainedMessageOfQos0ReplacesTheOld() {
        retain(topic, "v1", 1);
        retain(topic, "v2", 0);
        assertThat(subscribeLate(topic, 1)).extracting(Received::text).containsExactly("v2");
    }

    @Test
    @Tag("MQTT-3.3.1-9")
    void aDeliveryToAnEstablishedSubscriptionHasRetain0() {
        ConnectPacket stored = ConnectPacket.v4(Fresh.id()).resume();
        RawClient absent = broker.client(stored);
        absent.subscribe(topic, 1);
        absent.leave();
        client.subscribe(topic, 1);
        retain(topic, "x", 1);
        assertThat(client.receive().retain()).isFalse();
        assertThat(broker.client(stored).receive().retain()).isFalse();
    }

    @Test
    @Tag("MQTT-3.3.1-10")
    void anEmptyRetainedMessageIsDeliveredAndClearsTheTopic() {
        retain(topic, "v1", 1);
        client.subscribe(topic, 1);
        client.receive();
        retain(topic, "", 1);
        Received empty = client.receive();
        assertThat(empty.payload()).isEmpty();
        assertThat(empty.retain()).isFalse();
        assertThat(subscribeLate(topic, 1)).isEmpty();
    }

    @Test
    @Tag("MQTT-3.3.1-11")
    void anEmptyMessageIsNeverRetained() {
        retain(topic, "", 1);
        assertThat(subscribeLate(topic, 1)).isEmpty();
    }

    @Test
    @Tag("MQTT-3.3.1-12")
    void messagesWithoutRetainLeaveTheRetainedOneAlone() {
        retain(topic, "v1", 1);
        publisher.publish(topic, "v2", 1);
        assertThat(subscribeLate(topic, 1)).extracting(Received::text).containsExactly("v1");
    }

    @Test
    @Tag("MQTT-3.3.2-1")
    void aTopicLongerThanThePacketClosesTheConnection() {
        broker.v4().send("30 04 00FF 61 78").expectClosed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/+", "/#", "#"})
    @Tag("MQTT-3.3.2-2")
    @Tag("MQTT-4.7.1-1")
    void aTopicWithWildcardsClosesTheConnection(String suffix) {
        client.subscribe(topic + "/#", 0);
        broker.v4().send(PublishPacket.of(topic + suffix, "x")).expectClosed();
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-3.3.2-3")
    void deliveriesHaveTheTopicOfThePublish() {
        String filter = topic + "/+/c";
        assertThat(matches(filter, topic + "/x/c", topic + "/c", topic + "/y/c/d", topic + "//c"))
                .containsExactly(topic + "/x/c", topic + "//c");
    }

    @Test
    @Tag("MQTT-3.3.5-1")
    void overlappingSubscriptionsGiveACopyAtTheHighestQos() {
        client.subscribe(topic + "/#", 2);
        client.subscribe(topic + "/b", 0);
        publisher.publish(topic + "/b", "x", 2);
        assertThat(client.receive().qos()).isEqualTo(2);
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-4.7.1-2")
    @Tag("MQTT-4.7.1-3")
    void wildcardsMatchWholeLevels() {
        assertThat(matches(topic + "/#", topic, topic + "/a/b", topic + "s"))
                .containsExactly(topic, topic + "/a/b");
        assertThat(matches("+/" + topic, topic, "/" + topic)).containsExactly("/" + topic);
        assertThat(matches(topic + "/+", topic, topic + "/a", topic + "/a/b"))
                .containsExactly(topic + "/a");
    }

    @Test
    @Tag("MQTT-4.7.2-1")
    void leadingWildcardsDoNotMatchTopicsWithADollar() {
        String name = "$" + topic + "/x";
        assertThat(matches("#", name)).doesNotContain(name);
        assertThat(matches("+/x", name)).doesNotContain(name);
        assertThat(matches("$" + topic + "/#", name)).containsExactly(name);
        RawClient system = broker.v4();
        system.subscribe("$SYS/#", 0);
        assertThat(system.read(Duration.ofSeconds(15)).topic()).startsWith("$SYS/");
        assertThat(subscribeLate("#", 0)).noneMatch(each -> each.topic().startsWith("$"));
    }

    @Test
    @Tag("MQTT-4.7.3-1")
    void anEmptyTopicClosesTheConnection() {
        broker.v4().send(PublishPacket.of("", "x")).expectClosed();
        RawClient subscriber = broker.v4();
        subscriber.send(SubscribePacket.id(1).filter("", 0));
        List<Received> answer = new ArrayList<>();
        if (subscriber.isOpen()) {
            answer.add(subscriber.expect(Type.SUBACK));
        }
        assertThat(answer).allMatch(each -> each.code() == 0x80);
    }

    @Test
    @Tag("MQTT-4.7.3-3")
    void theLongestTopicIsDelivered() {
        String longest = topic + "/" + "x".repeat(65_535 - topic.length() - 1);
        assertThat(matches(topic + "/+", longest)).containsExactly(longest);
    }

    @Test
    @Tag("MQTT-4.7.3-4")
    void matchingIsExact() {
        String composed = topic + "\u00E9";
        assertThat(matches(composed, composed, topic + "e\u0301")).containsExactly(composed);
        assertThat(matches(topic + "/A", topic + "/a", topic + "/A")).containsExactly(topic + "/A");
        assertThat(matches(topic + "//b", topic + "/b", topic + "//b"))
                .containsExactly(topic + "//b");
        assertThat(matches("/" + topic, topic, "/" + topic)).containsExactly("/" + topic);
    }

    @Test
    @Tag("MQTT-4.5.0-1")
    void everyMatchingSessionGetsTheMessage() {
        ConnectPacket stored = ConnectPacket.v4(Fresh.id()).resume();
        RawClient absent = broker.client(stored);
        absent.subscribe(topic + "/+", 2);
        absent.leave();
        client.subscribe(topic + "/x", 2);
        RawClient wild = broker.v4();
        wild.subscribe(topic + "/#", 2);
        publisher.publish(topic + "/x", "once", 2);
        for (RawClient each : List.of(client, wild, broker.client(stored))) {
            assertThat(each.receive().text()).isEqualTo("once");
            each.expectNothingFrom(publisher);
        }
    }

    @Test
    @Tag("X3-3.3-a")
    void propertiesNeverReachAnOldClientAndExpiryHolds() {
        client.subscribe(topic, 0);
        RawClient modern = broker.v5();
        PublishPacket packet =
                PublishPacket.of(topic, "x")
                        .retain()
                        .with(MESSAGE_EXPIRY, 2)
                        .with(CONTENT_TYPE, "t")
                        .user("a", "b")
                        .with(CORRELATION_DATA, new byte[] {1});
        modern.publish(packet);
        byte[] plain = new Bytes().text(topic).u8('x').packet(0x30);
        assertThat(client.receive().raw()).isEqualTo(plain);
        assertThat(subscribeLate(topic, 0))
                .extracting(Received::raw)
                .containsExactly(new Bytes().text(topic).u8('x').packet(0x31));
        Await.elapsed(Duration.ofMillis(3200));
        assertThat(subscribeLate(topic, 0)).isEmpty();
    }
}
