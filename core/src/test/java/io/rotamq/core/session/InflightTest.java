package io.rotamq.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.MemoryBudget;
import io.rotamq.core.session.SendQueue.Waiting;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.Message;
import io.rotamq.core.strategy.Publisher;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.topic.TopicName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class InflightTest {
    private final MemoryBudget memory = new MemoryBudget(1 << 20);
    private final Inflight inflight = new Inflight(memory);

    @Test
    void handsOutIdentifiersInACycleSoThatAFreedOneComesLast() {
        assertThat(inflight.nextId()).isEqualTo(1);
        Outbound second = added();
        assertThat(second.packetId).isEqualTo(2);
        inflight.remove(second);
        for (int id = 3; id <= Inflight.MAXIMUM_ID; id++) {
            assertThat(inflight.nextId()).isEqualTo(id);
        }
        assertThat(inflight.nextId()).isEqualTo(1);
        assertThat(inflight.nextId()).isEqualTo(2);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-2.2.1-4")
    void skipsIdentifiersThatAreInUse() {
        Outbound first = added();
        for (int i = 1; i < Inflight.MAXIMUM_ID; i++) {
            inflight.nextId();
        }
        assertThat(first.packetId).isEqualTo(1);
        assertThat(inflight.nextId()).isEqualTo(2);
    }

    @Test
    void hasNoIdentifierLeftWhenAllAreInUse() {
        for (int i = 0; i < Inflight.MAXIMUM_ID; i++) {
            assertThat(added().packetId).isEqualTo(i + 1);
        }
        assertThat(inflight.nextId()).isZero();
        inflight.remove(inflight.get(777));
        assertThat(inflight.nextId()).isEqualTo(777);
    }

    @Test
    void findsWhatIsInFlightAfterAnyRemovals() {
        SplittableRandom random = new SplittableRandom(7);
        Map<Integer, Outbound> model = new LinkedHashMap<>();
        for (int step = 0; step < 200_000; step++) {
            if (model.size() < random.nextInt(90)) {
                Outbound outbound = added();
                assertThat(model.put(outbound.packetId, outbound)).isNull();
            } else if (!model.isEmpty()) {
                List<Integer> ids = new ArrayList<>(model.keySet());
                Outbound gone = model.remove(ids.get(random.nextInt(ids.size())));
                inflight.remove(gone);
                assertThat(inflight.get(gone.packetId)).isNull();
            }
            if (step % 500 == 0) {
                check(model);
            }
        }
    }

    @Test
    void keepsTheOrderOfSending() {
        Outbound a = added();
        Outbound b = added();
        Outbound c = added();
        inflight.remove(b);
        Outbound d = added();
        assertThat(inOrder()).containsExactly(a, c, d);
        inflight.remove(a);
        inflight.remove(d);
        assertThat(inOrder()).containsExactly(c);
        inflight.remove(c);
        assertThat(inOrder()).isEmpty();
        assertThat(inflight.size()).isZero();
    }

    @Test
    void chargesLargeMessagesToTheMemoryBudgetAsLongAsTheyAreInFlight() {
        Outbound large = added(10_000);
        added(10_000);
        added(10);
        assertThat(memory.used()).isBetween(20_000L, 21_000L);
        inflight.remove(large);
        assertThat(memory.used()).isBetween(10_000L, 10_500L);
        inflight.clear();
        assertThat(memory.used()).isZero();
        assertThat(inflight.size()).isZero();
        assertThat(inOrder()).isEmpty();
    }

    @Test
    void chargesAMessageOnceHoweverManyWindowsHoldIt() {
        Inflight other = new Inflight(memory);
        Outbound here = added(10_000);
        Outbound there =
                new Outbound(
                        new Waiting(here.message, here.grant, null, null, null),
                        other.nextId(),
                        false);
        long once = memory.used();
        other.add(there);
        assertThat(memory.used()).isEqualTo(once);
        assertThat(other.bytes()).isEqualTo(inflight.bytes());
        inflight.remove(here);
        assertThat(memory.used()).isEqualTo(once);
        other.clear();
        assertThat(memory.used()).isZero();
    }

    private void check(Map<Integer, Outbound> model) {
        assertThat(inflight.size()).isEqualTo(model.size());
        model.forEach((id, outbound) -> assertThat(inflight.get(id)).isSameAs(outbound));
        assertThat(inOrder()).containsExactlyElementsOf(model.values());
    }

    private List<Outbound> inOrder() {
        List<Outbound> order = new ArrayList<>();
        for (Outbound o = inflight.first(); o != null; o = o.next) {
            order.add(o);
        }
        return order;
    }

    private Outbound added() {
        return added(0);
    }

    private Outbound added(int size) {
        Publish publish =
                new Publish(TopicName.of("t"), new byte[size], 1, false, false, 1, -1, new byte[0]);
        Message message = new Message(publish, new Publisher("p"), 1, 0);
        Grant grant = Grant.of(1, false, false, 0, 1);
        Outbound outbound =
                new Outbound(
                        new Waiting(message, grant, null, null, null), inflight.nextId(), false);
        inflight.add(outbound);
        return outbound;
    }
}
