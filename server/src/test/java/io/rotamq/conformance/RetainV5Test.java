package io.rotamq.conformance;

import static io.rotamq.testkit.Property.CONTENT_TYPE;
import static io.rotamq.testkit.Property.MESSAGE_EXPIRY;
import static io.rotamq.testkit.SubscribePacket.RETAIN_AS_PUBLISHED;
import static io.rotamq.testkit.SubscribePacket.RETAIN_IF_NEW;
import static io.rotamq.testkit.SubscribePacket.RETAIN_NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.Await;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MQTT 5.0 chapters 3.3.1.3 and 3.8.3.1: retained messages. */
@Tag("mqtt5")
@Execution(ExecutionMode.CONCURRENT)
class RetainV5Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    private final String topic = Fresh.topic();
    private final RawClient client = broker.v5();
    private final RawClient publisher = broker.v5();

    private void retain(String topic, String payload) {
        publisher.publish(PublishPacket.of(topic, payload).qos(1, 1).retain());
    }

    private List<String> textsOf(String filter, int options) {
        RawClient late = broker.v5();
        late.subscribe(filter, options);
        return late.deliveriesUntilCanary(late).stream().map(Received::text).toList();
    }

    @Test
    @Tag("MQTT-3.3.1-5")
    void theLastRetainedMessageOfATopicIsKeptWithItsQosAndProperties() {
        retain(topic, "v1");
        publisher.publish(
                PublishPacket.of(topic, "v2").qos(1, 1).retain().with(CONTENT_TYPE, "type"));
        client.subscribe(topic, 2);
        Received retained = client.receive();
        assertThat(retained.text()).isEqualTo("v2");
        assertThat(retained.qos()).isEqualTo(1);
        assertThat(retained.retain()).isTrue();
        assertThat(retained.properties().text(CONTENT_TYPE)).isEqualTo("type");
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-3.3.1-6")
    @Tag("MQTT-3.3.1-12")
    void anEmptyRetainedMessageIsDeliveredAndClearsTheTopic() {
        retain(topic, "v1");
        client.subscribe(topic, 0);
        client.receive();
        retain(topic, "");
        Received empty = client.receive();
        assertThat(empty.payload()).isEmpty();
        assertThat(empty.retain()).isFalse();
        assertThat(textsOf(topic, 0)).isEmpty();
    }

    @Test
    @Tag("MQTT-3.3.1-7")
    void anEmptyMessageIsNeverRetained() {
        retain(topic, "");
        assertThat(textsOf(topic, 0)).isEmpty();
    }

    @Test
    @Tag("MQTT-3.3.1-8")
    void messagesWithoutRetainLeaveTheRetainedOneAlone() {
        retain(topic, "v1");
        publisher.publish(topic, "v2", 1);
        publisher.publish(topic, "", 1);
        assertThat(textsOf(topic, 0)).containsExactly("v1");
    }

    @Test
    @Tag("MQTT-3.3.1-9")
    void retainHandling0SendsAtEverySubscribe() {
        retain(topic, "v");
        for (int i = 0; i < 2; i++) {
            client.subscribe(topic, 0);
            assertThat(client.receive().text()).isEqualTo("v");
        }
    }

    @Test
    @Tag("MQTT-3.3.1-10")
    void retainHandling1SendsToNewSubscriptionsOnly() {
        retain(topic, "v");
        ConnectPacket connect = ConnectPacket.v5(Fresh.id()).lasting(60);
        RawClient lasting = broker.client(connect);
        lasting.subscribe(topic, RETAIN_IF_NEW);
        assertThat(lasting.receive().text()).isEqualTo("v");
        lasting.subscribe(topic, RETAIN_IF_NEW);
        lasting.expectNothingFrom(publisher);
        lasting.leave();
        RawClient resumed = broker.client(connect);
        resumed.subscribe(topic, RETAIN_IF_NEW);
        resumed.expectNothingFrom(publisher);
        resumed.unsubscribe(topic);
        resumed.subscribe(topic, RETAIN_IF_NEW);
        assertThat(resumed.receive().text()).isEqualTo("v");
    }

    @Test
    @Tag("MQTT-3.3.1-11")
    void retainHandling2SendsNone() {
        retain(topic, "v");
        client.subscribe(topic, RETAIN_NEVER);
        publisher.publish(topic, "live", 0);
        assertThat(client.receive().text()).isEqualTo("live");
    }

    @Test
    @Tag("MQTT-3.3.1-12")
    void withoutRetainAsPublishedLiveMessagesHaveRetain0() {
        client.subscribe(topic, 0);
        retain(topic, "v");
        assertThat(client.receive().retain()).isFalse();
    }

    @Test
    @Tag("MQTT-3.3.1-13")
    void retainAsPublishedKeepsTheFlag() {
        ConnectPacket connect = ConnectPacket.v5(Fresh.id()).lasting(60);
        RawClient lasting = broker.client(connect);
        lasting.subscribe(topic, RETAIN_AS_PUBLISHED | 1);
        retain(topic, "1");
        publisher.publish(topic, "0", 1);
        assertThat(lasting.receive().retain()).isTrue();
        assertThat(lasting.receive().retain()).isFalse();
        lasting.leave();
        retain(topic, "1");
        publisher.publish(topic, "0", 1);
        RawClient resumed = broker.client(connect);
        assertThat(resumed.receive().retain()).isTrue();
        assertThat(resumed.receive().retain()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, RETAIN_AS_PUBLISHED})
    @Tag("X5-3.3.1.3-a")
    void whatSubscribingBringsHasRetain1WhateverRetainAsPublished(int options) {
        retain(topic, "v");
        client.subscribe(topic, options);
        assertThat(client.receive().retain()).isTrue();
    }

    @Test
    @Tag("X5-3.3.1.3-b")
    void anExpiredRetainedMessageIsGone() {
        publisher.publish(PublishPacket.of(topic, "v").qos(1, 1).retain().with(MESSAGE_EXPIRY, 2));
        assertThat(textsOf(topic, 0)).containsExactly("v");
        Await.elapsed(Duration.ofMillis(3200));
        assertThat(textsOf(topic, 0)).isEmpty();
    }

    @Test
    @Tag("X5-3.3.1.3-c")
    void aRetainedMessageOfQos0ReplacesTheOld() {
        retain(topic, "v1");
        publisher.publish(PublishPacket.of(topic, "v2").retain());
        publisher.ping();
        assertThat(textsOf(topic, 1)).containsExactly("v2");
    }

    @Test
    @Tag("X5-3.3.1.3-d")
    @Tag("MQTT-3.3.2-3")
    void aWildcardBringsOneMessageOfEveryMatchingTopic() {
        for (String name : List.of("/b", "/c", "/b/d", "")) {
            retain(topic + name, "at " + name);
        }
        retain("$" + topic + "/y", "dollar");
        RawClient late = broker.v5();
        late.subscribe(topic + "/#", 0);
        List<Received> all = late.deliveriesUntilCanary(late);
        assertThat(all)
                .extracting(Received::topic)
                .containsExactlyInAnyOrder(topic, topic + "/b", topic + "/c", topic + "/b/d");
        assertThat(all)
                .allMatch(
                        each -> each.text().equals("at " + each.topic().substring(topic.length())));
        assertThat(textsOf(topic + "/+", 0)).containsExactlyInAnyOrder("at /b", "at /c");
        assertThat(textsOf("+/y", 0)).isEmpty();
        assertThat(textsOf("#", 0)).doesNotContain("dollar").contains("at /b/d");
        assertThat(textsOf("$" + topic + "/#", 0)).containsExactly("dollar");
    }

    @Test
    @Tag("MQTT-3.8.4-4")
    void subscribingAgainLosesNothingAndRepeatsRetainedMessages() {
        retain(topic, "retained");
        client.subscribe(topic, 1);
        client.receive();
        List<String> live = new ArrayList<>();
        int repeats = 0;
        for (int i = 0; i < 100; i++) {
            publisher.send(PublishPacket.of(topic, "m" + i).qos(1, i + 1));
            client.subscribe(topic, 1);
        }
        publisher.send(PublishPacket.of(topic, "end").qos(1, 101));
        while (repeats < 100 || live.size() < 101) {
            Received each = client.receive();
            if (each.retain()) {
                repeats++;
            } else {
                live.add(each.text());
            }
        }
        client.expectNothingFrom(publisher);
        assertThat(repeats).isEqualTo(100);
        assertThat(live).hasSize(101).doesNotHaveDuplicates();
        assertThat(live.subList(0, 100))
                .isEqualTo(IntStream.range(0, 100).mapToObj(i -> "m" + i).toList());
    }

    @Test
    @Tag("X5-3.8.4-b")
    void aSharedSubscriptionBringsNoRetainedMessages() {
        retain(topic, "v");
        client.subscribe("$share/g/" + topic, 0);
        client.expectNothingFrom(publisher);
        RawClient second = broker.v5();
        second.subscribe("$share/g/" + topic, 0);
        second.expectNothingFrom(publisher);
    }

    @Test
    @Tag("X5-3.3.4-d")
    void whatSubscribingBringsCarriesTheSubscriptionIdentifier() {
        retain(topic, "v");
        client.subscribe(SubscribePacket.id(1).identifier(9).filter(topic, 0));
        assertThat(client.receive().identifiers()).containsExactly(9L);
    }

    @Test
    @Tag("X5-4.1-d")
    void aRetainedMessageOutlivesTheSessionOfItsPublisher() {
        retain(topic, "v");
        publisher.leave();
        assertThat(textsOf(topic, 1)).containsExactly("v");
    }
}
