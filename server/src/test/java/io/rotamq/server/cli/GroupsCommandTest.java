package io.rotamq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.Admin;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.TestBroker;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code rotamq groups} against a running broker. */
@Timeout(60)
class GroupsCommandTest {
    @TempDir Path directory;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private TestBroker broker;
    private Admin admin;

    @BeforeEach
    void start() {
        broker = TestBroker.administered();
        admin = broker.admin();
    }

    @AfterEach
    void stop() {
        admin.close();
        broker.close();
    }

    @Test
    void listsTheGroups() {
        try (RawClient member = broker.v5()) {
            member.subscribe("$share/work/t/#", 1);
            member.subscribe("$share/other/x", 1);

            assertThat(groups("list")).isZero();

            List<String> lines = out.toString().lines().toList();
            assertThat(lines.get(0)).startsWith("SHARE  FILTER  STRATEGY ").endsWith("RULE");
            assertThat(lines.get(1)).startsWith("other  x       round_robin_per_group  1 ");
            assertThat(lines.get(2)).startsWith("work   t/#     round_robin_per_group  1 ");
            assertThat(lines.get(3)).isEqualTo("2 groups");
        }
    }

    @Test
    void showsAGroupAndItsMembers() {
        try (RawClient member = broker.client(ConnectPacket.v5("worker-1"));
                RawClient publisher = broker.v5()) {
            member.subscribe("$share/g/t/+", 1);
            publisher.publish("t/1", "x", 1);
            member.acknowledge(member.delivery());
            member.ping();

            assertThat(groups("show", "g", "t/+")).isZero();

            assertThat(out.toString())
                    .contains("GROUP        $share/g/t/+")
                    .contains("rule         default")
                    .contains("next         worker-1")
                    .containsPattern("worker-1  127\\.0\\.0\\.1:\\d+  1    0/100   1          1  ");
        }
    }

    @Test
    void printsWhatProgramsCanRead() {
        assertThat(groups("list", "--json")).isZero();
        assertThat(out.toString().replaceAll("\\s", "")).isEqualTo("{\"groups\":[]}");
    }

    @Test
    void keepsTerminalsFromObeyingWhatClientsChose() {
        try (RawClient member = broker.v5()) {
            member.subscribe("$share/g/a\u001b[2J", 1);

            assertThat(groups("list")).isZero();

            assertThat(out.toString()).contains("a\\u001b[2J").doesNotContain("\u001b");
        }
    }

    @Test
    void setsListsAndResetsARule() {
        try (RawClient member = broker.v5()) {
            member.subscribe("$share/work/t", 1);

            assertThat(groups("set", "--share", "wo*", "--strategy", "sticky")).isZero();
            assertThat(groups("set", "--share", "wo*", "--max-messages", "5")).isZero();
            assertThat(groups("rules")).isZero();
            assertThat(groups("reset", "--share", "wo*")).isZero();

            assertThat(out.toString())
                    .contains("set: share wo*, filter *; 1 group matches now")
                    .containsPattern(
                            "wo\\* +\\* +set while running +strategy=sticky"
                                    + " backlog.max-messages=5")
                    .containsPattern("\\(others\\) +default +strategy=round_robin_per_group")
                    .contains("reset: share wo*, filter *; 1 group matches now");
        }
    }

    @Test
    void setsTheDefaultWhenNoPatternIsGiven() {
        assertThat(groups("set", "--key", "topic-level:2")).isZero();

        assertThat(out.toString()).contains("set: the default; 0 groups match now");
    }

    @Test
    void takesABadValueForWrongUsage() {
        assertThat(groups("set", "--strategy", "sticki")).isEqualTo(2);

        assertThat(err.toString())
                .startsWith(
                        "rotamq: strategy: \"sticki\" is not one of the allowed values; allowed:"
                                + " round_robin_per_group, ");
        assertThat(groups("set", "--share", "a")).isEqualTo(2);
        assertThat(err.toString())
                .contains("rotamq: nothing to set (see rotamq groups set --help)");
    }

    @Test
    void failsWhenThereIsNoSuchGroupOrRule() {
        assertThat(groups("show", "g", "t")).isEqualTo(1);
        assertThat(groups("reset", "--share", "g")).isEqualTo(1);

        assertThat(err.toString())
                .isEqualToNormalizingNewlines(
                        "rotamq: there is no group with share \"g\" and filter \"t\"\n"
                                + "rotamq: no rule was set while running for share \"g\" and filter"
                                + " \"*\"\n");
    }

    @Test
    void saysWhenNothingAnswers() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        String url = "http://127.0.0.1:" + free;

        assertThat(run("groups", "list", "--admin", url)).isEqualTo(1);

        assertThat(err.toString())
                .isEqualToNormalizingNewlines(
                        "rotamq: nothing answers at " + url + ": is the broker running there?\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:8080", "ftp://127.0.0.1", "http://", "http://a b"})
    void wantsAUrl(String url) {
        assertThat(run("groups", "list", "--admin", url)).isEqualTo(2);

        assertThat(err.toString())
                .startsWith("rotamq: --admin: \"" + url + "\" is not a URL like ");
    }

    @Test
    void findsThePortInTheConfiguration() throws IOException {
        int port = URI.create(admin.url()).getPort();
        Path file =
                Files.writeString(
                        directory.resolve("rotamq.yaml"),
                        "admin:\n  host: 0.0.0.0\n  port: " + port + "\n");

        assertThat(run("groups", "list", "--config", file.toString())).isZero();

        Files.writeString(file, "admin.enabled: false\n");
        assertThat(run("groups", "list", "--config", file.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("there is no fixed admin port");
    }

    @Test
    void showsUsageWithoutASubcommand() {
        assertThat(run("groups")).isEqualTo(2);

        assertThat(err.toString()).contains("list", "show", "rules", "set", "reset");
    }

    private int groups(String command, String... arguments) {
        String[] all =
                Stream.concat(
                                Stream.of("groups", command, "--admin", admin.url()),
                                Stream.of(arguments))
                        .toArray(String[]::new);
        return run(all);
    }

    private int run(String... arguments) {
        Surroundings surroundings =
                new Surroundings(
                        Map.of(),
                        new PrintWriter(out, true),
                        new PrintWriter(err, true),
                        prompt -> null);
        return new Main(new FakeBroker(), new NeverStops()).run(surroundings, arguments);
    }

    /** Nothing here starts a broker. */
    private static final class NeverStops implements StopSignal {
        @Override
        public void arm() {}

        @Override
        public void await() {
            throw new AssertionError("no broker runs here");
        }

        @Override
        public void exit(int status) {
            throw new AssertionError("a command returns its status");
        }
    }
}
