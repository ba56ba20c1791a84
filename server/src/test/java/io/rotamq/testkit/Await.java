package io.rotamq.testkit;

import static org.awaitility.Awaitility.await;

import java.time.Duration;

/** For the statements of a standard that are about time passing. */
public final class Await {
    private Await() {}

    /**
     * Lets time pass because the test is about an interval; for anything else await a condition.
     */
    public static void elapsed(Duration interval) {
        long start = System.nanoTime();
        await().atMost(interval.plusSeconds(5))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> System.nanoTime() - start >= interval.toNanos());
    }
}
