package io.rotamq.conformance;

import static io.rotamq.testkit.Property.CONTENT_TYPE;
import static io.rotamq.testkit.Property.CORRELATION_DATA;
import static io.rotamq.testkit.Property.MESSAGE_EXPIRY;
import static io.rotamq.testkit.Property.PAYLOAD_FORMAT;
import static io.rotamq.testkit.Property.RESPONSE_TOPIC;
import static io.rotamq.testkit.Property.SESSION_EXPIRY;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.Await;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Props;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.WillMessage;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MQTT 5.0 chapters 3.1.2.5 and 3.1.3.2: the will. */
@Tag("mqtt5")
@Execution(ExecutionMode.CONCURRENT)
class WillV5Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    private final String topic = Fresh.topic();
    private final String id = Fresh.id();
    private final RawClient watcher = broker.v5();

    private ConnectPacket connect(WillMessage will) {
        return ConnectPacket.v5(id).will(will);
    }

    private WillMessage will() {
        return WillMessage.of(topic, "will");
    }

    private void watch() {
        watcher.subscribe(topic, 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    @Tag("MQTT-3.1.2-7")
    @Tag("MQTT-3.1.2-12")
    void anAbruptEndPublishesTheWillAsItWasGiven(int qos) {
        watch();
        broker.client(connect(will().qos(qos))).reset();
        Received will = watcher.receive();
        assertThat(will.text()).isEqualTo("will");
        assertThat(will.topic()).isEqualTo(topic);
        assertThat(will.qos()).isEqualTo(qos);
        watcher.expectNothingFrom(watcher);
    }

    @Test
    @Tag("MQTT-3.1.2-8")
    void everyEndButANormalDisconnectPublishesTheWill() {
        watch();
        broker.client(connect(will())).finishSending();
        assertThat(watcher.receive().text()).isEqualTo("will");
        broker.client(connect(will()).keepAlive(1)).expectDisconnect(0x8D);
        assertThat(watcher.receive().text()).isEqualTo("will");
        broker.client(connect(will())).send("00 00").expectDisconnect(0x81, 0x82);
        assertThat(watcher.receive().text()).isEqualTo("will");
        RawClient taken = broker.client(connect(will()));
        broker.client(ConnectPacket.v5(id));
        assertThat(watcher.receive().text()).isEqualTo("will");
        taken.expectDisconnect(0x8E);
        broker.client(connect(will())).leave();
        watcher.expectNothingFrom(watcher);
    }

    @Test
    @Tag("X5-3.14.2.1-a")
    void disconnectWithWillPublishesTheWill() {
        watch();
        broker.client(connect(will())).send("E0 01 04").expectClosed();
        assertThat(watcher.receive().text()).isEqualTo("will");
    }

    @Test
    @Tag("X5-3.14.2.1-b")
    @Tag("MQTT-3.14.2-1")
    void disconnectWithAnUndefinedCodePublishesTheWill() {
        watch();
        broker.client(connect(will())).send("E0 01 FF").expectDisconnect(0x81, 0x82);
        assertThat(watcher.receive().text()).isEqualTo("will");
    }

    @Test
    @Tag("MQTT-3.14.1-1")
    void disconnectWithReservedFlagsPublishesTheWill() {
        watch();
        broker.client(connect(will())).send("E1 00").expectDisconnect(0x81);
        assertThat(watcher.receive().text()).isEqualTo("will");
    }

    @ParameterizedTest
    @ValueSource(strings = {"E0 00", "E0 01 00", "E0 02 00 00"})
    @Tag("X5-3.14.2.1-c")
    @Tag("MQTT-3.14.4-3")
    @Tag("MQTT-3.1.2-8")
    void everyFormOfANormalDisconnectDiscardsTheWill(String disconnect) {
        watch();
        broker.client(connect(will())).send(disconnect).expectClosed();
        watcher.expectNothingFrom(watcher);
    }

    @Test
    @Tag("MQTT-3.14.4-3")
    void aNormalDisconnectDiscardsADelayedWillForGood() {
        watch();
        RawClient client = broker.client(connect(will().delay(1)).with(SESSION_EXPIRY, 1));
        client.leave();
        Await.elapsed(Duration.ofMillis(2500));
        watcher.expectNothingFrom(watcher);
    }

    @Test
    @Tag("MQTT-3.1.2-10")
    void aWillIsPublishedOnce() {
        watch();
        broker.client(connect(will()).with(SESSION_EXPIRY, 60)).reset();
        assertThat(watcher.receive().text()).isEqualTo("will");
        broker.client(ConnectPacket.v5(id).lasting(60)).reset();
        RawClient again = broker.client(connect(will()).resume());
        again.leave();
        broker.client(ConnectPacket.v5(id).resume()).reset();
        Await.elapsed(Duration.ofMillis(300));
        watcher.expectNothingFrom(watcher);
    }

    @Test
    @Tag("MQTT-3.1.2-14")
    void aWillWithoutRetainIsNotRetained() {
        watch();
        broker.client(connect(will())).reset();
        assertThat(watcher.receive().retain()).isFalse();
        RawClient late = broker.v5();
        late.subscribe(topic, 0);
        late.expectNothingFrom(watcher);
    }

    @Test
    @Tag("MQTT-3.1.2-15")
    void aWillWithRetainIsRetainedAndAnEmptyOneClears() {
        watch();
        broker.client(connect(will().retain())).reset();
        watcher.receive();
        RawClient late = broker.v5();
        late.subscribe(topic, 0);
        Received retained = late.receive();
        assertThat(retained.retain()).isTrue();
        assertThat(retained.text()).isEqualTo("will");
        broker.client(connect(WillMessage.of(topic, "").retain())).reset();
        assertThat(watcher.receive().payload()).isEmpty();
        RawClient later = broker.v5();
        later.subscribe(topic, 0);
        later.expectNothingFrom(watcher);
    }

    @Test
    @Tag("MQTT-3.1.3-9")
    void aReconnectInsideTheDelayCancelsTheWill() {
        watch();
        broker.client(connect(will().delay(1)).with(SESSION_EXPIRY, 60)).reset();
        RawClient again = broker.client(ConnectPacket.v5(id).lasting(60));
        Await.elapsed(Duration.ofMillis(2200));
        watcher.expectNothingFrom(watcher);
        again.ping();
    }

    @Test
    @Tag("MQTT-3.1.2-8")
    void aDelayedWillIsPublishedAfterItsDelay() {
        watch();
        RawClient client = broker.client(connect(will().delay(1)).with(SESSION_EXPIRY, 60));
        long start = System.nanoTime();
        client.reset();
        assertThat(watcher.receive().text()).isEqualTo("will");
        assertThat(System.nanoTime() - start).isGreaterThan(900_000_000L);
    }

    @Test
    @Tag("X5-3.1.3.2.2-a")
    void theEndOfTheSessionPublishesADelayedWill() {
        watch();
        RawClient client = broker.client(connect(will().delay(30)).with(SESSION_EXPIRY, 1));
        long start = System.nanoTime();
        client.reset();
        assertThat(watcher.receive().text()).isEqualTo("will");
        assertThat(System.nanoTime() - start).isGreaterThan(900_000_000L);
    }

    @Test
    @Tag("X5-3.1.3.2.2-a")
    void withoutASessionExpiryADelayedWillIsPublishedAtOnce() {
        watch();
        broker.client(connect(will().delay(30))).reset();
        assertThat(watcher.receive().text()).isEqualTo("will");
    }

    @Test
    @Tag("X5-3.1.3.2.2-b")
    void aCleanStartPublishesThePendingWillOnce() {
        watch();
        broker.client(connect(will().delay(30)).with(SESSION_EXPIRY, 60)).reset();
        broker.client(ConnectPacket.v5(id));
        assertThat(watcher.receive().text()).isEqualTo("will");
        watcher.expectNothingFrom(watcher);
    }

    @Test
    @Tag("X5-3.1.3.2.2-c")
    void aTakeoverPublishesTheWillUnlessTheSessionGoesOnAndTheWillIsDelayed() {
        watch();
        ConnectPacket undelayed = connect(will()).with(SESSION_EXPIRY, 60);
        RawClient first = broker.client(undelayed);
        RawClient second = broker.client(connect(will().delay(30)).lasting(60));
        assertThat(watcher.receive().text()).isEqualTo("will");
        first.expectDisconnect(0x8E);
        RawClient third = broker.client(connect(will().delay(30)).resume());
        watcher.expectNothingFrom(watcher);
        second.expectDisconnect(0x8E);
        broker.client(ConnectPacket.v5(id));
        assertThat(watcher.receive().text()).isEqualTo("will");
        third.expectDisconnect(0x8E);
    }

    @Test
    @Tag("X5-3.1.3.2-a")
    @Tag("MQTT-3.1.3-1")
    void theWillCarriesItsPropertiesButNotItsDelay() {
        watch();
        WillMessage will =
                will().qos(1)
                        .delay(0)
                        .with(PAYLOAD_FORMAT, 1)
                        .with(MESSAGE_EXPIRY, 60)
                        .with(CONTENT_TYPE, "text/plain")
                        .with(RESPONSE_TOPIC, "answers")
                        .with(CORRELATION_DATA, new byte[] {0, 1});
        RawClient client = broker.client(connect(will).credentials("user", "secret"));
        client.reset();
        Props props = watcher.receive().properties();
        assertThat(props.number(PAYLOAD_FORMAT)).isEqualTo(1);
        assertThat(props.number(MESSAGE_EXPIRY)).isBetween(50L, 60L);
        assertThat(props.text(CONTENT_TYPE)).isEqualTo("text/plain");
        assertThat(props.text(RESPONSE_TOPIC)).isEqualTo("answers");
        assertThat(props.binary(CORRELATION_DATA)).containsExactly(0, 1);
        assertThat(props.entries()).hasSize(5);
    }

    @Test
    @Tag("MQTT-3.1.3-10")
    void theWillKeepsTheOrderOfItsUserProperties() {
        watch();
        WillMessage will = will().user("a", "1").user("b", "2").user("a", "3");
        broker.client(connect(will)).reset();
        assertThat(watcher.receive().properties().users())
                .containsExactly(
                        new Props.Pair("a", "1"),
                        new Props.Pair("b", "2"),
                        new Props.Pair("a", "3"));
    }

    @Test
    @Tag("X5-3.1.3.2.4-a")
    void theExpiryOfTheWillCountsFromItsPublication() {
        watch();
        WillMessage will = will().retain().delay(1).with(MESSAGE_EXPIRY, 5);
        broker.client(connect(will).with(SESSION_EXPIRY, 60)).reset();
        watcher.receive();
        Await.elapsed(Duration.ofMillis(1200));
        RawClient late = broker.v5();
        late.subscribe(topic, 0);
        assertThat(late.receive().properties().number(MESSAGE_EXPIRY)).isBetween(1L, 4L);
        Await.elapsed(Duration.ofMillis(4500));
        RawClient later = broker.v5();
        later.subscribe(topic, 0);
        later.expectNothingFrom(watcher);
    }
}
