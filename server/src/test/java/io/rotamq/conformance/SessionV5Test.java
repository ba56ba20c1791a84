package io.rotamq.conformance;

import static io.rotamq.testkit.Property.SESSION_EXPIRY;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.Await;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import io.rotamq.testkit.WillMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** MQTT 5.0 chapters 3.1.2 and 4.1: clean start, session expiry, takeover. */
@Tag("mqtt5")
@Execution(ExecutionMode.CONCURRENT)
class SessionV5Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    private final String topic = Fresh.topic();
    private final RawClient publisher = broker.v5();

    private static ConnectPacket lasting(String id, long seconds) {
        return ConnectPacket.v5(id).lasting(seconds);
    }

    /** A session that is away, subscribed to the topic of the test. */
    private void absent(ConnectPacket connect) {
        RawClient client = broker.client(connect);
        client.subscribe(topic, 1);
        client.leave();
    }

    private static boolean present(ConnectPacket connect) {
        RawClient client = broker.open();
        boolean present = client.connect(connect).sessionPresent();
        client.leave();
        return present;
    }

    @Test
    @Tag("MQTT-3.1.2-4")
    @Tag("MQTT-3.2.2-2")
    @Tag("MQTT-3.2.2-3")
    void cleanStartThrowsTheStoredSessionAway() {
        String id = Fresh.id();
        absent(lasting(id, 300));
        publisher.publish(topic, "queued", 1);
        RawClient client = broker.open();
        Received connack = client.connect(ConnectPacket.v5(id).with(SESSION_EXPIRY, 300));
        assertThat(connack.sessionPresent()).isFalse();
        publisher.publish(topic, "later", 1);
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-3.1.2-5")
    @Tag("MQTT-3.1.2-23")
    @Tag("MQTT-3.2.2-3")
    @Tag("MQTT-3.2.0-1")
    void withoutCleanStartTheStoredSessionGoesOn() {
        String id = Fresh.id();
        absent(lasting(id, 300));
        publisher.publish(topic, "queued", 1);
        RawClient client = broker.open();
        assertThat(client.connect(lasting(id, 300)).sessionPresent()).isTrue();
        assertThat(client.receive().text()).isEqualTo("queued");
        publisher.publish(topic, "live", 1);
        assertThat(client.receive().text()).isEqualTo("live");
    }

    @Test
    @Tag("MQTT-3.1.2-6")
    @Tag("MQTT-3.2.2-3")
    void withoutCleanStartAndWithoutAStoredSessionOneIsMade() {
        RawClient client = broker.open();
        assertThat(client.connect(lasting(Fresh.id(), 60)).sessionPresent()).isFalse();
        client.subscribe(topic, 1);
        publisher.publish(topic, "x", 1);
        assertThat(client.receive().text()).isEqualTo("x");
    }

    @Test
    @Tag("MQTT-3.2.2-3")
    void aSessionWithoutSubscriptionsIsPresentToo() {
        String id = Fresh.id();
        assertThat(present(lasting(id, 60))).isFalse();
        assertThat(present(lasting(id, 60))).isTrue();
    }

    @Test
    @Tag("X5-3.1.2.11.2-a")
    void withoutExpiryTheSessionEndsWithTheConnection() {
        String id = Fresh.id();
        absent(ConnectPacket.v5(id).resume());
        RawClient client = broker.open();
        Received connack = client.connect(ConnectPacket.v5(id).resume());
        assertThat(connack.sessionPresent()).isFalse();
        publisher.publish(topic, "x", 1);
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("X5-3.1.2.11.2-c")
    void eachConnectSetsTheExpiryAnew() {
        String id = Fresh.id();
        assertThat(present(lasting(id, 2))).isFalse();
        assertThat(present(lasting(id, 60))).isTrue();
        Await.elapsed(Duration.ofMillis(3500));
        assertThat(present(lasting(id, 0))).isTrue();
        assertThat(present(lasting(id, 0))).isFalse();
    }

    @Test
    @Tag("MQTT-4.1.0-2")
    @Tag("MQTT-3.2.2-3")
    void theSessionEndsWhenItsExpiryHasPassed() {
        String id = Fresh.id();
        absent(lasting(id, 1));
        publisher.publish(topic, "queued", 1);
        Await.elapsed(Duration.ofMillis(2500));
        RawClient client = broker.open();
        assertThat(client.connect(lasting(id, 1)).sessionPresent()).isFalse();
        publisher.publish(topic, "later", 1);
        client.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-4.1.0-1")
    void theSessionLastsWhileTheConnectionIsOpenWhateverItsExpiry() {
        RawClient client = broker.client(lasting(Fresh.id(), 1));
        client.subscribe(topic, 2);
        publisher.publish(topic, "held", 2);
        Received held = client.delivery();
        Await.elapsed(Duration.ofMillis(2500));
        client.acknowledge(held);
        publisher.publish(topic, "later", 1);
        assertThat(client.receive().text()).isEqualTo("later");
    }

    @Test
    @Tag("X5-3.1.2.11.2-b")
    void theLargestExpiryDoesNotOverflow() {
        String id = Fresh.id();
        assertThat(present(lasting(id, 0xFFFFFFFFL))).isFalse();
        Await.elapsed(Duration.ofMillis(300));
        assertThat(present(lasting(id, 0xFFFFFFFEL))).isTrue();
        Await.elapsed(Duration.ofMillis(300));
        assertThat(present(lasting(id, 0))).isTrue();
    }

    @Test
    @Tag("MQTT-3.1.3-2")
    void sessionsBelongToTheClientIdentifierInItsExactSpelling() {
        String id = Fresh.id();
        RawClient lower = broker.client(lasting(id, 60));
        RawClient upper = broker.client(lasting(id.toUpperCase(Locale.ROOT), 60));
        lower.subscribe(topic + "/lower", 1);
        upper.subscribe(topic + "/upper", 1);
        publisher.publish(topic + "/lower", "l", 1);
        publisher.publish(topic + "/upper", "u", 1);
        assertThat(lower.receive().text()).isEqualTo("l");
        assertThat(upper.receive().text()).isEqualTo("u");
        lower.expectNothingFrom(publisher);
        upper.expectNothingFrom(publisher);
    }

    @Test
    @Tag("MQTT-3.1.4-3")
    @Tag("MQTT-3.1.4-4")
    @Tag("MQTT-3.14.4-2")
    void aSecondClientTakesTheSessionOver() {
        String id = Fresh.id();
        RawClient first = broker.client(lasting(id, 60));
        first.subscribe(topic, 1);
        RawClient second = broker.open();
        assertThat(second.connect(lasting(id, 60)).sessionPresent()).isTrue();
        first.expectDisconnect(0x8E);
        publisher.publish(topic, "x", 1);
        assertThat(second.receive().text()).isEqualTo("x");
        RawClient third = broker.open();
        assertThat(third.connect(ConnectPacket.v5(id)).sessionPresent()).isFalse();
        second.expectDisconnect(0x8E);
        publisher.publish(topic, "y", 1);
        third.expectNothingFrom(publisher);
    }

    @Test
    @Tag("X5-3.1.4-c")
    void manyTakeoversLeaveOneConnectionAndLoseNothing() {
        String id = Fresh.id();
        absent(lasting(id, 60));
        for (int i = 0; i < 10; i++) {
            publisher.publish(topic, "m" + i, 1);
        }
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            clients.add(broker.open().send(lasting(id, 60)));
        }
        Set<String> received = new HashSet<>();
        List<RawClient> live = new ArrayList<>();
        for (RawClient client : clients) {
            assertThat(client.expect(Type.CONNACK).code()).isZero();
            if (drain(client, received)) {
                live.add(client);
            }
        }
        assertThat(live).hasSize(1);
        live.getFirst().ping();
        for (Received kept = live.getFirst().poll(Duration.ofMillis(1)); kept != null; ) {
            received.add(kept.text());
            kept = live.getFirst().poll(Duration.ofMillis(1));
        }
        assertThat(received).hasSize(10);
    }

    /** Reads until the broker closes (false) or nothing more comes (true). */
    private static boolean drain(RawClient client, Set<String> texts) {
        Received packet = client.poll(Duration.ofMillis(500));
        while (packet != null) {
            if (packet.type() == Type.DISCONNECT) {
                assertThat(packet.code()).isEqualTo(0x8E);
                client.expectClosed();
                return false;
            }
            texts.add(packet.text());
            packet = client.poll(Duration.ofMillis(500));
        }
        return true;
    }

    @Test
    @Tag("X5-3.14.2.2.2-a")
    void disconnectMayChangeTheExpiry() {
        String ended = Fresh.id();
        broker.client(lasting(ended, 60)).send(AckPacket.disconnect().with(SESSION_EXPIRY, 0));
        String kept = Fresh.id();
        broker.client(lasting(kept, 1)).send(AckPacket.disconnect().with(SESSION_EXPIRY, 60));
        String unchanged = Fresh.id();
        broker.client(lasting(unchanged, 60)).send(AckPacket.disconnect());
        Await.elapsed(Duration.ofMillis(2500));
        assertThat(present(lasting(ended, 60))).isFalse();
        assertThat(present(lasting(kept, 60))).isTrue();
        assertThat(present(lasting(unchanged, 60))).isTrue();
    }

    @Test
    @Tag("X5-3.14.2.2.2-b")
    void disconnectMayNotRaiseTheExpiryFrom0() {
        RawClient watcher = broker.v5();
        watcher.subscribe(topic, 0);
        String id = Fresh.id();
        RawClient client = broker.client(ConnectPacket.v5(id).will(WillMessage.of(topic, "will")));
        client.send(AckPacket.disconnect().with(SESSION_EXPIRY, 60)).expectDisconnect(0x82);
        assertThat(watcher.receive().text()).isEqualTo("will");
        assertThat(present(lasting(id, 60))).isFalse();
    }

    @Test
    @Tag("X5-4.1-c")
    void qos0MessagesDoNotWaitForAnAbsentClient() {
        String id = Fresh.id();
        absent(lasting(id, 60));
        publisher.publish(topic, "lost", 0);
        publisher.publish(topic, "kept", 1);
        RawClient client = broker.client(lasting(id, 60));
        assertThat(client.deliveriesUntilCanary(publisher))
                .extracting(Received::text)
                .containsExactly("kept");
    }
}
