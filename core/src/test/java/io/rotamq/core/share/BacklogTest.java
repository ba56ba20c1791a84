package io.rotamq.core.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BacklogTest {
    private final Backlog backlog = new Backlog();

    @Test
    void givesOutInOrderOfArrival() {
        add(1, 1);
        add(2, 2);
        add(1, 3);
        assertThat(drained()).containsExactly(1L, 2L, 3L);
    }

    @Test
    void putsWhatMembersGaveBackFirstAndTheOldestOfItFirst() {
        add(1, 7);
        returned(1, 5);
        returned(2, 3);
        add(1, 8);
        returned(1, 4);
        assertThat(drained()).containsExactly(3L, 4L, 5L, 7L, 8L);
    }

    @Test
    void keepsQos0Apart() {
        add(1, 1);
        add(0, 2);
        returned(0, 3);
        assertThat(backlog.size()).isEqualTo(3);
        assertThat(drained()).containsExactly(1L);
        assertThat(backlog.isEmpty()).isFalse();
        assertThat(arrival(backlog.pollAtMostOnce())).isEqualTo(3);
        assertThat(arrival(backlog.pollAtMostOnce())).isEqualTo(2);
        assertThat(backlog.isEmpty()).isTrue();
    }

    @Test
    void sacrificesQos0BeforeTheOldestOfTheRest() {
        add(1, 1);
        add(0, 2);
        assertThat(arrival(backlog.pollOldest())).isEqualTo(2);
        assertThat(arrival(backlog.pollOldest())).isEqualTo(1);
        assertThat(backlog.pollOldest()).isNull();
    }

    @Test
    void givesUpWhatIsNotWantedAnyMore() {
        add(1, 1);
        add(0, 2);
        returned(1, 3);
        returned(0, 4);
        add(1, 5);
        backlog.removeIf(pending -> arrival(pending) < 4);
        assertThat(backlog.size()).isEqualTo(2);
        assertThat(drained()).containsExactly(5L);
        assertThat(arrival(backlog.pollAtMostOnce())).isEqualTo(4);
    }

    @Test
    void looksWithoutTaking() {
        add(1, 1);
        assertThat(arrival(backlog.peek())).isEqualTo(1);
        assertThat(backlog.peekAtMostOnce()).isNull();
        assertThat(backlog.size()).isEqualTo(1);
    }

    private void add(int qos, long arrival) {
        backlog.add(new Pending(Messages.of(qos, arrival), null));
    }

    private void returned(int qos, long arrival) {
        backlog.addReturned(new Pending(Messages.of(qos, arrival), null));
    }

    private List<Long> drained() {
        List<Long> arrivals = new ArrayList<>();
        for (Pending p = backlog.poll(); p != null; p = backlog.poll()) {
            arrivals.add(arrival(p));
        }
        return arrivals;
    }

    private static long arrival(Pending pending) {
        return pending.message().arrival();
    }
}
