package io.rotamq.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.KeyLedger;
import io.rotamq.testkit.KeyWorker;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A19: order per key, whatever becomes of the members. */
class KeySharedScenariosTest {
    private static final int KEYS = 50;

    /** Messages of each key in the normal run; the soak takes more. */
    private static final int EACH = 20 * Integer.getInteger("scenarios.seconds", 5);

    private final String root = Fresh.topic();
    private final String filter = "$share/g/" + root + "/+/data";
    private final KeyLedger ledger = new KeyLedger();
    private final List<String> keys = IntStream.range(0, KEYS).mapToObj(i -> "key" + i).toList();

    private static TestBroker broker(int shards, String... more) {
        List<String> settings =
                new ArrayList<>(
                        List.of(
                                "sharing.default-strategy=key_shared",
                                "sharing.key=topic-level:2",
                                "node.shards=" + shards));
        settings.addAll(List.of(more));
        return TestBroker.start(settings.toArray(String[]::new));
    }

    private KeyWorker worker(TestBroker broker, ConnectPacket connect) {
        return KeyWorker.start(broker, connect, filter, ledger, 8);
    }

    private KeyWorker worker(TestBroker broker) {
        return worker(broker, ConnectPacket.v5(Fresh.id()));
    }

    private static KeyWorker lasting(
            KeySharedScenariosTest test, TestBroker broker, int receiveMaximum) {
        return test.worker(
                broker,
                ConnectPacket.v5(Fresh.id())
                        .lasting(600)
                        .with(Property.RECEIVE_MAXIMUM, receiveMaximum));
    }

    /** One more message of each key, all at once, from one of these publishers each. */
    private void publish(List<RawClient> publishers, int number) {
        List<Bytes> bursts = publishers.stream().map(p -> new Bytes()).toList();
        int[] sent = new int[publishers.size()];
        for (int key = 0; key < KEYS; key++) {
            int publisher = key % publishers.size();
            String topic = root + "/" + keys.get(key) + "/data";
            String payload = KeyLedger.payload(keys.get(key), number);
            bursts.get(publisher)
                    .raw(PublishPacket.of(topic, payload).qos(1, ++sent[publisher]).encode(5));
        }
        for (int i = 0; i < publishers.size(); i++) {
            publishers.get(i).send(bursts.get(i).toArray());
        }
        for (int i = 0; i < publishers.size(); i++) {
            for (int id = 1; id <= sent[i]; id++) {
                publishers.get(i).expect(Type.PUBACK, id);
            }
        }
    }

    private void awaitAndVerify() {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> keys.stream().allMatch(key -> ledger.done(key) == EACH));
        ledger.mustHaveFinished(keys, EACH);
    }

    private static List<RawClient> publishers(TestBroker broker, int count) {
        return IntStream.range(0, count).mapToObj(i -> broker.v5()).toList();
    }

    @ParameterizedTest(name = "A19: members that stay, {0} shards, {1} publishers")
    @CsvSource({"1, 1", "2, 1", "2, 5"})
    void keysAreFinishedInOrderOneByOne(int shards, int publishers) {
        try (TestBroker broker = broker(shards)) {
            List<KeyWorker> workers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                workers.add(worker(broker));
            }
            List<RawClient> sources = publishers(broker, publishers);
            for (int number = 1; number <= EACH; number++) {
                publish(sources, number);
            }
            awaitAndVerify();
            assertThat(ledger.repeated()).isZero();
            assertThat(keys.stream().map(ledger::doneBy).distinct()).hasSize(4);
            workers.forEach(KeyWorker::leave);
            ledger.mustHaveFinished(keys, EACH);
        }
    }

    @ParameterizedTest(
            name = "A19: members join, leave, break, are killed, {0} shards, {1} publishers")
    @Tag("C133")
    @CsvSource({"1, 1", "2, 1", "2, 5"})
    void keysStayInOrderWhileMembersComeAndGo(int shards, int publishers) {
        try (TestBroker broker = broker(shards)) {
            List<KeyWorker> workers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                workers.add(i % 2 == 0 ? worker(broker) : lasting(this, broker, 5));
            }
            List<RawClient> sources = publishers(broker, publishers);
            Random random = new Random(shards * 31L + publishers);
            for (int number = 1; number <= EACH; number++) {
                publish(sources, number);
                KeyWorker victim = workers.get(random.nextInt(workers.size()));
                switch (random.nextInt(4)) {
                    case 0 -> workers.add(worker(broker));
                    case 1 -> victim.breakConnection();
                    case 2 -> replace(workers, victim, worker(broker), true);
                    default -> replace(workers, victim, lasting(this, broker, 3), false);
                }
            }
            awaitAndVerify();
            workers.forEach(KeyWorker::leave);
            ledger.mustHaveFinished(keys, EACH);
        }
    }

    @ParameterizedTest(name = "A19: keep: members join, leave, break and return, {0} shards")
    @ValueSource(ints = {1, 2})
    void keysStayInOrderWhileMembersThatKeepTheirTurnComeAndGo(int shards) {
        try (TestBroker broker = broker(shards, "sharing.offline-members=keep")) {
            List<KeyWorker> workers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                workers.add(lasting(this, broker, 5));
            }
            List<RawClient> sources = publishers(broker, 3);
            Random random = new Random(shards);
            for (int number = 1; number <= EACH; number++) {
                publish(sources, number);
                KeyWorker victim = workers.get(random.nextInt(workers.size()));
                switch (random.nextInt(3)) {
                    case 0 -> workers.add(lasting(this, broker, 5));
                    case 1 -> victim.breakConnection();
                    default -> replace(workers, victim, lasting(this, broker, 3), false);
                }
            }
            awaitAndVerify();
            workers.forEach(KeyWorker::leave);
            ledger.mustHaveFinished(keys, EACH);
        }
    }

    private static void replace(
            List<KeyWorker> workers, KeyWorker victim, KeyWorker by, boolean kill) {
        workers.remove(victim);
        workers.add(by);
        if (kill) {
            victim.kill();
        } else {
            victim.leave();
        }
    }
}
