package io.rotamq.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.GroupSettings.BacklogLimits;
import io.rotamq.core.port.GroupSettings.Choice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationReaderTest {
    @TempDir Path directory;

    @Test
    void needsNoFile() throws Exception {
        Configuration configuration = Configurations.of();

        assertThat(configuration.listeners().mqtt())
                .isEqualTo(new Listener(true, "127.0.0.1", 1883));
        assertThat(configuration.admin()).isEqualTo(new Listener(true, "127.0.0.1", 8080));
        assertThat(configuration.limits().maxPacketSize()).isEqualTo(1_048_576);
        assertThat(configuration.sessions().maxExpiry()).isEqualTo(SessionSettings.NEVER);
        assertThat(configuration.sharing().rules().defaults().choice()).isEqualTo(Choice.DEFAULT);
    }

    @Test
    void takesNestedMappingsAndDottedKeysAlike() throws Exception {
        Configuration nested =
                Configurations.ofFile(
                        directory,
                        """
                        sharing:
                          backlog:
                            max-messages: 5
                            slow-limit: 2m
                        """);
        Configuration dotted =
                Configurations.ofFile(
                        directory,
                        """
                        sharing.backlog.max-messages: 5
                        sharing.backlog:
                          slow-limit: 2m
                        """);

        BacklogLimits backlog = nested.sharing().rules().defaults().backlog();
        assertThat(backlog.maximumMessages()).isEqualTo(5);
        assertThat(backlog.slowLimit()).isEqualTo(120_000);
        assertThat(dotted).isEqualTo(nested);
    }

    @Test
    void takesAFileOfCommentsAsDefaults() throws Exception {
        Configuration nothing = Configurations.ofFile(directory, "# mqtt:\n#   port: 1\n");
        Configuration emptySection = Configurations.ofFile(directory, "mqtt:\n#   port: 1\n");

        assertThat(nothing).isEqualTo(Configurations.of());
        assertThat(emptySection).isEqualTo(Configurations.of());
    }

    @Test
    void letsTheEnvironmentOverrideTheFileAndTheCommandLineBoth() throws Exception {
        Path file =
                Configurations.write(
                        directory, "mqtt:\n  port: 1\n  max-qos: 1\nadmin:\n  port: 2\n");
        Map<String, String> environment =
                Map.of("ROTAMQ_MQTT_MAX_QOS", "0", "ROTAMQ_ADMIN_PORT", "3");

        LoadedConfiguration loaded =
                ConfigurationReader.read(
                        file, environment, List.of(Assignment.set("admin.port=4")));

        assertThat(loaded.configuration().listeners().mqtt().port()).isEqualTo(1);
        assertThat(loaded.configuration().mqtt().maxQos()).isZero();
        assertThat(loaded.configuration().admin().port()).isEqualTo(4);
        assertThat(loaded.settingsSet()).isEqualTo(3);
    }

    @Test
    void remembersWhereEachValueCameFrom() throws Exception {
        Path file = Configurations.write(directory, "mqtt:\n  port: 1\n");

        LoadedConfiguration loaded =
                ConfigurationReader.read(
                        file,
                        Map.of("ROTAMQ_MQTT_MAX_QOS", "0"),
                        List.of(Assignment.set("admin.port=4"), Assignment.data("elsewhere")));

        assertThat(loaded.lines())
                .contains(
                        new LoadedConfiguration.Line("mqtt.port", "1", file + ":2", true),
                        new LoadedConfiguration.Line(
                                "mqtt.max-qos",
                                "0",
                                "environment variable ROTAMQ_MQTT_MAX_QOS",
                                true),
                        new LoadedConfiguration.Line("admin.port", "4", "--set", true),
                        new LoadedConfiguration.Line("node.data", "elsewhere", "--data", true),
                        new LoadedConfiguration.Line("tls.port", "8883", "default", false));
    }

    @Test
    void letsTheLastOfTwoAssignmentsOnTheCommandLineWin() throws Exception {
        assertThat(Configurations.of("mqtt.port=1", "mqtt.port=2").listeners().mqtt().port())
                .isEqualTo(2);
    }

    @Test
    void takesEverythingAfterTheFirstEqualsSignAsValue() throws Exception {
        assertThat(Configurations.of("mqtt.response-information=a=b").mqtt().responseInformation())
                .isEqualTo("a=b");
    }

    @Test
    void countsRelativePathsInAFileFromItsDirectory() throws Exception {
        Files.writeString(directory.resolve("users"), "");
        Configuration configuration =
                Configurations.ofFile(
                        directory, "node.data: store/../data\nsecurity.users-file: users\n");

        assertThat(configuration.node().data()).isEqualTo(directory.resolve("data"));
        assertThat(configuration.security().usersFile()).isEqualTo(directory.resolve("users"));
    }

    @Test
    void countsOtherRelativePathsFromTheWorkingDirectory() throws Exception {
        assertThat(Configurations.of("node.data=store").node().data()).isEqualTo(Path.of("store"));
    }

    @Test
    void letsAllListenersFollowTheHostOfTheFirst() throws Exception {
        Listeners all = Configurations.of("mqtt.host=::1", "websocket.host=127.0.0.2").listeners();

        assertThat(all.tls().host()).isEqualTo("::1");
        assertThat(all.wss().host()).isEqualTo("::1");
        assertThat(all.websocket().host()).isEqualTo("127.0.0.2");
    }

    @Test
    void takesAListInYamlOrSeparatedByCommas() throws IOException, ConfigurationException {
        assertThat(Configurations.ofFile(directory, "tls.versions: [TLSv1.3, TLSv1.2, TLSv1.3]\n"))
                .isEqualTo(Configurations.of("tls.versions=TLSv1.2, TLSv1.3"))
                .extracting(configuration -> configuration.tls().versions())
                .isEqualTo(List.of(TlsSettings.TlsVersion.V1_2, TlsSettings.TlsVersion.V1_3));
    }

    @Test
    void neverShowsThePasswordOfTheKey() throws Exception {
        LoadedConfiguration loaded = Configurations.loaded("tls.private-key-password=open sesame");

        assertThat(loaded.configuration().tls().privateKeyPassword()).isEqualTo("open sesame");
        assertThat(loaded.lines().toString()).doesNotContain("sesame").contains("******");
        assertThat(loaded.configuration().toString()).doesNotContain("sesame");
    }

    @Test
    void keepsTheLimitOfConnectWithinThatOfAllPackets() throws Exception {
        assertThat(Configurations.of("limits.max-packet-size=2KiB").limits().maxConnectSize())
                .isEqualTo(2048);
    }

    @Test
    void ignoresVariablesOfTheLauncherAndOfKubernetes() throws Exception {
        Map<String, String> environment =
                Map.of(
                        "ROTAMQ_JAVA_HOME", "/opt/jdk",
                        "ROTAMQ_JAVA_OPTS", "-Xmx1g",
                        "ROTAMQ_SERVICE_HOST", "10.0.0.1",
                        "ROTAMQ_SERVICE_PORT", "1883",
                        "ROTAMQ_SERVICE_PORT_MQTT", "1883",
                        "ROTAMQ_PORT", "tcp://10.0.0.1:1883",
                        "ROTAMQ_PORT_1883_TCP", "tcp://10.0.0.1:1883",
                        "ROTAMQ_PORT_1883_TCP_ADDR", "10.0.0.1",
                        "MQTT_PORT", "5");

        assertThat(ConfigurationReader.read(null, environment, List.of()).configuration())
                .isEqualTo(Configurations.of());
    }
}
