package io.rotamq.core.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.GroupSettings.StrategyName;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LeastInflightTest {
    private final Choosing choosing = new Choosing(StrategyName.LEAST_INFLIGHT);

    @Test
    void goesInTurnWhileAllAreAlike() {
        choosing.join("a", "b", "c");
        assertThat(choosing.next("p", 9)).isEqualTo("abcabcabc");
    }

    @Test
    void choosesTheMostFreeWindowUntilAllAreAlike() {
        choosing.join("a", "b", "c");
        open("a", 4);
        open("b", 7);
        open("c", 5);
        assertThat(choosing.next("p", 2)).isEqualTo("bb");
        assertThat(choosing.next("p", 5).chars().sorted().mapToObj(c -> (char) c))
                .as("levels out")
                .containsExactly('a', 'b', 'b', 'c', 'c');
        assertThat(choosing.next("p", 9)).as("all the rest, evenly").doesNotContain("-");
        assertThat(choosing.next("p")).isEqualTo("-");
    }

    @Test
    void givesNothingMoreToAMemberThatLagsBehindUntilItCatchesUp() {
        choosing.join("a", "b", "c");
        for (String name : choosing.names()) {
            open(name, 10);
        }
        for (int i = 0; i < 300; i++) {
            String chosen = choosing.next("p");
            if (!chosen.equals("b")) {
                choosing.recipient(chosen).window.release();
            }
        }
        assertThat(choosing.recipient("b").window.free())
                .as("it got one message, and then others had more room")
                .isEqualTo(9);
    }

    @Test
    void findsWhoBecameFreeInALargeGroupWithinOneRound() {
        choosing.crowd(100);
        for (String name : choosing.names()) {
            open(name, 5);
        }
        open("m70", 50);
        Map<String, Integer> counts = new TreeMap<>();
        for (int i = 0; i < 140; i++) {
            counts.merge(choosing.next("p"), 1, Integer::sum);
        }
        assertThat(counts.get("m70")).as("45 more than others have").isGreaterThanOrEqualTo(40);
    }

    @Test
    void sparesSlowMembersOfALargeGroup() {
        choosing.crowd(100);
        for (String name : choosing.names()) {
            open(name, 20);
        }
        Map<String, Integer> held = new TreeMap<>();
        for (int i = 0; i < 20_000; i++) {
            String chosen = choosing.next("p");
            if (chosen.startsWith("m1")) {
                held.merge(chosen, 1, Integer::sum);
            } else {
                choosing.recipient(chosen).window.release();
            }
        }
        assertThat(held.values()).allSatisfy(n -> assertThat(n).isLessThanOrEqualTo(2));
    }

    @Test
    void passesOverWhoCannotAndGivesUpAfterOnePass() {
        choosing.crowd(20);
        choosing.names().forEach(choosing::fill);
        assertThat(choosing.next("p")).isEqualTo("-");
        assertThat(choosing.claim.verdict().passedOver())
                .hasSize(20)
                .extracting(Verdict.Passed::member)
                .doesNotHaveDuplicates();
        open("m17", 1);
        assertThat(choosing.next("p")).isEqualTo("m17");
        assertThat(choosing.next("p")).isEqualTo("-");
    }

    @Test
    void goesOnWhenMembersComeAndGo() {
        choosing.join("a", "b", "c");
        choosing.next("p", 3);
        choosing.leave("c");
        assertThat(choosing.next("p", 4)).isIn("abab", "baba");
        choosing.leave("b");
        assertThat(choosing.next("p", 2)).isEqualTo("aa");
        choosing.join("d");
        open("a", 50);
        open("d", 50);
        assertThat(choosing.next("p", 4)).isIn("adad", "dada");
    }

    private void open(String name, int credit) {
        choosing.recipient(name).window.open(credit);
    }
}
