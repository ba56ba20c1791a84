package io.rotamq.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Runs the whole core under seeds. A failure names its seed; {@code -Dsim.seed=N} runs that one
 * alone, {@code -Dsim.seeds=N} so many, {@code -Dsim.steps=N} makes each run longer.
 */
class SimulationTest {
    private static final int SEEDS = Integer.getInteger("sim.seeds", 2_500);
    private static final int STEPS = Integer.getInteger("sim.steps", 600);

    @Test
    void keepsItsPromisesWhateverHappensInWhateverOrder() {
        Long only = Long.getLong("sim.seed");
        if (only != null) {
            SimulationRun.run(only, STEPS);
            return;
        }
        long deliveries = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            deliveries += SimulationRun.run(seed, STEPS).ledger.deliveries;
        }
        assertThat(deliveries).as("deliveries").isGreaterThan(20L * SEEDS);
    }
}
