package io.rotamq.scenarios;

import static io.rotamq.scenarios.Payloads.hold;
import static io.rotamq.scenarios.Payloads.nothingMoreAt;
import static io.rotamq.scenarios.Payloads.range;
import static io.rotamq.scenarios.Payloads.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rotamq.core.port.DropReason;
import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Groups whose members keep their turn while they are away. */
class KeepScenariosTest {
    @AutoClose
    private static final TestBroker broker = TestBroker.start("sharing.offline-members=keep");

    private final String topic = Fresh.topic();
    private final String filter = "$share/g/" + topic;
    private final String idA = Fresh.id();

    /** How a session ends. */
    enum Ending {
        EXPIRY,
        CLEAN_START,
        DISCONNECT_WITH_EXPIRY_0,
        REMOVAL
    }

    private ConnectPacket asA(Ending ending) {
        return ConnectPacket.v5(idA)
                .lasting(ending == Ending.EXPIRY ? 1 : 600)
                .with(Property.RECEIVE_MAXIMUM, 10);
    }

    @ParameterizedTest(name = "A11: {0}")
    @Tag("C16")
    @EnumSource
    void theWorkOfASessionThatEndsGoesToOthersInOrder(Ending ending) {
        RawClient publisher = broker.v5();
        RawClient a = broker.client(asA(ending));
        a.subscribe(filter, 2);
        Payloads.publish(publisher, topic, range("inflight one", 1, 5), 1);
        Payloads.publish(publisher, topic, range("inflight two", 1, 5), 2);
        hold(a, 10);
        a.reset();
        List<String> queued = range("queued one", 1, 5);
        Payloads.publish(publisher, topic, queued, 1);
        Payloads.publish(publisher, topic, range("queued two", 1, 5), 2);
        RawClient b = broker.v5();
        b.subscribe(filter, 2);
        if (ending != Ending.EXPIRY) {
            nothingMoreAt(b);
        }
        long dropped = broker.dropped(DropReason.QOS2_SESSION_ENDED);

        end(broker, ending);
        List<String> expected = new ArrayList<>(range("inflight one", 1, 5));
        expected.addAll(queued);
        expected.addAll(range("queued two", 1, 5));
        List<Received> moved = b.receive(15);
        assertThat(texts(moved)).isEqualTo(expected);
        assertThat(moved).noneMatch(Received::dup);
        nothingMoreAt(b);
        broker.awaitDropped(DropReason.QOS2_SESSION_ENDED, dropped + 5);
    }

    @ParameterizedTest(name = "A11: sticky, {0}")
    @EnumSource
    void theWorkOfAnOwnerGoesToOthersInOrderWhenItsSessionEnds(Ending ending) {
        try (TestBroker sticky =
                TestBroker.start(
                        "sharing.offline-members=keep", "sharing.default-strategy=sticky")) {
            RawClient publisher = sticky.v5();
            RawClient a = sticky.client(asA(ending));
            a.subscribe(filter, 2);
            publisher.publish(topic, "makes A the owner", 1);
            a.receive();
            RawClient b = sticky.v5();
            b.subscribe(filter, 2);
            Payloads.publish(publisher, topic, range("inflight one", 1, 5), 1);
            Payloads.publish(publisher, topic, range("inflight two", 1, 5), 2);
            hold(a, 10);
            a.reset();
            List<String> queued = range("queued one", 1, 5);
            Payloads.publish(publisher, topic, queued, 1);
            Payloads.publish(publisher, topic, range("queued two", 1, 5), 2);
            if (ending != Ending.EXPIRY) {
                nothingMoreAt(b);
            }
            end(sticky, ending);
            List<String> expected = new ArrayList<>(range("inflight one", 1, 5));
            expected.addAll(queued);
            expected.addAll(range("queued two", 1, 5));
            assertThat(texts(b.receive(15))).isEqualTo(expected);
            nothingMoreAt(b);
            sticky.awaitDropped(DropReason.QOS2_SESSION_ENDED, 5);
        }
    }

    @Test
    @DisplayName(
            "keep: the share of an absent member waits for it alone; when full, the oldest stay")
    void theShareOfAnAbsentMemberWaitsForItAndTheOldestStay() {
        try (TestBroker small =
                TestBroker.start(
                        "sharing.offline-members=keep", "session.max-queued-messages=10")) {
            RawClient publisher = small.v5();
            RawClient away = small.client(ConnectPacket.v5(idA).lasting(600));
            away.subscribe(filter, 1);
            RawClient there = small.v5();
            there.subscribe(filter, 1);
            away.leave();
            Payloads.publish(publisher, topic, range("p", 1, 40), 1);
            List<String> turns = range("p", 1, 40);
            assertThat(texts(there.receive(20))).isEqualTo(every2nd(turns, 1));
            await().until(() -> small.dropped(DropReason.QUEUE_FULL) == 10);

            RawClient back = small.client(ConnectPacket.v5(idA).lasting(600));
            assertThat(texts(back.receive(10))).isEqualTo(every2nd(turns, 0).subList(0, 10));
            nothingMoreAt(back, there);
        }
    }

    private static List<String> every2nd(List<String> all, int first) {
        return IntStream.range(0, all.size())
                .filter(i -> i % 2 == first)
                .mapToObj(all::get)
                .toList();
    }

    private void end(TestBroker of, Ending ending) {
        switch (ending) {
            case EXPIRY -> {
                // Ends by itself a second after the loss of its connection.
            }
            case CLEAN_START -> {
                RawClient clean = of.open();
                Received connack = clean.connect(ConnectPacket.v5(idA));
                assertThat(connack.sessionPresent()).isFalse();
                nothingMoreAt(clean);
            }
            case DISCONNECT_WITH_EXPIRY_0 -> {
                RawClient back = of.client(asA(ending));
                assertThat(hold(back, 10)).allMatch(Received::dup);
                back.send(AckPacket.disconnect().with(Property.SESSION_EXPIRY, 0));
                back.expectClosed();
            }
            case REMOVAL -> assertThat(of.kick(idA)).isTrue();
        }
    }
}
