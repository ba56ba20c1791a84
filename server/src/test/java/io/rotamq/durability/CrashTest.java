package io.rotamq.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.BrokerProcess;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.RawClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a broker process under load at random moments, again and again on the same data; {@code
 * scripts/soak-crash} does it some hundred times.
 */
class CrashTest {
    private static final int ROUNDS = Integer.getInteger("rotamq.crash.rounds", 4);
    private static final long SEED = Long.getLong("rotamq.crash.seed", 1);

    /** What waits for a session that is away may be all there is. */
    private static final String ROOM = "session.max-queued-messages=1000000";

    private static final Duration QUIET = Duration.ofSeconds(2);

    @TempDir Path data;

    private final Ledger ledger = new Ledger();
    private final Notes notes = new Notes();
    private final Random random = new Random(SEED);
    private final List<Author> authors = new ArrayList<>();
    private final List<Reader> present = new ArrayList<>();
    private final Reader away = new Reader("away", "away", ledger);
    private final List<Reader> workers = new ArrayList<>();

    @Test
    void whatWasAcknowledgedSurvivesKillsAndQos2ComesOnce() throws Exception {
        for (int i = 0; i < 3; i++) {
            authors.add(new Author("one" + i, 1, ledger));
            authors.add(new Author("two" + i, 2, ledger));
        }
        IntStream.range(0, 2)
                .mapToObj(i -> new Reader("reader" + i, "reader" + i, ledger))
                .forEach(present::add);
        IntStream.range(0, 3)
                .mapToObj(i -> new Reader("worker" + i, "group", ledger))
                .forEach(workers::add);
        prepare();
        for (int round = 0; round < ROUNDS; round++) {
            round(round);
        }
        check();
    }

    private void prepare() throws Exception {
        try (BrokerProcess broker = BrokerProcess.start(data, ROOM)) {
            present.forEach(reader -> reader.subscribe(broker.port(), "t/#"));
            away.subscribe(broker.port(), "t/#");
            workers.forEach(worker -> worker.subscribe(broker.port(), "$share/group/t/#"));
            broker.kill();
        }
    }

    private void round(int round) throws Exception {
        try (BrokerProcess broker = BrokerProcess.start(data, ROOM);
                ExecutorService threads = Executors.newCachedThreadPool()) {
            int port = broker.port();
            endedSessionsStayEnded(port, round);
            notes.check(port);
            List<Future<?>> running = new ArrayList<>();
            authors.forEach(each -> running.add(threads.submit(() -> each.publish(port))));
            present.forEach(each -> running.add(threads.submit(() -> each.read(port))));
            workers.forEach(each -> running.add(threads.submit(() -> each.read(port))));
            running.add(threads.submit(() -> notes.publish(port)));
            if (round % 3 == 1) {
                running.add(threads.submit(() -> away.read(port)));
            }
            awaitAcknowledged(ledger.acknowledged() + random.nextInt(1_500));
            broker.kill();
            for (Future<?> each : running) {
                each.get(30, TimeUnit.SECONDS);
            }
            System.out.println("round " + round + ": " + ledger.acknowledged() + " acknowledged");
        }
    }

    /** The moment of the kill is one of the load, not of the clock. */
    private void awaitAcknowledged(int count) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(2))
                .atMost(Duration.ofSeconds(60))
                .until(() -> ledger.acknowledged() >= count);
    }

    /** A session that a clean start ended before the last kill is not there again. */
    private static void endedSessionsStayEnded(int port, int round) {
        ConnectPacket lasting = ConnectPacket.v5("ended").lasting(100_000);
        try (RawClient client = RawClient.connect(port)) {
            assertThat(client.connect(lasting).sessionPresent()).as("round " + round).isFalse();
        }
        try (RawClient client = RawClient.connect(port)) {
            client.connect(ConnectPacket.v5("ended"));
        }
    }

    private void check() throws Exception {
        try (BrokerProcess broker = BrokerProcess.start(data, ROOM)) {
            notes.check(broker.port());
            present.forEach(reader -> reader.drain(broker.port(), QUIET));
            away.drain(broker.port(), QUIET);
            // One after the other gets what the group holds; twice, for the first may give back.
            workers.forEach(worker -> worker.drain(broker.port(), QUIET));
            workers.forEach(worker -> worker.drain(broker.port(), QUIET));
            assertThat(broker.stop()).isZero();
        }
        for (String receiver : List.of("reader0", "reader1", "away", "group")) {
            assertThat(ledger.missing(receiver)).as("missing at " + receiver).isEmpty();
            assertThat(ledger.doubled(receiver)).as("twice at " + receiver).isEmpty();
        }
        assertThat(ledger.acknowledged()).isPositive();
    }
}
