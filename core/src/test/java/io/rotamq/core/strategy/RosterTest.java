package io.rotamq.core.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.rotamq.core.port.GroupSettings.StrategyName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RosterTest {
    private static final int CROWD = 50_000;

    private final Choosing choosing = new Choosing(StrategyName.ROUND_ROBIN_PER_GROUP);

    @Test
    void keepsTheOrderOfJoiningHoweverOftenMembersComeAndGo() {
        choosing.join("a", "b", "c", "d");
        choosing.disconnect("b");
        choosing.disconnect("c");
        assertThat(turns()).isEqualTo("ad");
        choosing.reconnect("c");
        choosing.reconnect("b");
        assertThat(turns()).isEqualTo("abcd");
        choosing.leave("a");
        choosing.join("a");
        assertThat(turns()).isEqualTo("bcda");
    }

    @Test
    void countsOneMemberWithoutLookingAtOthers() {
        choosing.join("a", "b", "c");
        choosing.recipient("a").disconnect();
        choosing.disconnect("b");
        assertThat(turns()).as("a has not been told of").isEqualTo("ac");
        choosing.refresh();
        assertThat(turns()).isEqualTo("c");
    }

    @Test
    void staysTheSameWhenNothingChanges() {
        choosing.join("a", "b");
        Roster before = choosing.roster();
        choosing.refresh(choosing.member("a"));
        assertThat(choosing.roster()).isSameAs(before);
        Candidate gone = choosing.member("b");
        choosing.leave("b");
        choosing.refresh(gone);
        assertThat(turns()).as("who has left does not come back").isEqualTo("a");
    }

    @Test
    void hasAStampOfItsOwn() {
        choosing.join("a", "b");
        long stamp = choosing.roster().stamp();
        Candidate a = choosing.member("a");
        choosing.renew(a, a.grant(), a.keys());
        assertThat(choosing.roster().stamp()).isNotEqualTo(stamp);
        Roster other = new Choosing(StrategyName.RANDOM).join("a", "b").roster();
        assertThat(other.stamp()).isNotEqualTo(choosing.roster().stamp());
    }

    /** If each change cost as much as there are members, this would take minutes. */
    @ParameterizedTest
    @EnumSource
    void changesAsFastWithManyMembersAsWithFew(StrategyName name) {
        Choosing crowd = new Choosing(name);
        assertTimeout(
                Duration.ofSeconds(20),
                () -> {
                    crowd.crowd(CROWD);
                    for (int i = 0; i < CROWD; i += 2) {
                        crowd.disconnect("m" + i);
                    }
                    for (int i = CROWD - 2; i >= 0; i -= 2) {
                        crowd.reconnect("m" + i);
                    }
                    for (int i = 0; i < CROWD; i++) {
                        crowd.leave("m" + i);
                    }
                });
        assertThat(crowd.roster().isEmpty()).isTrue();
    }

    /** Whatever a reader sees is one roster: in order, each member once, all of them members. */
    @ParameterizedTest
    @EnumSource
    void isWholeForThoseWhoReadItWhileItChanges(StrategyName name) throws Exception {
        Choosing crowd = new Choosing(name).crowd(1_500);
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger chosen = new AtomicInteger();
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Future<?>> readers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                int seed = i;
                readers.add(threads.submit(() -> read(crowd, seed, over, chosen)));
            }
            change(crowd, chosen);
            over.set(true);
            for (Future<?> reader : readers) {
                reader.get();
            }
        }
        assertThat(chosen.get()).isPositive();
    }

    private static void change(Choosing crowd, AtomicInteger chosen) {
        Random random = new Random(5);
        for (int i = 0; i < 1_500 || chosen.get() < 1_000; i++) {
            String name = "m" + random.nextInt(700);
            switch (random.nextInt(3)) {
                case 0 -> crowd.disconnect(name);
                case 1 -> crowd.reconnect(name);
                default -> {
                    crowd.leave(name);
                    crowd.join(name);
                }
            }
        }
    }

    private static void read(Choosing crowd, int seed, AtomicBoolean over, AtomicInteger chosen) {
        Claim claim = new Claim(Messages.of(1, 0), seed);
        Publisher publisher = new Publisher("reader-" + seed);
        while (!over.get()) {
            Roster roster = crowd.roster();
            Message message = Messages.from(publisher, 1);
            Candidate member = crowd.strategy.choose(roster, message, claim.reset(message));
            if (member != null && roster.find(member.place(), 0) < 0) {
                throw new AssertionError("chose somebody who is not in the roster");
            }
            chosen.incrementAndGet();
            long last = 0;
            for (int i = 0; i < roster.turns(); i++) {
                long place = roster.turn(i).place();
                if (place <= last) {
                    throw new AssertionError("out of order");
                }
                last = place;
            }
        }
    }

    private String turns() {
        StringBuilder names = new StringBuilder();
        Roster roster = choosing.roster();
        for (int i = 0; i < roster.turns(); i++) {
            names.append(roster.turn(i).recipient().clientId());
        }
        return names.toString();
    }
}
