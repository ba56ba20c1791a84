package io.rotamq.scenarios;

import static io.rotamq.scenarios.Payloads.nothingMoreAt;
import static io.rotamq.scenarios.Payloads.range;
import static io.rotamq.scenarios.Payloads.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rotamq.clients.HiveMq5;
import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A20 for one routing key: what happens when a lane reaches its bound. */
class LaneScenariosTest {
    private final String root = Fresh.topic();
    private final String hot = root + "/hot";
    private final String other = root + "/other";

    private static TestBroker broker(String overflow) {
        return TestBroker.start(
                "sharing.default-strategy=key_shared",
                "sharing.key=topic",
                "sharing.backlog.overflow=" + overflow,
                "sharing.backlog.max-lane-messages=10",
                "sharing.backlog.high-water=5");
    }

    private RawClient member(TestBroker broker) {
        RawClient member = broker.v5();
        member.subscribe("$share/g/" + root + "/#", 1);
        return member;
    }

    /** Takes from both keys until so many of the hot one came. */
    private List<String> takeHot(RawClient member, int count) {
        List<String> got = new ArrayList<>();
        while (got.size() < count) {
            Received next = member.receive();
            if (next.topic().equals(hot)) {
                got.add(next.text());
            }
        }
        return got;
    }

    @Test
    @DisplayName("A20: reject_new: a full lane refuses its own key alone")
    void aFullLaneRefusesItsOwnKeyAlone() {
        try (TestBroker broker = broker("reject_new");
                RawClient publisher = broker.v5()) {
            RawClient member = member(broker);
            // What is under way to the lane when it is full is still taken.
            int taken = 11;
            Payloads.publish(publisher, hot, range("p", 1, taken), 1);
            while (publisher.publish(hot, "p:" + (taken + 1), 1).code() == 0) {
                taken++;
                assertThat(taken).isLessThan(2_000);
            }
            Received held = member.delivery();
            assertThat(publisher.publish(hot, "refused", 1).code()).isEqualTo(0x97);
            assertThat(publisher.publish(hot, "refused", 2).code()).isEqualTo(0x97);
            assertThat(publisher.publish(other, "o", 1).code()).isZero();
            assertThat(member.receive().text()).isEqualTo("o");
            member.acknowledge(held);
            assertThat(texts(member.receive(taken - 1))).isEqualTo(range("p", 2, taken));
            assertThat(publisher.publish(hot, "taken", 1).code()).isZero();
            assertThat(member.receive().text()).isEqualTo("taken");
            nothingMoreAt(member);
        }
    }

    @Test
    @DisplayName(
            "A20: drop_oldest: the oldest that waits in the lane makes room, what is held stays")
    void theOldestOfAFullLaneMakesRoom() {
        try (TestBroker broker = broker("drop_oldest");
                RawClient publisher = broker.v5()) {
            RawClient member = member(broker);
            Payloads.publish(publisher, hot, range("p", 1, 31), 1);
            Received held = member.delivery();
            assertThat(held.text()).isEqualTo("p:1");
            broker.awaitDropped(DropReason.LANE_FULL, 20);
            Payloads.publish(publisher, other, range("o", 1, 5), 1);
            assertThat(texts(member.receive(5))).isEqualTo(range("o", 1, 5));
            member.acknowledge(held);
            assertThat(texts(member.receive(10))).isEqualTo(range("p", 22, 31));
            nothingMoreAt(member);
        }
    }

    @Test
    @DisplayName("A20: slow: the publisher of a hot key is slowed, that of another is not")
    void thePublisherOfAHotKeyIsSlowedAndNothingIsLost() {
        try (TestBroker broker =
                        TestBroker.start(
                                "sharing.default-strategy=key_shared",
                                "sharing.key=topic",
                                "sharing.backlog.max-lane-messages=400",
                                "sharing.backlog.high-water=50");
                HiveMq5 busy = HiveMq5.connect(broker);
                RawClient calm = broker.v5()) {
            RawClient member = member(broker);
            List<String> published = Payloads.of("p", 1_000);
            CompletableFuture<Void> publishing =
                    CompletableFuture.runAsync(() -> busy.publishAll(hot, published, 1));
            await().until(() -> broker.counted(Counter.ACKS_WITHHELD) > 0);
            calm.publish("else/" + root, "quick", 1);
            assertThat(publishing).isNotDone();
            assertThat(takeHot(member, 1_000)).isEqualTo(published);
            publishing.join();
            nothingMoreAt(member);
            assertThat(broker.dropped(DropReason.LANE_FULL)).isZero();
        }
    }
}
