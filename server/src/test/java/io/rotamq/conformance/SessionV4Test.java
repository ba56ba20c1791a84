package io.rotamq.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.Await;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.WillMessage;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MQTT 3.1.1 chapters 3.1.2.4, 3.1.4 and 4.1: sessions, wills and takeover. */
@Tag("mqtt311")
@Execution(ExecutionMode.CONCURRENT)
class SessionV4Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    private final String topic = Fresh.topic();
    private final String id = Fresh.id();
    private final RawClient publisher = broker.v4();

    private ConnectPacket stored() {
        return ConnectPacket.v4(id).resume();
    }

    private void absent() {
        RawClient client = broker.client(stored());
        client.subscribe(topic, 2);
        client.leave();
    }

    private static String connack(ConnectPacket connect) {
        RawClient client = broker.open();
        String hex = client.connect(connect).hex();
        client.leave();
        return hex;
    }

    @Test
    @Tag("MQTT-3.1.2-4")
    @Tag("MQTT-3.2.2-2")
    @Tag("MQTT-3.2.0-1")
    void aStoredSessionGoesOn() {
        absent();
        publisher.publish(topic, "queued", 1);
        RawClient client = broker.open();
        assertThat(client.connect(stored()).hex()).isEqualTo("20020100");
        assertThat(client.receive().text()).isEqualTo("queued");
    }

    @Test
    @Tag("MQTT-3.1.2-5")
    @Tag("MQTT-4.1.0-1")
    void messagesOfQos1And2WaitForTheClient() {
        absent();
        for (int i = 0; i < 100; i++) {
            publisher.publish(topic, "a" + i, 1);
            publisher.publish(topic, "b" + i, 2);
        }
        RawClient client = broker.client(stored());
        for (int i = 0; i < 100; i++) {
            assertThat(client.receive().text()).isEqualTo("a" + i);
            assertThat(client.receive().text()).isEqualTo("b" + i);
        }
    }

    @Test
    @Tag("MQTT-3.1.2-6")
    @Tag("MQTT-3.2.2-1")
    @Tag("MQTT-3.2.2-3")
    void aCleanSessionDiscardsTheStoredOneAndEndsWithItsConnection() {
        absent();
        publisher.publish(topic, "queued", 1);
        RawClient client = broker.open();
        assertThat(client.connect(ConnectPacket.v4(id)).hex()).isEqualTo("20020000");
        client.expectNothingFrom(publisher);
        client.subscribe(topic, 1);
        client.leave();
        RawClient again = broker.open();
        assertThat(again.connect(stored()).hex()).isEqualTo("20020000");
        publisher.publish(topic, "x", 1);
        again.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-3.2.2-2")
    @Tag("MQTT-3.2.2-3")
    void aSessionWithoutSubscriptionsIsPresentToo() {
        assertThat(connack(stored())).isEqualTo("20020000");
        assertThat(connack(stored())).isEqualTo("20020100");
    }

    @Test
    @Tag("MQTT-3.1.2-7")
    void retainedMessagesStayWhenTheSessionEnds() {
        RawClient source = broker.client(ConnectPacket.v4(id));
        source.publish(PublishPacket.of(topic, "retained").qos(1, 1).retain());
        source.leave();
        publisher.subscribe(topic, 0);
        assertThat(publisher.receive().text()).isEqualTo("retained");
    }

    @Test
    @Tag("MQTT-3.1.3-2")
    void sessionsBelongToTheClientIdentifierInItsExactSpelling() {
        RawClient lower = broker.client(stored());
        RawClient upper = broker.client(ConnectPacket.v4(id.toUpperCase(Locale.ROOT)).resume());
        lower.subscribe(topic + "/l", 1);
        upper.subscribe(topic + "/u", 1);
        publisher.publish(topic + "/l", "l", 1);
        publisher.publish(topic + "/u", "u", 1);
        assertThat(lower.receive().text()).isEqualTo("l");
        assertThat(upper.receive().text()).isEqualTo("u");
        lower.expectNothingFrom(publisher);
        upper.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-3.1.4-2")
    @Tag("MQTT-3.1.2-8")
    @Tag("X3-3.14-a")
    void aSecondClientEvictsTheFirst() {
        publisher.subscribe(topic, 0);
        RawClient first = broker.client(ConnectPacket.v4(id).will(WillMessage.of(topic, "will")));
        RawClient second = broker.client(ConnectPacket.v4(id));
        first.expectClosed();
        assertThat(publisher.receive().text()).isEqualTo("will");
        second.ping();
    }

    @Test
    @Tag("MQTT-3.1.4-3")
    void cleanSessionCountsAtATakeoverToo() {
        RawClient first = broker.client(stored());
        first.subscribe(topic, 1);
        RawClient second = broker.open();
        assertThat(second.connect(stored()).sessionPresent()).isTrue();
        publisher.publish(topic, "x", 1);
        assertThat(second.receive().text()).isEqualTo("x");
        RawClient third = broker.open();
        assertThat(third.connect(ConnectPacket.v4(id)).sessionPresent()).isFalse();
        publisher.publish(topic, "y", 1);
        third.expectNothingFrom(publisher);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    @Tag("MQTT-3.1.2-8")
    @Tag("MQTT-3.1.2-14")
    @Tag("MQTT-3.1.2-16")
    void anAbruptEndPublishesTheWill(int qos) {
        publisher.subscribe(topic, 2);
        WillMessage will = WillMessage.of(topic, "will").qos(qos);
        broker.client(ConnectPacket.v4(id).will(will)).reset();
        Received published = publisher.receive();
        assertThat(published.text()).isEqualTo("will");
        assertThat(published.qos()).isEqualTo(qos);
        RawClient late = broker.v4();
        late.subscribe(topic, 0);
        late.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-3.1.2-17")
    void aWillWithRetainIsRetained() {
        publisher.subscribe(topic, 0);
        WillMessage will = WillMessage.of(topic, "will").retain();
        broker.client(ConnectPacket.v4(id).will(will)).reset();
        publisher.receive();
        RawClient late = broker.v4();
        late.subscribe(topic, 0);
        assertThat(late.receive().retain()).isTrue();
    }

    @Test
    @Tag("MQTT-3.1.2-10")
    @Tag("MQTT-3.1.2-12")
    void aWillIsPublishedOnceAndNeverWithoutAWill() {
        publisher.subscribe(topic, 0);
        broker.client(stored().will(WillMessage.of(topic, "will"))).reset();
        assertThat(publisher.receive().text()).isEqualTo("will");
        broker.client(stored()).reset();
        Await.elapsed(Duration.ofMillis(300));
        publisher.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-3.14.4-3")
    @Tag("MQTT-3.14.4-1")
    void disconnectDiscardsTheWillAndTheBrokerCloses() {
        publisher.subscribe(topic, 0);
        broker.client(ConnectPacket.v4(id).will(WillMessage.of(topic, "will")))
                .send("E0 00")
                .expectClosed();
        publisher.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-3.14.1-1")
    void disconnectWithReservedFlagsPublishesTheWill() {
        publisher.subscribe(topic, 0);
        broker.client(ConnectPacket.v4(id).will(WillMessage.of(topic, "will")))
                .send("E1 00")
                .expectClosed();
        assertThat(publisher.receive().text()).isEqualTo("will");
    }

    @Test
    @Tag("MQTT-3.14.4-2")
    void whatFollowsADisconnectIsNotProcessed() {
        publisher.subscribe(topic, 0);
        RawClient client = broker.v4();
        client.send(AckPacket.disconnect(), PublishPacket.of(topic, "late")).expectClosed();
        publisher.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-4.1.0-2")
    void aCleanSessionLastsAsLongAsItsConnection() {
        RawClient client = broker.client(ConnectPacket.v4(id).keepAlive(2));
        client.subscribe(topic, 0);
        for (int i = 0; i < 3; i++) {
            Await.elapsed(Duration.ofMillis(1500));
            client.ping();
        }
        publisher.publish(topic, "x", 0);
        assertThat(client.receive().text()).isEqualTo("x");
    }

    @Test
    @Tag("X3-3.1.2-a")
    void allVersionsShareTheSessionsOfAClientIdentifier() {
        RawClient modern = broker.client(ConnectPacket.v5(id).lasting(60));
        modern.subscribe(topic, 1);
        modern.leave();
        publisher.publish(topic, "one", 1);
        RawClient old = broker.open();
        assertThat(old.connect(stored()).sessionPresent()).isTrue();
        assertThat(old.receive().text()).isEqualTo("one");
        old.leave();
        publisher.publish(topic, "two", 1);
        RawClient again = broker.open();
        assertThat(again.connect(ConnectPacket.v5(id).lasting(60)).sessionPresent()).isTrue();
        assertThat(again.receive().text()).isEqualTo("two");
    }

    @Test
    @Tag("X3-3.14-a")
    void onShutdownOldClientsSeeOnlyTheClose() {
        TestBroker own = TestBroker.start();
        RawClient client = own.v4();
        own.stop();
        client.expectClosed();
        own.close();
    }
}
