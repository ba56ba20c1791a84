package io.rotamq.core;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One seed from the first step to the end of everything. */
final class SimulationRun {
    private static final int LONGEST_PHASE = 150;
    private static final int LAST_EVENTS = Integer.getInteger("sim.trace", 60);

    private SimulationRun() {}

    /** Runs a seed; when it fails it is run again, and the failure tells what happened before. */
    static Simulation run(long seed, int steps) {
        try {
            return run(seed, steps, null);
        } catch (AssertionError | RuntimeException failure) {
            throw explained(seed, steps, failure);
        }
    }

    private static AssertionError explained(long seed, int steps, Throwable failure) {
        List<String> log = new ArrayList<>();
        try {
            run(seed, steps, log);
            log.add("(did not fail again)");
        } catch (AssertionError | RuntimeException again) {
            log.add(String.valueOf(again.getMessage()));
        }
        List<String> last = log.subList(Math.max(0, log.size() - LAST_EVENTS), log.size());
        return new AssertionError(
                "%s%nReplay: -Dsim.seed=%d -Dsim.steps=%d%n%s"
                        .formatted(failure, seed, steps, String.join("\n", last)),
                failure);
    }

    private static Simulation run(long seed, int steps, @Nullable List<String> log) {
        Simulation simulation = new Simulation(seed, log);
        Quiescence quiescence = new Quiescence(simulation);
        simulation.observer.connect(true, 0, 0);
        quiescence.settle();
        simulation.observer.subscribe(simulation.observer.link, "w/#");
        quiescence.settle();
        while (simulation.step < steps) {
            int pause = simulation.step + 20 + simulation.random.nextInt(LONGEST_PHASE);
            while (simulation.step < Math.min(steps, pause)) {
                simulation.step();
            }
            quiescence.checkBounds();
            List<ModelClient> clients = simulation.clients;
            if (simulation.random.nextInt(3) == 0) {
                quiescence.settleAround(clients.get(simulation.random.nextInt(clients.size())));
            } else {
                quiescence.settle();
            }
            quiescence.checkSettled();
        }
        quiescence.checkRetained();
        quiescence.checkEnd();
        return simulation;
    }
}
