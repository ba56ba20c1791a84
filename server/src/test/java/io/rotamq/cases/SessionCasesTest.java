package io.rotamq.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rotamq.core.port.DropReason;
import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.Await;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.Type;
import io.rotamq.testkit.WillMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Expiry of sessions and messages; takeover. */
class SessionCasesTest extends CaseTest {
    private final String id = Fresh.id();

    private boolean isPresent(ConnectPacket connect) {
        RawClient client = broker.open();
        boolean present = client.connect(connect).sessionPresent();
        client.leave();
        return present;
    }

    @Test
    @Tag("C64")
    void disconnectCannotRaiseAnExpiryOfZero() {
        RawClient watcher = broker.v5();
        watcher.subscribe(topic, 1);
        RawClient client =
                broker.client(ConnectPacket.v5(id).will(WillMessage.of(topic, "error path")));
        client.send(AckPacket.disconnect().with(Property.SESSION_EXPIRY, 300));
        client.expectDisconnect(0x82);
        assertThat(watcher.receive().text()).isEqualTo("error path");
        assertThat(isPresent(ConnectPacket.v5(id).resume())).isFalse();
    }

    @Test
    @Tag("C64")
    void disconnectWithExpiryZeroEndsTheSession() {
        RawClient client = broker.client(lasting(id));
        client.send(AckPacket.disconnect().with(Property.SESSION_EXPIRY, 0));
        client.expectClosed();
        assertThat(isPresent(lasting(id))).isFalse();
        assertThat(isPresent(lasting(id))).isTrue();
    }

    @Test
    @Tag("C65")
    void aSessionIsGoneAfterItsInterval() {
        ConnectPacket connect = ConnectPacket.v5(id).lasting(1);
        RawClient client = broker.client(connect);
        client.subscribe(topic, 1);
        client.leave();
        assertThat(isPresent(connect)).isTrue();
        publisher.publish(topic, "queued", 1);
        Await.elapsed(Duration.ofMillis(1_200));
        RawClient back = broker.open();
        assertThat(back.connect(connect).sessionPresent()).isFalse();
        nothingMoreAt(back);
    }

    @Test
    @Tag("C66")
    void aQueuedMessageCountsItsExpiryDownAndGoesWhenItIsOver() {
        RawClient client = broker.client(lasting(id));
        client.subscribe(topic, 1);
        client.leave();
        publisher.publish(expiring("long", 100));
        publisher.publish(expiring("short", 1));
        Await.elapsed(Duration.ofMillis(1_500));
        RawClient back = broker.client(lasting(id));
        Received queued = back.receive();
        assertThat(queued.text()).isEqualTo("long");
        assertThat(queued.properties().number(Property.MESSAGE_EXPIRY)).isBetween(97L, 99L);
        nothingMoreAt(back);
    }

    @Test
    @Tag("C66")
    void aGroupMessageCountsItsExpiryDownThroughBacklogAndMoves() {
        RawClient first = member(lasting(id), 1);
        publisher.publish(expiring("moved", 100));
        hold(first, 1);
        first.reset();
        publisher.publish(expiring("backlog", 100));
        publisher.publish(expiring("too late", 1));
        Await.elapsed(Duration.ofMillis(1_500));
        RawClient second = member(1);
        List<Received> got = second.receive(2);
        assertThat(texts(got)).containsExactly("moved", "backlog");
        assertThat(got)
                .allMatch(d -> d.properties().number(Property.MESSAGE_EXPIRY) <= 99)
                .allMatch(d -> d.properties().number(Property.MESSAGE_EXPIRY) >= 97);
        nothingMoreAt(second);
    }

    private PublishPacket expiring(String payload, int seconds) {
        return PublishPacket.of(topic, payload).qos(1, 77).with(Property.MESSAGE_EXPIRY, seconds);
    }

    @Test
    @Tag("C67")
    void expiredRetainedAndBackloggedMessagesAreFreedUnasked() {
        int retained = broker.retained();
        member(lasting(id), 1).leave();
        for (int i = 0; i < 500; i++) {
            publisher.publish(
                    PublishPacket.of(topic + "/" + i, "x")
                            .retain()
                            .qos(1, 1)
                            .with(Property.MESSAGE_EXPIRY, 1));
            publisher.publish(expiring("x", 1));
        }
        long expired = broker.dropped(DropReason.EXPIRED);
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(
                        () -> {
                            assertThat(broker.retained()).isEqualTo(retained);
                            assertThat(broker.dropped(DropReason.EXPIRED))
                                    .isGreaterThanOrEqualTo(expired);
                            assertThat(broker.memoryUsed()).isZero();
                        });
    }

    @Test
    @Tag("C69")
    void everyTransitionBetweenCleanAndPersistentLeavesOneSubscription() {
        Random random = new Random(69);
        for (int i = 0; i < 200; i++) {
            boolean persistent = random.nextBoolean();
            boolean isShared = random.nextBoolean();
            RawClient client =
                    broker.client(
                            persistent ? ConnectPacket.v4(id).resume() : ConnectPacket.v4(id));
            client.unsubscribe(isShared ? topic : shared);
            client.subscribe(isShared ? shared : topic, 1);
            publisher.publish(topic, "round " + i, 1);
            assertThat(client.receive().text()).isEqualTo("round " + i);
            assertThat(client.ping().poll(Duration.ofMillis(2))).isNull();
            if (random.nextBoolean()) {
                client.leave();
            }
        }
    }

    @Test
    @Tag("C70")
    void sessionPresentTellsTheTruth() {
        assertThat(isPresent(lasting(id))).isFalse();
        assertThat(isPresent(lasting(id))).isTrue();
        assertThat(isPresent(ConnectPacket.v5(id))).isFalse();
        assertThat(isPresent(lasting(id))).isFalse();
        assertThat(isPresent(ConnectPacket.v4(id).resume())).isTrue();
        assertThat(broker.kick(id)).isTrue();
        await().until(() -> !broker.kick(id));
        assertThat(isPresent(lasting(id))).isFalse();
    }

    @ParameterizedTest
    @Tag("C71")
    @ValueSource(booleans = {true, false})
    void aStormOfReconnectsLeavesOneWorkingSession(boolean clean) {
        List<CompletableFuture<Void>> storms = new ArrayList<>();
        for (int host = 0; host < 2; host++) {
            storms.add(CompletableFuture.runAsync(() -> storm(clean)));
        }
        storms.forEach(CompletableFuture::join);
        // What the last ones sent before they closed is read: nothing takes over any more.
        Await.elapsed(Duration.ofMillis(500));
        RawClient last = broker.client(clean ? ConnectPacket.v5(id) : lasting(id));
        last.subscribe(shared, 1);
        last.subscribe(topic, 1);
        publish(20, 1);
        assertThat(texts(last.receive(40))).containsAll(numbers(1, 20));
        nothingMoreAt(last);
    }

    private void storm(boolean clean) {
        for (int i = 0; i < 100; i++) {
            try (RawClient client = broker.open()) {
                client.send(
                        clean ? ConnectPacket.v5(id) : lasting(id),
                        SubscribePacket.id(1).filter(shared, 1).filter(topic, 1));
                if (i % 2 == 0) {
                    client.expect(Type.CONNACK);
                }
            }
        }
    }

    @Test
    @Tag("C72")
    void nothingIsLostWhileASubscriberTakesItselfOver() {
        int count = 2_000;
        RawClient client = broker.client(lasting(id));
        client.subscribe(topic, 1);
        CompletableFuture<Void> publishing = CompletableFuture.runAsync(() -> publish(count, 1));
        Set<String> seen = new HashSet<>();
        long takeover = System.nanoTime();
        while (seen.size() < count) {
            Received delivery = client.read();
            assertThat(seen.add(delivery.text()) || delivery.dup())
                    .as("%s is new or a repeat", delivery)
                    .isTrue();
            client.send(AckPacket.puback(delivery.packetId()));
            if (System.nanoTime() - takeover > 20_000_000) {
                takeover = System.nanoTime();
                client = broker.client(lasting(id));
            }
        }
        publishing.join();
        assertThat(seen).containsExactlyInAnyOrderElementsOf(numbers(1, count));
    }
}
