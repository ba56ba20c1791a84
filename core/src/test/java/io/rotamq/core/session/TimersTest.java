package io.rotamq.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.session.Timers.Timer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimersTest {
    private final Timers timers = new Timers();
    private final List<String> fired = new ArrayList<>();

    @Test
    void firesWhatIsDueInOrderOfTimeAndThenOfScheduling() {
        at(20, "c");
        at(10, "a");
        at(20, "d");
        at(10, "b");
        at(21, "e");
        timers.run(20);
        assertThat(fired).containsExactly("a", "b", "c", "d");
        assertThat(timers.size()).isEqualTo(1);
        timers.run(21);
        assertThat(fired).endsWith("e").hasSize(5);
        assertThat(timers.size()).isZero();
    }

    @Test
    void doesNotFireWhatWasCancelled() {
        Timer a = at(10, "a");
        at(10, "b");
        a.cancel();
        a.cancel();
        assertThat(timers.size()).isEqualTo(1);
        timers.run(10);
        assertThat(fired).containsExactly("b");
        assertThat(timers.size()).isZero();
    }

    @Test
    void letsAFiringTimerCancelAnotherAndScheduleMore() {
        Timer[] second = new Timer[1];
        timers.schedule(
                10,
                () -> {
                    second[0].cancel();
                    at(10, "more");
                });
        second[0] = at(10, "second");
        timers.run(10);
        assertThat(fired).containsExactly("more");
        assertThat(timers.size()).isZero();
    }

    @Test
    void canBeCancelledAfterItFired() {
        Timer a = at(10, "a");
        timers.run(10);
        a.cancel();
        assertThat(timers.size()).isZero();
        at(11, "b");
        assertThat(timers.size()).isEqualTo(1);
    }

    @Test
    void losesNothingWhenManyAreCancelled() {
        for (int i = 0; i < 1_000; i++) {
            Timer timer = at(1_000 - i, "t" + i);
            if (i % 10 > 0) {
                timer.cancel();
            }
        }
        assertThat(timers.size()).isEqualTo(100);
        timers.run(1_000);
        assertThat(fired).hasSize(100).startsWith("t990", "t980").endsWith("t10", "t0");
    }

    private Timer at(long millis, String name) {
        return timers.schedule(millis, () -> fired.add(name));
    }
}
