package io.rotamq.core.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.GroupSettings.StrategyName;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoundRobinTest {
    private final Choosing choosing = new Choosing(StrategyName.ROUND_ROBIN);

    @Test
    void givesEachPublisherEveryMemberInTurn() {
        choosing.join("a", "b", "c");
        String first = choosing.next("p", 6);
        String second = choosing.next("q", 6);
        assertThat("abcabcabc").contains(first).contains(second);
        assertThat(choosing.next("p")).isEqualTo(first.substring(0, 1));
    }

    @Test
    void beginsWithAnyMember() {
        choosing.join("a", "b", "c");
        Set<String> firsts = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            firsts.add(choosing.next("p" + i));
        }
        assertThat(firsts).as("short-lived publishers do not all feed one").hasSize(3);
    }

    @Test
    void passesWhoCannotAndStandsBehindWhoTookIt() {
        choosing.join("a", "b", "c");
        startAt("a");
        choosing.fill("b");
        assertThat(choosing.next("p")).isEqualTo("c");
        choosing.relieve("b");
        assertThat(choosing.next("p", 3)).isEqualTo("abc");
    }

    @Test
    void countsNoTurnWhenNobodyTakesTheMessage() {
        choosing.join("a", "b");
        startAt("a");
        choosing.fill("a");
        choosing.fill("b");
        assertThat(choosing.next("p", 3)).isEqualTo("---");
        choosing.relieve("a");
        choosing.relieve("b");
        assertThat(choosing.next("p")).isEqualTo("b");
    }

    @Test
    void goesOnBehindAMemberThatLeftWhileOthersCameAndWent() {
        choosing.join("a", "b", "c", "d");
        startAt("b");
        choosing.leave("b");
        choosing.disconnect("d");
        choosing.join("e");
        assertThat(choosing.next("p", 4)).isEqualTo("ceac");
        choosing.reconnect("d");
        assertThat(choosing.next("p", 3)).isEqualTo("dea");
    }

    @Test
    void forgetsAPublisherWithItsConnection() {
        choosing.join("a", "b");
        Publisher publisher = choosing.publisher("p");
        Bookmark bookmark = publisher.bookmark(choosing.strategy);
        assertThat(publisher.bookmark(choosing.strategy)).isSameAs(bookmark);
        assertThat(new Publisher("p").bookmark(choosing.strategy)).isNotSameAs(bookmark);
    }

    private void startAt(String name) {
        while (!choosing.next("p").equals(name)) {
            assertThat(choosing.roster().turns()).isPositive();
        }
    }
}
