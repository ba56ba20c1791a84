package io.rotamq.core;

import java.util.Map;
import java.util.TreeMap;

/**
 * Runs seeds for a long time and goes on after failures. Arguments: first seed, last seed, steps of
 * each, how many failures to show in full.
 */
final class SimulationMain {
    private static final int REPORT_EVERY = 1_000;
    private static final int SHOWN_SEEDS = 60;

    private final Map<String, String> failures = new TreeMap<>();
    private final int steps;
    private int show;
    private int failed;
    private long deliveries;

    private SimulationMain(int steps, int show) {
        this.steps = steps;
        this.show = show;
    }

    public static void main(String[] arguments) {
        long from = Long.parseLong(arguments[0]);
        long to = Long.parseLong(arguments[1]);
        SimulationMain main =
                new SimulationMain(Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
        long started = System.nanoTime();
        for (long seed = from; seed <= to; seed++) {
            main.run(seed);
            if (seed == to || (seed - from + 1) % REPORT_EVERY == 0) {
                main.report(from, seed, (System.nanoTime() - started) / 1_000_000_000);
            }
        }
        main.failures.forEach((kind, seeds) -> System.out.println(kind + " - seeds" + seeds));
        System.exit(main.failed == 0 ? 0 : 1);
    }

    private void run(long seed) {
        try {
            deliveries += SimulationRun.run(seed, steps).ledger.deliveries;
        } catch (AssertionError failure) {
            failed++;
            String text = String.valueOf(failure.getMessage());
            if (show > 0) {
                show--;
                System.out.println(text);
                show(failure.getCause());
            }
            String first = text.lines().findFirst().orElse("");
            String kind = first.replaceAll("[0-9]+", "#");
            failures.merge(
                    kind.substring(0, Math.min(120, kind.length())),
                    " " + seed,
                    (a, b) -> a.length() > SHOWN_SEEDS ? a : a + b);
        }
    }

    private static void show(Throwable cause) {
        if (cause instanceof RuntimeException) {
            cause.printStackTrace(System.out);
        }
    }

    private void report(long from, long seed, long seconds) {
        System.out.printf(
                "seeds %d to %d: %d deliveries, %d s, %d failed%n",
                from, seed, deliveries, seconds, failed);
    }
}
