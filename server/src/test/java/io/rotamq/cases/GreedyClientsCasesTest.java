package io.rotamq.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rotamq.core.port.Counter;
import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import io.rotamq.testkit.WillMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Clients that take much and give nothing back: what they can hold of the broker is bounded. */
class GreedyClientsCasesTest {
    private static final int RECEIVE_MAXIMUM = 20;
    private static final Duration MUCH_PATIENCE = Duration.ofSeconds(25);

    @AutoClose
    private static final TestBroker broker =
            TestBroker.start(
                    "mqtt.receive-maximum=" + RECEIVE_MAXIMUM,
                    "sharing.backlog.high-water=2",
                    "sharing.backlog.slow-limit=30s");

    private final String topic = Fresh.topic();

    @Test
    void anOldPublisherThatIgnoresWithheldAcknowledgementsIsLeftUnreadUntilTheGroupCatchesUp() {
        RawClient member = stuckMember();
        RawClient publisher = broker.v4();
        long before = broker.counted(Counter.ACKS_WITHHELD);
        int sent = 10 * RECEIVE_MAXIMUM;
        send(publisher, 1, sent);
        await().until(() -> broker.counted(Counter.ACKS_WITHHELD) - before >= RECEIVE_MAXIMUM);
        acknowledgeFrom(member, sent);
        for (int id = 1; id <= sent; id++) {
            publisher.expect(Type.PUBACK, id);
        }
    }

    @Test
    void repeatsOfOnePublishWhileItsAcknowledgementIsWithheldDoNotPileUpForEver() {
        stuckMember();
        RawClient publisher = broker.v5();
        send(publisher, 1, 4);
        publisher.send(PublishPacket.of(topic, "x").qos(2, 9));
        byte[] one = PublishPacket.of(topic, "x").qos(2, 9).dup().encode(5);
        byte[] repeats = new byte[one.length * 10_000];
        for (int i = 0; i < 10_000; i++) {
            System.arraycopy(one, 0, repeats, i * one.length, one.length);
        }
        for (int i = 0; i < 7; i++) {
            publisher.send(repeats);
        }
        Received last = publisher.read(MUCH_PATIENCE);
        while (last.type() != Type.DISCONNECT) {
            last = publisher.read(MUCH_PATIENCE);
        }
        assertThat(last.code()).isEqualTo(0x93);
    }

    @Test
    void unsubscribingEndsRetainedMessagesHoweverOftenTheyWereAskedFor() {
        RawClient publisher = broker.v5();
        for (int i = 0; i < 20; i++) {
            publisher.publish(PublishPacket.of(topic + "/" + i, "r").retain().qos(1, i + 1));
        }
        RawClient client =
                broker.client(ConnectPacket.v5(Fresh.id()).with(Property.RECEIVE_MAXIMUM, 5));
        SubscribePacket often = SubscribePacket.id(7);
        for (int i = 0; i < 50; i++) {
            often.filter(topic + "/#", 1);
        }
        client.subscribe(often);
        List<Received> held = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            held.add(client.delivery());
        }
        client.unsubscribe(topic + "/#");
        held.forEach(client::acknowledge);
        client.expectNothingFrom(publisher);
    }

    @Test
    void subscribersThatNeverAcknowledgeLargeMessagesHoldLittleAndStopNobody() {
        long memory = 4L << 20;
        try (TestBroker small = TestBroker.start("limits.memory=4MiB")) {
            RawClient publisher = small.v5();
            byte[] large = new byte[100_000];
            for (int greedy = 0; greedy < 4; greedy++) {
                small.v5().subscribe(topic + greedy, 1);
                for (int id = 1; id <= 60; id++) {
                    PublishPacket packet = PublishPacket.of(topic + greedy, "");
                    assertThat(publisher.publish(packet.payload(large).qos(1, id)).code()).isZero();
                }
            }
            assertThat(small.memoryUsed()).isBetween(memory / 2, 2 * memory);
            RawClient healthy = small.v5();
            healthy.subscribe(topic, 1);
            publisher.publish(PublishPacket.of(topic, "").payload(large).qos(1, 1));
            assertThat(healthy.receive().payload()).hasSize(large.length);
        }
    }

    @Test
    void oneClientCannotFillTheMemoryWithLongFilters() {
        RawClient greedy = broker.v5();
        String level = "x".repeat(60_000);
        int granted = 0;
        while (greedy.trySubscribe(longFilter(granted, level)).code() != 0x97) {
            assertThat(++granted).isLessThan(200);
        }
        assertThat(granted).isGreaterThan(10);
        assertThat(greedy.subscribe(topic, 0).code()).as("a short one").isZero();
        // What is given back can be used again.
        greedy.unsubscribe("0/" + level);
        assertThat(greedy.trySubscribe(longFilter(0, level)).code()).isZero();
    }

    @Test
    void sessionsAndSubscriptionsCannotFillTheMemory() {
        try (TestBroker small = TestBroker.start("session.memory=1MiB")) {
            RawClient served = small.v5();
            served.subscribe(topic, 1);
            List<RawClient> greedy = new ArrayList<>();
            RawClient next = small.open();
            while (next.tryConnect(lasting()).code() == 0) {
                greedy.add(next);
                assertThat(greedy.size()).isBetween(1, 600);
                next = small.open();
            }
            assertThat(greedy.size()).isGreaterThan(300);
            assertThat(small.open().tryConnect(ConnectPacket.v4(Fresh.id())).code()).isEqualTo(3);
            int granted = 0;
            while (served.trySubscribe(longFilter(granted, topic)).code() != 0x97) {
                assertThat(++granted).isLessThan(10);
            }
            served.publish(PublishPacket.of(topic, "x").qos(1, 1));
            assertThat(served.receive().text()).isEqualTo("x");
            // What is given back can be used again, also by a resumed session that was there.
            served.close();
            assertThat(small.sessions()).isPositive();
            await().untilAsserted(
                            () -> assertThat(small.open().tryConnect(lasting()).code()).isZero());
        }
    }

    @Test
    void willsCannotFillTheMemory() {
        try (TestBroker small = TestBroker.start("session.memory=1MiB")) {
            int accepted = 0;
            while (small.open().tryConnect(withLargeWill()).code() == 0) {
                assertThat(++accepted).isLessThan(20);
            }
            assertThat(accepted).isGreaterThan(5);
            assertThat(small.open().tryConnect(withLargeWill()).code()).isEqualTo(0x97);
            RawClient modest = small.v5();
            assertThat(modest.subscribe(topic, 1).code()).isLessThan(3);
        }
    }

    private static ConnectPacket lasting() {
        return ConnectPacket.v5(Fresh.id()).lasting(3_600);
    }

    private ConnectPacket withLargeWill() {
        return ConnectPacket.v5(Fresh.id()).will(WillMessage.of(topic, "w".repeat(60_000)));
    }

    private static SubscribePacket longFilter(int number, String level) {
        return SubscribePacket.id(7).filter(number + "/" + level, 0);
    }

    /** The only member of a group, whose window is full. */
    private RawClient stuckMember() {
        RawClient member =
                broker.client(ConnectPacket.v5(Fresh.id()).with(Property.RECEIVE_MAXIMUM, 1));
        member.subscribe("$share/g/" + topic, 1);
        return member;
    }

    private void send(RawClient publisher, int first, int last) {
        for (int id = first; id <= last; id++) {
            publisher.send(PublishPacket.of(topic, "x").qos(1, id));
        }
    }

    private static void acknowledgeFrom(RawClient member, int count) {
        for (int i = 0; i < count; i++) {
            member.send(AckPacket.puback(member.delivery().packetId()));
        }
    }
}
