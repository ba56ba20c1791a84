package io.rotamq.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.durable.Keep;
import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.GroupSettings.BacklogLimits;
import io.rotamq.core.port.GroupSettings.Choice;
import io.rotamq.core.port.GroupSettings.OfflineMembers;
import io.rotamq.core.port.GroupSettings.Overflow;
import io.rotamq.core.port.MemoryBudget;
import io.rotamq.core.port.Meter;
import io.rotamq.core.share.Brake;
import io.rotamq.core.share.Dispatcher;
import io.rotamq.core.share.Group;
import io.rotamq.core.share.GroupOwner;
import io.rotamq.core.share.GroupPort;
import io.rotamq.core.share.Hold;
import io.rotamq.core.share.Member;
import io.rotamq.core.share.Offer;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.Message;
import io.rotamq.core.strategy.Publisher;
import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.Puback;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AckGateTest {
    private final List<Packet> out = new ArrayList<>();
    private final AckGate gate = new AckGate((packet, inVain) -> out.add(packet));
    private final Relief relief = new Relief();
    private final Meter meter = new Meter();
    private final MemoryBudget memory = new MemoryBudget(100_000);
    private final Dispatcher dispatcher = new Dispatcher(relief, meter, memory, 1);
    private final GroupOwner owner = new GroupOwner(relief, dispatcher, meter, memory);

    @Test
    void letsAcknowledgementsLeaveAtOnceWhenNoGroupIsBehind() {
        assertThat(gate.acknowledge(puback(1), List.of(), null)).isFalse();
        assertThat(gate.acknowledge(puback(2), List.of(), null)).isFalse();
        assertThat(out).containsExactly(puback(1), puback(2));
        assertThat(gate.size()).isZero();
        assertThat(gate.release()).isTrue();
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-4.6.0-2")
    void withholdsWhatIsForAGroupThatIsBehindAndAllThatFollows() {
        Group behind = behind("a");
        assertThat(gate.acknowledge(puback(1), List.of(behind.brake()), null)).isTrue();
        assertThat(gate.acknowledge(puback(2), List.of(), null)).isTrue();
        assertThat(gate.release()).isFalse();
        assertThat(out).isEmpty();
        relieve(behind);
        assertThat(gate.release()).isTrue();
        assertThat(out).containsExactly(puback(1), puback(2));
    }

    @Test
    void waitsForEveryGroupThatAMessageWentTo() {
        Group a = behind("a");
        Group b = behind("b");
        gate.acknowledge(puback(1), List.of(a.brake(), b.brake()), null);
        gate.acknowledge(puback(2), List.of(a.brake()), null);
        relieve(a);
        assertThat(gate.release()).isFalse();
        assertThat(out).isEmpty();
        relieve(b);
        assertThat(gate.release()).isTrue();
        assertThat(out).containsExactly(puback(1), puback(2));
    }

    @Test
    void letsGoOnlyThoseInFrontOfTheOneThatStillWaits() {
        Group a = behind("a");
        Group b = behind("b");
        gate.acknowledge(puback(1), List.of(a.brake()), null);
        gate.acknowledge(puback(2), List.of(b.brake()), null);
        relieve(a);
        assertThat(gate.release()).isFalse();
        assertThat(out).containsExactly(puback(1));
        assertThat(gate.size()).isEqualTo(1);
    }

    @Test
    void slowsPublishersOfLargeMessagesLongBeforeThereIsNoMemoryForThem() {
        Group group = group("a", 1_000);
        assertThat(publish(group, 15_000)).isNull();
        assertThat(publish(group, 15_000)).isSameAs(group.brake());
        relieve(group);
    }

    /** A group that withholds from its first message on: nobody is a member. */
    private Group behind(String name) {
        Group group = group(name, 1);
        assertThat(publish(group, 1)).isSameAs(group.brake());
        return group;
    }

    private static Group group(String name, int highWater) {
        GroupSettings settings =
                new GroupSettings(
                        "test",
                        Choice.DEFAULT,
                        OfflineMembers.SKIP,
                        new BacklogLimits(Overflow.SLOW, 1_000, 1_000_000, 1_000, highWater, 1_000),
                        1_000);
        return new Group(name, Objects.requireNonNull(TopicFilter.parse("t")), 0, settings);
    }

    private @Nullable Brake publish(Group group, int size) {
        Publish publish =
                new Publish(TopicName.of("t"), new byte[size], 1, false, false, 1, -1, new byte[0]);
        return dispatcher.publish(group, new Message(publish, new Publisher("p"), 1, 0), null);
    }

    private void relieve(Group group) {
        for (int rest = group.pending(); rest > 0; rest--) {
            owner.enqueue(group, relief.waiting.removeFirst(), null);
        }
        owner.end(group);
        assertThat(group.isBehind()).isFalse();
    }

    /** Keeps what is for a backlog until the test hands it over. */
    private static final class Relief implements GroupPort {
        private final List<Message> waiting = new ArrayList<>();

        @Override
        public long now() {
            return 0;
        }

        @Override
        public void deliver(
                Member member,
                Grant grant,
                Message message,
                long epoch,
                @Nullable Hold hold,
                @Nullable Keep keep) {
            throw new AssertionError("there is no member");
        }

        @Override
        public void unclaim(Member member, long epoch) {
            throw new AssertionError("there is no member");
        }

        @Override
        public void enqueue(Group group, Message message, @Nullable Keep keep) {
            waiting.add(message);
        }

        @Override
        public void taken(Offer offer) {
            throw new AssertionError("there is no offer");
        }

        @Override
        public void relieved(Brake group) {}
    }

    private static Packet puback(int packetId) {
        return new Puback(packetId, ReasonCode.SUCCESS, Details.NONE);
    }
}
