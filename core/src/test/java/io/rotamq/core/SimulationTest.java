package io.rotamq.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Runs the whole core under seeds. A failure names its seed; {@code -Dsim.seed=N} runs that one
 * alone, {@code -Dsim.first=N -Dsim.seeds=N} others, {@code -Dsim.steps=N} makes each run longer,
 * {@code -Dsim.trace=N} tells more of what happened before a failure.
 */
class SimulationTest {
    private static final long FIRST = Long.getLong("sim.first", 1);
    private static final int SEEDS = Integer.getInteger("sim.seeds", 3_000);
    private static final int STEPS = Integer.getInteger("sim.steps", 600);

    @Test
    void keepsItsPromisesWhateverHappensInWhateverOrder() {
        Long only = Long.getLong("sim.seed");
        long first = only == null ? FIRST : only;
        int seeds = only == null ? SEEDS : 1;
        long deliveries = 0;
        for (long seed = first; seed < first + seeds; seed++) {
            deliveries += SimulationRun.run(seed, STEPS).ledger.deliveries;
        }
        assertThat(deliveries).as("deliveries, lest nothing was tried").isGreaterThan(seeds);
    }
}
