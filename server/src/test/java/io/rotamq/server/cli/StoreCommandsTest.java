package io.rotamq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.Admin;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.TestBroker;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code rotamq backup}, {@code rotamq restore} and {@code rotamq store inspect}. */
@Timeout(60)
class StoreCommandsTest {
    private static final String[] ADMINISTERED = {"admin.enabled=true", "admin.port=0"};

    @TempDir Path directory;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        Surroundings surroundings =
                new Surroundings(
                        Map.of(),
                        new PrintWriter(out, true),
                        new PrintWriter(err, true),
                        prompt -> null);
        return new Main(new FakeBroker(), new NeverStops()).run(surroundings, arguments);
    }

    private static final class NeverStops implements StopSignal {
        @Override
        public void arm() {
            // There is nothing to hear.
        }

        @Override
        public void await() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void exit(int status) {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void aBackupOfARunningBrokerCanBeInspectedAndRestored() {
        Path backup = directory.resolve("backup");
        Path restored = directory.resolve("restored");
        try (TestBroker broker = TestBroker.durable(directory.resolve("data"), ADMINISTERED);
                Admin admin = broker.admin()) {
            RawClient reader = broker.client(ConnectPacket.v5("reader").lasting(3_600));
            reader.subscribe("t", 1);
            reader.leave();
            broker.v5().publish("t", "before", 1);
            assertThat(run("backup", backup.toString(), "--admin", admin.url())).isZero();
            broker.v5().publish("t", "after", 1);
            assertThat(run("backup", backup.toString(), "--admin", admin.url())).isEqualTo(1);
            assertThat(err.toString()).contains("nothing is overwritten");
        }

        assertThat(run("store", "inspect", "--store", backup.toString())).isZero();
        assertThat(out.toString())
                .containsPattern("session +1 ")
                .containsPattern("message +1 ")
                .contains("The oldest message: topic t, QoS 1, 6 bytes");
        assertThat(run("restore", backup.toString(), "--data", restored.toString())).isZero();
        assertThat(run("restore", backup.toString(), "--data", restored.toString())).isEqualTo(1);

        try (TestBroker broker = TestBroker.durable(restored)) {
            RawClient reader = broker.client(ConnectPacket.v5("reader").lasting(3_600));
            assertThat(reader.receive().payload()).asString().isEqualTo("before");
        }
    }

    @Test
    void aStoreThatABrokerHasOpenIsNotInspected() {
        Path data = directory.resolve("data");
        try (TestBroker broker = TestBroker.durable(data)) {
            assertThat(broker.sessions()).isZero();
            assertThat(run("store", "inspect", "--data", data.toString())).isEqualTo(1);
            assertThat(err.toString()).contains("in use by process");
        }
    }

    @Test
    void whereThereIsNoStoreNoneIsMade() throws IOException {
        assertThat(run("store", "inspect", "--data", directory.toString())).isEqualTo(1);

        assertThat(err.toString()).contains("holds no RotaMQ store");
        try (var files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void aBrokerThatStoresNothingMakesNoBackup() {
        try (TestBroker broker = TestBroker.administered();
                Admin admin = broker.admin()) {
            String target = directory.resolve("backup").toString();

            assertThat(run("backup", target, "--admin", admin.url())).isEqualTo(1);
            assertThat(err.toString()).contains("storage.enabled is false");
        }
    }
}
