package io.rotamq.core.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.strategy.Claim;
import io.rotamq.core.strategy.Message;
import io.rotamq.core.strategy.Messages;
import io.rotamq.core.strategy.Roster;
import io.rotamq.core.strategy.Strategy;
import io.rotamq.mqtt.topic.TopicFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BacklogTest {
    private static final Strategy BY_QOS =
            new Strategy() {
                @Override
                public @Nullable Member choose(Roster roster, Message message, Claim claim) {
                    return null;
                }

                @Override
                public Object line(Message message) {
                    return message.qos();
                }

                @Override
                public void rosterChanges(Roster from, Roster to) {}
            };

    private final Regime oneLine =
            new Regime(GroupSettings.DEFAULTS, Strategy.of(GroupSettings.DEFAULTS.choice()));
    private final Backlog backlog = new Backlog(oneLine);

    @Test
    void givesOutInOrderOfArrival() {
        add(1, 1);
        add(2, 2);
        add(1, 3);
        assertThat(drained(1)).containsExactly(1L, 2L, 3L);
        assertThat(backlog.isEmpty()).isTrue();
        assertThat(backlog.lines()).isZero();
    }

    @Test
    void putsWhatMembersGaveBackFirstAndTheOldestOfItFirst() {
        add(1, 7);
        returned(1, 5);
        returned(2, 3);
        add(1, 8);
        returned(1, 4);
        assertThat(drained(1)).containsExactly(3L, 4L, 5L, 7L, 8L);
    }

    @Test
    void keepsQos0Apart() {
        add(1, 1);
        add(0, 2);
        returned(0, 3);
        assertThat(backlog.size()).isEqualTo(3);
        assertThat(backlog.lines()).isEqualTo(2);
        assertThat(drained(1)).containsExactly(1L);
        assertThat(backlog.isEmpty()).isFalse();
        assertThat(drained(0)).containsExactly(3L, 2L);
        assertThat(backlog.isEmpty()).isTrue();
    }

    @Test
    void sacrificesQos0BeforeTheOldestOfTheRest() {
        add(1, 1);
        add(0, 2);
        assertThat(oldest()).isEqualTo(2);
        assertThat(oldest()).isEqualTo(1);
        assertThat(backlog.oldest()).isNull();
    }

    @Test
    void sacrificesTheOldestOfAllLines() {
        Backlog lines = new Backlog(new Regime(GroupSettings.DEFAULTS, BY_QOS));
        add(lines, 2, 5);
        add(lines, 1, 6);
        add(lines, 2, 7);
        assertThat(Objects.requireNonNull(lines.oldest()).key()).isEqualTo(2);
        lines.poll(Objects.requireNonNull(lines.oldest()));
        assertThat(Objects.requireNonNull(lines.oldest()).key()).isEqualTo(1);
    }

    @Test
    void givesUpWhatExpired() {
        add(1, 1);
        backlog.add(line(1), Pending.fresh(Messages.of(1, 2, 1), null));
        add(1, 3);
        assertThat(backlog.purge(line(1), 999)).isEmpty();
        assertThat(backlog.purge(line(1), 1_000))
                .extracting(pending -> pending.message().arrival())
                .containsExactly(2L);
        assertThat(backlog.size()).isEqualTo(2);
        assertThat(drained(1)).containsExactly(1L, 3L);
    }

    @Test
    void servesTheLineWithTheOldestMessageFirstAndForgetsWhatIsHeld() {
        Backlog lines = new Backlog(new Regime(GroupSettings.DEFAULTS, BY_QOS));
        add(lines, 2, 5);
        add(lines, 1, 6);
        NavigableSet<Line> ready = lines.ready();
        assertThat(ready).extracting(Line::key).containsExactly(2, 1);
        Line held = ready.first();
        Group group = new Group("g", topic(), 0, GroupSettings.DEFAULTS);
        Hold hold = lines.hold(held, group, Messages.of(2, 4));
        assertThat(ready).extracting(Line::key).containsExactly(1);
        assertThat(lines.held()).isEqualTo(1);
        lines.release(hold);
        assertThat(lines.ready()).extracting(Line::key).containsExactly(2, 1);
        assertThat(lines.held()).isZero();
    }

    @Test
    void laysEverythingAnewInOrderOfArrivalWhenTheRulesChange() {
        add(1, 1);
        add(2, 2);
        add(1, 3);
        returned(2, 0);
        assertThat(backlog.follow(new Regime(GroupSettings.DEFAULTS, BY_QOS))).isTrue();
        assertThat(backlog.lines()).isEqualTo(2);
        assertThat(drained(1)).containsExactly(1L, 3L);
        assertThat(drained(2)).containsExactly(0L, 2L);
        assertThat(backlog.follow(oneLine)).isTrue();
        assertThat(backlog.isEmpty()).isTrue();
    }

    private void add(int qos, long arrival) {
        add(backlog, qos, arrival);
    }

    private static void add(Backlog to, int qos, long arrival) {
        Message message = Messages.of(qos, arrival);
        to.add(to.lineOf(message), Pending.fresh(message, null));
    }

    private void returned(int qos, long arrival) {
        backlog.addReturned(line(qos), Pending.fresh(Messages.of(qos, arrival), null));
    }

    private Line line(int qos) {
        return backlog.lineOf(Messages.of(qos, 0));
    }

    private List<Long> drained(int qos) {
        List<Long> arrivals = new ArrayList<>();
        for (Pending p = backlog.poll(line(qos)); p != null; p = backlog.poll(line(qos))) {
            arrivals.add(p.message().arrival());
        }
        return arrivals;
    }

    private long oldest() {
        Line line = Objects.requireNonNull(backlog.oldest());
        return Objects.requireNonNull(backlog.poll(line)).message().arrival();
    }

    private static TopicFilter topic() {
        return Objects.requireNonNull(TopicFilter.parse("t"));
    }
}
