package io.rotamq.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.Await;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Guard;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import io.rotamq.testkit.WillMessage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** When a will is published, and when it is not. */
class WillCasesTest extends CaseTest {
    private final String id = Fresh.id();
    private RawClient watcher;

    @BeforeEach
    void watch() {
        watcher = broker.v5();
        watcher.subscribe(topic, 2);
    }

    private ConnectPacket dying(WillMessage will) {
        return ConnectPacket.v5(id).will(will);
    }

    private WillMessage will(String payload) {
        return WillMessage.of(topic, payload);
    }

    @ParameterizedTest(name = "delay {0}, session expiry {1}, clean start {2}: {3}")
    @Tag("C58")
    @CsvSource({
        "0, 0, true, true",
        "0, 0, false, true",
        "0, 60, true, true",
        "0, 60, false, true",
        "10, 0, true, true",
        "10, 0, false, true",
        "10, 60, true, true",
        "10, 60, false, false",
    })
    void takeoverPublishesTheWillUnlessADelayGoesOn(
            int delay, int expiry, boolean cleanStart, boolean published) {
        RawClient old =
                broker.client(
                        dying(will("OLD").delay(delay)).with(Property.SESSION_EXPIRY, expiry));
        ConnectPacket again = ConnectPacket.v5(id).with(Property.SESSION_EXPIRY, expiry);
        broker.client(cleanStart ? again : again.resume());
        old.expectDisconnect(0x8E);
        if (published) {
            assertThat(watcher.receive().text()).isEqualTo("OLD");
        }
        nothingMoreAt(watcher);
    }

    @Test
    @Tag("C58")
    void takeoverOfAnOlderClientPublishesItsWill() {
        RawClient old = broker.client(ConnectPacket.v4(id).will(will("OLD")));
        broker.client(ConnectPacket.v4(id));
        old.expectClosed();
        assertThat(watcher.receive().text()).isEqualTo("OLD");
        nothingMoreAt(watcher);
    }

    @Test
    @Tag("C60")
    void aReturnBeforeTheDelayCancelsTheWillAndTheNextLossStartsTheNewOne() {
        ConnectPacket first = dying(will("first").delay(2)).lasting(60);
        broker.client(first).reset();
        Await.elapsed(Duration.ofMillis(700));
        RawClient back = broker.client(dying(will("second").delay(1)).lasting(60));
        assertThat(watcher.poll(Duration.ofMillis(1_800))).isNull();
        back.reset();
        assertThat(watcher.receive().text()).isEqualTo("second");
        // A return after the will was sent brings no other.
        broker.client(ConnectPacket.v5(id).lasting(60));
        nothingMoreAt(watcher);
    }

    /** How a connection ends without DISCONNECT 0x00. */
    enum Ending {
        DISCONNECT_WITH_WILL,
        RESET,
        CLOSE,
        PROTOCOL_ERROR,
        KEEP_ALIVE,
        REMOVAL
    }

    @ParameterizedTest
    @Tag("C61")
    @EnumSource
    void everyEndingButANormalOnePublishesTheWill(Ending ending) {
        RawClient client = broker.client(dying(will("x")).keepAlive(1));
        switch (ending) {
            case DISCONNECT_WITH_WILL -> client.send(AckPacket.disconnect().code(0x04));
            case RESET -> client.reset();
            case CLOSE -> client.close();
            case PROTOCOL_ERROR -> client.send(ConnectPacket.v5(id));
            case KEEP_ALIVE -> client.expectDisconnect(0x8D);
            case REMOVAL -> assertThat(broker.kick(id)).isTrue();
        }
        assertThat(watcher.receive().text()).isEqualTo("x");
        nothingMoreAt(watcher);
    }

    @Test
    @Tag("C61")
    void aNormalDisconnectRemovesTheWill() {
        broker.client(dying(will("x"))).leave();
        nothingMoreAt(watcher);
    }

    @ParameterizedTest(name = "QoS {0}, retain {1}")
    @Tag("C62")
    @CsvSource({"0, false", "1, false", "2, false", "0, true", "1, true", "2, true"})
    void aWillIsPublishedAtItsQosToPlainSubscribersAndOneMember(int qos, boolean retained) {
        RawClient first = member(2);
        RawClient second = member(2);
        WillMessage will = will("bye").qos(qos);
        broker.client(dying(retained ? will.retain() : will)).reset();
        assertThat(watcher.receive().qos()).isEqualTo(qos);
        assertThat(drain(first).size() + drain(second).size()).isEqualTo(1);
        RawClient late = broker.v5();
        late.subscribe(topic, 2);
        if (retained) {
            Received kept = late.receive();
            assertThat(kept.retain()).isTrue();
            assertThat(kept.text()).isEqualTo("bye");
        }
        nothingMoreAt(late);
        retain(topic, "");
        watcher.receive();
    }

    @Test
    @Tag("C62")
    void aWillForAWildcardTopicIsRefused() {
        for (String wrong : new String[] {"w/#", "w/+/x", ""}) {
            RawClient client = broker.open();
            client.send(ConnectPacket.v5(Fresh.id()).will(WillMessage.of(wrong, "x")));
            List<Received> answer = client.readUntilClosed(RawClient.PATIENCE);
            assertThat(answer).allMatch(p -> p.type() == Type.CONNACK && p.code() >= 0x80);
        }
    }

    @Test
    @Tag("C62")
    void aWillForATopicOfTheBrokerIsRefused() {
        RawClient spy = broker.v5();
        spy.subscribe("$SYS/forged", 1);
        RawClient client = broker.open();
        client.send(ConnectPacket.v5(id).will(WillMessage.of("$SYS/forged", "x")));
        client.expectRefused(0x87);
        RawClient older = broker.open();
        older.send(ConnectPacket.v4(id).will(WillMessage.of("$SYS/forged", "x")));
        older.expectRefused(5);
        nothingMoreAt(spy);
    }

    @Test
    @Tag("C62")
    void aWillForATopicThatItsClientMayNotPublishToIsRefused() {
        try (TestBroker guarded = TestBroker.guarded()) {
            RawClient spy = guarded.v5();
            spy.subscribe("#", 1);
            RawClient client = guarded.open();
            client.send(ConnectPacket.v5(id).will(WillMessage.of(Guard.FORBIDDEN + "w", "x")));
            client.expectRefused(0x87);
            nothingMoreAt(spy);
        }
    }

    @Test
    @Tag("C63")
    void trafficToADeadSubscriberDoesNotKeepItAlive() {
        RawClient dead = broker.client(dying(will("dead")).keepAlive(1));
        String busy = topic + "/busy";
        dead.subscribe(busy, 0);
        long start = System.nanoTime();
        Received will = null;
        while (will == null) {
            publisher.send(PublishPacket.of(busy, "traffic"));
            will = watcher.poll(Duration.ofMillis(20));
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isLessThan(Duration.ofSeconds(4));
        }
        assertThat(will.text()).isEqualTo("dead");
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isGreaterThan(Duration.ofMillis(1_300));
    }
}
