package io.rotamq.core.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OwnersTest {
    private final Owners owners = new Owners();

    @Test
    void knowsOnlyWhatItWasTold() {
        assertThat(owners.get(1, 0)).isEqualTo(Owners.UNKNOWN);
        owners.put(1, 5, 3);
        owners.put(2, 5, 4);
        owners.put(1, 6, Owners.NOBODY);
        assertThat(owners.get(1, 5)).isEqualTo(3);
        assertThat(owners.get(2, 5)).isEqualTo(4);
        assertThat(owners.get(1, 6)).isEqualTo(Owners.NOBODY);
        assertThat(owners.get(3, 5)).isEqualTo(Owners.UNKNOWN);
        assertThat(owners.get(1, 0)).isEqualTo(Owners.UNKNOWN);
    }

    @Test
    void forgetsSomeRatherThanGrowingAndNeverMixesThemUp() {
        int known = 0;
        for (int i = 0; i < 100_000; i++) {
            owners.put(7, Rendezvous.mix(i), i);
        }
        for (int i = 0; i < 100_000; i++) {
            int turn = owners.get(7, Rendezvous.mix(i));
            assertThat(turn).isIn(i, Owners.UNKNOWN);
            known += turn == i ? 1 : 0;
        }
        assertThat(known).isBetween(25_000, 32_768);
    }

    @Test
    void keepsAThousandHashes() {
        for (int i = 0; i < 1_000; i++) {
            owners.put(7, Rendezvous.mix(i), i);
        }
        int known = 0;
        for (int i = 0; i < 1_000; i++) {
            known += owners.get(7, Rendezvous.mix(i)) == i ? 1 : 0;
        }
        assertThat(known).isGreaterThan(990);
    }
}
