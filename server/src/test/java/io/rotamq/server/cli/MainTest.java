package io.rotamq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    @TempDir Path directory;
    private final FakeBroker broker = new FakeBroker();
    private @Nullable String password;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** Asks to stop at once. */
    private static final class StopAtOnce implements StopSignal {
        @Override
        public void arm() {}

        @Override
        public void await() {}

        @Override
        public void exit(int status) {
            throw new AssertionError("a command returns its status");
        }
    }

    @Test
    void startsSaysWhereItListensAndStopsInOrder() {
        assertThat(run("start")).isZero();

        assertThat(out.toString())
                .isEqualToNormalizingNewlines(
                        "RotaMQ "
                                + Version.text()
                                + " ready: mqtt 127.0.0.1:40001, wss [::1]:40002\n");
        assertThat(broker.calls()).containsExactly("start", "stop");
    }

    @Test
    void startsWithTheFileAndTheOptions() throws Exception {
        Path file = Files.writeString(directory.resolve("my.yaml"), "mqtt.max-qos: 1\n");

        assertThat(
                        run(
                                "start",
                                "--config",
                                file.toString(),
                                "--data",
                                "d",
                                "--set",
                                "admin.port=9"))
                .isZero();

        assertThat(broker.configuration().mqtt().maxQos()).isEqualTo(1);
        assertThat(broker.configuration().node().data()).isEqualTo(Path.of("d"));
        assertThat(broker.configuration().admin().port()).isEqualTo(9);
    }

    @Test
    void doesNotStartWithAWrongConfiguration() {
        assertThat(run("start", "--set", "mqtt.prot=1")).isEqualTo(2);

        assertThat(err.toString())
                .isEqualToNormalizingNewlines(
                        "rotamq: --set: mqtt.prot: unknown setting; did you mean mqtt.port?\n");
        assertThat(out.toString()).isEmpty();
        assertThat(broker.calls()).isEmpty();
    }

    @Test
    void saysWhyTheBrokerCannotStart() {
        assertThat(run("start", "--set", "mqtt.port=1")).isEqualTo(1);

        assertThat(err.toString())
                .isEqualToNormalizingNewlines(
                        "rotamq: cannot listen on mqtt 127.0.0.1:1: Permission denied\n");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void checksAFile() throws Exception {
        Path file =
                Files.writeString(directory.resolve("a.yaml"), "mqtt:\n  port: 1\n  max-qos: 1\n");

        assertThat(run("config", "check", file.toString())).isZero();
        assertThat(out.toString()).isEqualToNormalizingNewlines(file + ": ok, 2 settings\n");
    }

    @Test
    void saysWhatIsWrongWithAFile() throws Exception {
        Path file = Files.writeString(directory.resolve("a.yaml"), "mqtt:\n  port: x\n");

        assertThat(run("config", "check", file.toString())).isEqualTo(2);
        assertThat(err.toString())
                .isEqualToNormalizingNewlines(
                        "rotamq: "
                                + file
                                + ":2: mqtt.port: \"x\" is not a whole number; allowed: a whole"
                                + " number from 0 to 65535\n");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void checksTheUsersThatAFileNamesToo() throws Exception {
        Path users = Files.writeString(directory.resolve("users"), "alice:secret\n");
        Path file = Files.writeString(directory.resolve("a.yaml"), "security.users-file: users\n");

        assertThat(run("config", "check", file.toString())).isEqualTo(2);
        assertThat(err.toString()).startsWith("rotamq: " + users + ":1: not of the form name:hash");
    }

    @Test
    void showsEffectiveValuesAndTheirOrigin() throws Exception {
        Path file = Files.writeString(directory.resolve("a.yaml"), "mqtt:\n  max-qos: 1\n");

        assertThat(run("config", "show", "-c", file.toString(), "--set", "mqtt.port=7")).isZero();

        assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ")))
                .contains(
                        "mqtt.port: 7 # --set",
                        "mqtt.max-qos: 1 # " + file + ":2",
                        "admin.port: 5 # environment variable ROTAMQ_ADMIN_PORT",
                        "tls.port: 8883 # default",
                        "tls.certificate: \"\" # default");
    }

    @Test
    void showsWhatCheckAccepts() throws Exception {
        run("config", "show", "--set", "session.max-expiry=7d");
        Path shown = Files.writeString(directory.resolve("shown.yaml"), out.toString());

        assertThat(run("config", "check", shown.toString())).isZero();
    }

    @Test
    void writesUsersAndReplacesTheirPasswords() throws Exception {
        Path file = directory.resolve("users");

        password = "first";
        assertThat(run("passwd", file.toString(), "alice")).isZero();
        String before = Files.readString(file);
        password = "second";
        assertThat(run("passwd", file.toString(), "bob")).isZero();
        assertThat(run("passwd", file.toString(), "alice")).isZero();

        assertThat(before).matches("alice:pbkdf2-sha512:100000:\\S+:\\S+\n");
        assertThat(Files.readString(file))
                .matches("alice:pbkdf2\\S+\nbob:pbkdf2\\S+\n")
                .doesNotContain(before);
        assertThat(out.toString() + err).isEmpty();
    }

    @Test
    void writesNoUserWithoutAPassword() {
        Path file = directory.resolve("users");

        assertThat(run("passwd", file.toString(), "alice")).isEqualTo(2);
        assertThat(err.toString()).startsWith("rotamq: no password given");
        assertThat(file).doesNotExist();
    }

    @Test
    void leavesAFileAloneThatHasNoUsers() throws Exception {
        Path file = Files.writeString(directory.resolve("notes"), "milk\neggs\n");
        password = "first";

        assertThat(run("passwd", file.toString(), "alice")).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("rotamq: " + file + ":1: not of the form name:hash, as rotamq");
        assertThat(file).hasContent("milk\neggs\n");
    }

    @Test
    void showsItsVersion() {
        assertThat(run("version")).isZero();
        assertThat(out.toString()).startsWith("RotaMQ " + Version.text() + ", Java 25");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "start --help",
                "config --help",
                "config check --help",
                "config show --help",
                "version --help",
                "passwd --help",
                "start -h --set nonsense"
            })
    void helpsEverywhere(String arguments) {
        assertThat(run(arguments.split(" "))).isZero();
        assertThat(out.toString()).startsWith("Usage: rotamq").contains("--help");
        assertThat(err.toString()).isEmpty();
        assertThat(broker.calls()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "config"})
    void showsItsUsageWhenThereIsNothingToDo(String arguments) {
        assertThat(run(arguments.isEmpty() ? new String[0] : arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString()).startsWith("Usage: rotamq");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"stat", "start --colour", "start --set", "config check", "config check a b"})
    void refusesWrongUsageInOneLine(String arguments) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString()).startsWith("rotamq: ").contains("--help").hasLineCount(1);
        assertThat(broker.calls()).isEmpty();
    }

    private int run(String... arguments) {
        Map<String, String> environment = Map.of("ROTAMQ_ADMIN_PORT", "5", "HOME", "/");
        Surroundings surroundings =
                new Surroundings(
                        environment,
                        new PrintWriter(out, true),
                        new PrintWriter(err, true),
                        prompt -> password);
        return new Main(broker, new StopAtOnce()).run(surroundings, arguments);
    }
}
