package io.rotamq.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a process under load, again and again on the same store; {@code scripts/soak-storage}. */
class CrashTest {
    private static final int ROUNDS = Integer.getInteger("rotamq.crash.rounds", 4);
    private static final long SEED = Long.getLong("rotamq.crash.seed", 1);
    private static final int WRITERS = 3;

    @TempDir Path directory;

    @Test
    void whatWasToldIsThereAndBatchesAreWholeAfterAKill() throws IOException {
        Random random = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            // Now and then right at the start, mostly in full flight.
            int commits = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(6_000);
            Map<Integer, Long> told;
            try (CrashedProcess process = CrashedProcess.start(directory, WRITERS)) {
                assertThat(process.awaitCommits(commits)).as("the process lives").isTrue();
                told = process.kill();
            }
            check(told, round);
        }
    }

    private void check(Map<Integer, Long> told, int round) {
        try (RocksDbStore store = RocksDbStore.open(StorageSettings.of(directory, Sync.COMMIT))) {
            Map<Integer, Long> found = Load.check(store);
            System.out.println("round " + round + ": told " + told + ", found " + found);
            told.forEach(
                    (writer, last) ->
                            assertThat(found.get(writer))
                                    .as("writer %s in round %s", writer, round)
                                    .isNotNull()
                                    .isGreaterThanOrEqualTo(last));
        }
    }
}
