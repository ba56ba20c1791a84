package io.rotamq.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.CoreSettings;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.MemoryBudget;
import io.rotamq.core.port.Meter;
import io.rotamq.core.session.SendQueue.Waiting;
import io.rotamq.core.share.Group;
import io.rotamq.core.share.Member;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.Message;
import io.rotamq.core.strategy.Publisher;
import io.rotamq.core.strategy.Recipient;
import io.rotamq.core.strategy.Window;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SendQueueTest {
    private static final Grant GRANT = Grant.of(1, false, false, 0, 1);

    private final MemoryBudget memory = new MemoryBudget(10_000);
    private final Meter meter = new Meter();
    private final Member member =
            new Member(
                    new Group(
                            "g",
                            Objects.requireNonNull(TopicFilter.parse("t")),
                            0,
                            GroupSettings.DEFAULTS),
                    new Nobody(),
                    GRANT);

    @Test
    void letsTheOldestGoWhenItIsFull() {
        SendQueue queue = queue(2, 10_000, true);
        queue.add(plain(1));
        queue.add(plain(2));
        queue.add(plain(3));
        assertThat(arrivals(queue)).containsExactly(2L, 3L);
        assertThat(meter.dropped(DropReason.QUEUE_FULL)).isEqualTo(1);
    }

    @Test
    void letsTheNewestGoIfSoConfigured() {
        SendQueue queue = queue(2, 10_000, false);
        queue.add(plain(1));
        queue.add(plain(2));
        queue.add(plain(3));
        assertThat(arrivals(queue)).containsExactly(1L, 2L);
        assertThat(meter.dropped(DropReason.QUEUE_FULL)).isEqualTo(1);
    }

    @Test
    void keepsTheOldestOfAGroupsShare() {
        SendQueue queue = queue(2, 10_000, true);
        queue.add(kept(1));
        queue.add(kept(2));
        queue.add(kept(3));
        assertThat(arrivals(queue)).containsExactly(1L, 2L);
        assertThat(meter.dropped(DropReason.QUEUE_FULL)).isEqualTo(1);
    }

    @Test
    void isBoundedByBytesToo() {
        long size = plain(1).message().size();
        SendQueue queue = queue(100, 3 * size, true);
        for (int i = 1; i <= 5; i++) {
            queue.add(plain(i));
        }
        assertThat(memory.used()).isEqualTo(3 * size);
        assertThat(arrivals(queue)).containsExactly(3L, 4L, 5L);
        assertThat(memory.used()).isZero();
    }

    @Test
    void countsWhatTheNodeHasNoMemoryFor() {
        memory.charge(9_990);
        SendQueue queue = queue(100, 10_000, true);
        queue.add(plain(1));
        assertThat(queue.isEmpty()).isTrue();
        assertThat(meter.dropped(DropReason.MEMORY)).isEqualTo(1);
        assertThat(memory.used()).isEqualTo(9_990);
    }

    @Test
    void takesOutTheShareOfOneMemberInOrder() {
        SendQueue queue = queue(100, 10_000, true);
        queue.add(plain(1));
        queue.add(kept(2));
        queue.add(plain(3));
        queue.add(kept(4));
        assertThat(queue.removeAll(w -> w.member() == member))
                .extracting(w -> w.message().arrival())
                .containsExactly(2L, 4L);
        assertThat(arrivals(queue)).containsExactly(1L, 3L);
        assertThat(memory.used()).isZero();
    }

    private SendQueue queue(int messages, long bytes, boolean dropOldest) {
        return new SendQueue(
                new CoreSettings.Sessions(0, 1, messages, bytes, dropOldest, 1 << 20),
                memory,
                meter,
                waiting -> {});
    }

    private static Waiting plain(long arrival) {
        return new Waiting(message(arrival), GRANT, null, null, null);
    }

    private Waiting kept(long arrival) {
        return new Waiting(message(arrival), GRANT, member, null, null);
    }

    private static Message message(long arrival) {
        Publish publish =
                new Publish(TopicName.of("t"), new byte[9], 1, false, false, 1, -1, new byte[0]);
        return new Message(publish, new Publisher("p"), arrival, 0);
    }

    private static List<Long> arrivals(SendQueue queue) {
        List<Long> arrivals = new ArrayList<>();
        for (Waiting w = queue.poll(); w != null; w = queue.poll()) {
            arrivals.add(w.message().arrival());
        }
        return arrivals;
    }

    /** A session that a queue never asks anything. */
    private static final class Nobody implements Recipient {
        private final Window window = new Window();

        @Override
        public String clientId() {
            return "nobody";
        }

        @Override
        public int shard() {
            return 0;
        }

        @Override
        public Window window() {
            return window;
        }

        @Override
        public boolean isOnline() {
            return false;
        }

        @Override
        public boolean isPersistent() {
            return true;
        }

        @Override
        public boolean fits(Message message, Grant grant) {
            return true;
        }
    }
}
