package io.rotamq.core.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.GroupSettings.StrategyName;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UniformTest {
    private static final int MESSAGES = 40_000;

    @ParameterizedTest
    @EnumSource(names = {"RANDOM", "LOCAL"})
    void spreadsOverAllMembersAlike(StrategyName name) {
        Choosing choosing = new Choosing(name).crowd(8);
        assertThat(counts(choosing)).hasSize(8).allSatisfy((member, n) -> isFair(n, 8));
    }

    @Test
    void leavesTheShareOfWhoIsPassedOverToAllOthersAlike() {
        Choosing choosing = new Choosing(StrategyName.RANDOM).crowd(8);
        choosing.fill("m2");
        choosing.fill("m3");
        choosing.disconnect("m6");
        assertThat(counts(choosing)).hasSize(5).allSatisfy((member, n) -> isFair(n, 5));
    }

    @Test
    void asksEverybodyOnceBeforeItGivesUp() {
        Choosing choosing = new Choosing(StrategyName.RANDOM).crowd(9);
        choosing.names().forEach(choosing::fill);
        assertThat(choosing.next("p")).isEqualTo("-");
        assertThat(choosing.claim.verdict().passedOver())
                .hasSize(9)
                .extracting(Verdict.Passed::member)
                .doesNotHaveDuplicates();
        choosing.relieve("m4");
        assertThat(choosing.next("p")).isEqualTo("m4");
    }

    @Test
    void repeatsItsDrawsWithTheSameSeed() {
        Choosing one = new Choosing(StrategyName.RANDOM).join("a", "b", "c", "d");
        Choosing same = new Choosing(StrategyName.RANDOM).join("a", "b", "c", "d");
        assertThat(one.next("p", 50)).isEqualTo(same.next("q", 50));
    }

    private static void isFair(int count, int members) {
        assertThat(count).isBetween(MESSAGES * 8 / 10 / members, MESSAGES * 12 / 10 / members);
    }

    private static Map<String, Integer> counts(Choosing choosing) {
        Map<String, Integer> counts = new TreeMap<>();
        for (int i = 0; i < MESSAGES; i++) {
            counts.merge(choosing.next("p"), 1, Integer::sum);
        }
        return counts;
    }
}
