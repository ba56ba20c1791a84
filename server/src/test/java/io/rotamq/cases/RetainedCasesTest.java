package io.rotamq.cases;

import static io.rotamq.testkit.SubscribePacket.RETAIN_AS_PUBLISHED;
import static io.rotamq.testkit.SubscribePacket.RETAIN_IF_NEW;
import static io.rotamq.testkit.SubscribePacket.RETAIN_NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.Await;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Retained messages. */
class RetainedCasesTest extends CaseTest {

    @ParameterizedTest
    @Tag("C40")
    @ValueSource(ints = {0, RETAIN_IF_NEW, RETAIN_NEVER})
    void joiningAGroupReplaysNothing(int handling) {
        retain(topic, "kept");
        RawClient client = broker.v5();
        client.subscribe(shared, 1 | handling);
        client.subscribe(shared, 1 | handling);
        nothingMoreAt(client);
        retain(topic, "live");
        Received live = client.receive();
        assertThat(live.text()).isEqualTo("live");
        assertThat(live.retain()).isFalse();
        client.subscribe(shared, 1 | handling | RETAIN_AS_PUBLISHED);
        retain(topic, "as published");
        assertThat(client.receive().retain()).isTrue();
        nothingMoreAt(client);
        retain(topic, "");
    }

    @Test
    @Tag("C41")
    void resumingASessionIsNotSubscribing() {
        List<String> topics = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            topics.add(topic + "/" + i);
            retain(topic + "/" + i, "kept");
        }
        String id = Fresh.id();
        RawClient client = broker.client(lasting(id));
        client.subscribe(topic + "/#", 1);
        client.receive(20);
        for (int i = 0; i < 5; i++) {
            // Every other time a takeover.
            if (i % 2 == 0) {
                client.leave();
            }
            client = broker.client(lasting(id));
        }
        nothingMoreAt(client);
        topics.forEach(name -> retain(name, ""));
    }

    @Test
    @Tag("C42")
    void eachSubscribeGetsOneRetainedCopy() {
        retain(topic, "kept");
        String id = Fresh.id();
        for (int i = 0; i < 3; i++) {
            RawClient client = broker.client(lasting(id));
            client.subscribe(topic, 1);
            assertThat(client.receive().text()).isEqualTo("kept");
            nothingMoreAt(client);
            client.leave();
        }
        retain(topic, "");
    }

    @Test
    @Tag("C43")
    void clearingARetainedMessageIsALiveMessageToo() {
        retain(topic, "kept");
        RawClient plain = broker.v5();
        plain.subscribe(topic, 1 | RETAIN_NEVER);
        RawClient sharing = member(1);
        retain(topic, "");
        assertThat(plain.receive().payload()).isEmpty();
        assertThat(sharing.receive().payload()).isEmpty();
        RawClient late = broker.v5();
        late.subscribe(topic, 1);
        nothingMoreAt(late, plain, sharing);
    }

    @ParameterizedTest
    @Tag("C44")
    @ValueSource(ints = {0, 1})
    void replaysVeryManyRetainedMessagesToASlowSubscriber(int qos) {
        int count = 20_000;
        RawClient source = broker.v5();
        for (int i = 0; i < count; i++) {
            source.send(PublishPacket.of(topic + "/" + i, "kept").retain());
        }
        source.ping();
        RawClient slow = broker.v5();
        slow.send(SubscribePacket.id(1).filter(topic + "/#", qos));
        // Others go on being served while the replay stands still.
        RawClient other = broker.v5();
        String elsewhere = Fresh.topic();
        other.subscribe(elsewhere, 1);
        publisher.publish(elsewhere, "live", 1);
        assertThat(other.receive().text()).isEqualTo("live");

        slow.await(Type.SUBACK, 1);
        List<Received> all = slow.receive(count);
        assertThat(all.stream().map(Received::topic).distinct()).hasSize(count);
        nothingMoreAt(slow);
        for (int i = 0; i < count; i++) {
            source.send(PublishPacket.of(topic + "/" + i, "").retain());
        }
        source.ping();
    }

    @Test
    @Tag("C46")
    void subscribingAgainReplacesAndReplaysAsAsked() {
        retain(topic, "kept");
        RawClient client = broker.v5();
        client.subscribe(topic, 0);
        assertThat(client.receive().qos()).isZero();
        publisher.publish(topic, "between", 1);
        client.subscribe(topic, 1);
        List<Received> got = client.receive(2);
        assertThat(texts(got)).containsExactlyInAnyOrder("between", "kept");
        publisher.publish(topic, "after", 1);
        assertThat(client.receive().qos()).isEqualTo(1);
        client.subscribe(topic, 1 | RETAIN_IF_NEW);
        client.subscribe(topic, 1 | RETAIN_NEVER);
        nothingMoreAt(client);
        RawClient fresh = broker.v5();
        fresh.subscribe(topic, 1 | RETAIN_IF_NEW);
        assertThat(fresh.receive().text()).isEqualTo("kept");
        nothingMoreAt(fresh);
        retain(topic, "");
    }

    @Test
    @Tag("C66")
    void aRetainedMessageCountsItsExpiryDown() {
        publisher.publish(
                PublishPacket.of(topic, "short")
                        .retain()
                        .qos(1, 1)
                        .with(Property.MESSAGE_EXPIRY, 3));
        Await.elapsed(Duration.ofMillis(1_200));
        RawClient early = broker.v5();
        early.subscribe(topic, 1);
        assertThat(early.receive().properties().number(Property.MESSAGE_EXPIRY)).isBetween(1L, 2L);
        Await.elapsed(Duration.ofSeconds(2));
        RawClient late = broker.v5();
        late.subscribe(topic, 1);
        nothingMoreAt(late);
    }
}
