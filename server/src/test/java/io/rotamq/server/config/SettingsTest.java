package io.rotamq.server.config;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of settings as a whole. */
class SettingsTest {
    @TempDir Path directory;

    /** For each setting a value that is not its default, as it stands in a file. */
    private static final Map<String, String> OTHER_VALUES =
            Map.ofEntries(
                    entry("node.data", "elsewhere"),
                    entry("storage.enabled", "false"),
                    entry("storage.sync", "os"),
                    entry("storage.reserve", "2GiB"),
                    entry("storage.queue", "2MiB"),
                    entry("storage.write-buffers", "16MiB"),
                    entry("storage.block-cache", "2MiB"),
                    entry("node.shards", "3"),
                    entry("mqtt.enabled", "false"),
                    entry("mqtt.host", "::1"),
                    entry("mqtt.port", "1"),
                    entry("tls.enabled", "true"),
                    entry("tls.host", "::1"),
                    entry("tls.port", "2"),
                    entry("websocket.enabled", "false"),
                    entry("websocket.host", "::1"),
                    entry("websocket.port", "3"),
                    entry("websocket.path", "/ws"),
                    entry("wss.enabled", "true"),
                    entry("wss.host", "::1"),
                    entry("wss.port", "4"),
                    entry("tls.certificate", "some.pem"),
                    entry("tls.private-key", "some.pem"),
                    entry("tls.private-key-password", "secret"),
                    entry("tls.client-ca", "some.pem"),
                    entry("tls.client-certificate", "required"),
                    entry("tls.versions", "[TLSv1.3]"),
                    entry("tls.reload-interval", "1m"),
                    entry("security.allow-anonymous", "true"),
                    entry("security.users-file", "some.pem"),
                    entry("security.acl", "[{topic: a/%c/#, permission: deny}]"),
                    entry("admin.enabled", "false"),
                    entry("admin.host", "::1"),
                    entry("admin.port", "5"),
                    entry("mqtt.max-qos", "1"),
                    entry("mqtt.retain-available", "false"),
                    entry("mqtt.wildcard-subscription-available", "false"),
                    entry("mqtt.subscription-identifiers-available", "false"),
                    entry("mqtt.receive-maximum", "20"),
                    entry("mqtt.topic-alias-maximum", "0"),
                    entry("mqtt.topic-alias-maximum-outbound", "0"),
                    entry("mqtt.server-keep-alive", "60"),
                    entry("mqtt.max-keep-alive", "600"),
                    entry("mqtt.response-information", "response/%c"),
                    entry("mqtt.client-id-pattern", "\"[a-z]+\\\\d*\""),
                    entry("limits.max-connections", "7"),
                    entry("limits.connect-timeout", "5s"),
                    entry("limits.max-packet-size", "2MiB"),
                    entry("limits.max-connect-size", "1KiB"),
                    entry("limits.max-subscriptions-per-session", "5"),
                    entry("limits.max-client-id-length", "23"),
                    entry("limits.memory", "64MiB"),
                    entry("limits.outbound-buffer", "64KiB"),
                    entry("limits.mailbox", "1024"),
                    entry("session.max-expiry", "7d"),
                    entry("session.max-inflight", "10"),
                    entry("session.max-queued-messages", "5"),
                    entry("session.max-queued-bytes", "1MiB"),
                    entry("session.queue-overflow", "drop_newest"),
                    entry("session.memory", "64MiB"),
                    entry("subscriptions.overlap", "separate"),
                    entry("sharing.enabled", "false"),
                    entry("sharing.default-strategy", "sticky"),
                    entry("sharing.initial-pick", "hash_topic"),
                    entry("sharing.key", "topic-level:2"),
                    entry("sharing.max-members", "9"),
                    entry("sharing.backlog.max-lane-messages", "3"),
                    entry("sharing.offline-members", "keep"),
                    entry("sharing.backlog.max-messages", "5"),
                    entry("sharing.backlog.max-bytes", "1MiB"),
                    entry("sharing.backlog.overflow", "reject_new"),
                    entry("sharing.backlog.high-water", "4"),
                    entry("sharing.backlog.slow-limit", "5s"),
                    entry("sharing.rules", "[{share: \"a*\", backlog.high-water: 10}]"),
                    entry("retained.max-messages", "5"),
                    entry("retained.max-bytes", "1MiB"),
                    entry("sys.interval", "1m"),
                    entry("log.level", "debug"),
                    entry("log.format", "json"));

    @Test
    void eachCanBeSetAndThenMakesADifference() throws Exception {
        assertThat(OTHER_VALUES.keySet())
                .containsExactlyInAnyOrderElementsOf(Settings.CATALOGUE.settings().keySet());
        Files.createFile(directory.resolve("some.pem"));
        Files.createFile(directory.resolve("other.pem"));
        Configuration defaults = Configurations.ofFile(directory, needed("-"));
        for (Map.Entry<String, String> other : OTHER_VALUES.entrySet()) {
            Configuration changed =
                    Configurations.ofFile(
                            directory,
                            needed(other.getKey()) + other.getKey() + ": " + other.getValue());

            assertThat(changed).as(other.getKey()).isNotEqualTo(defaults);
        }
    }

    @Test
    void showWhatCanBeReadAgain() throws Exception {
        Files.createFile(directory.resolve("some.pem"));
        String all =
                OTHER_VALUES.entrySet().stream()
                        .map(other -> other.getKey() + ": " + other.getValue())
                        .collect(Collectors.joining("\n"));
        LoadedConfiguration loaded =
                ConfigurationReader.read(Configurations.write(directory, all), Map.of(), List.of());

        String shown =
                loaded.lines().stream()
                        .map(line -> line.key() + ": " + line.value().replace("******", "secret"))
                        .collect(Collectors.joining("\n"));
        LoadedConfiguration again =
                ConfigurationReader.read(
                        Configurations.write(directory, shown), Map.of(), List.of());

        assertThat(again.lines())
                .extracting(LoadedConfiguration.Line::value)
                .isEqualTo(loaded.lines().stream().map(LoadedConfiguration.Line::value).toList());
        assertThat(again.configuration().sharing()).isEqualTo(loaded.configuration().sharing());
        assertThat(again.configuration().security()).isEqualTo(loaded.configuration().security());
    }

    @Test
    void haveVariablesOfTheirOwn() {
        assertThat(Settings.ALL).extracting(Setting::variable).doesNotHaveDuplicates();
        assertThat(Listeners.MQTT_PORT.variable()).isEqualTo("ROTAMQ_MQTT_PORT");
        assertThat(GroupOptions.BACKLOG_HIGH_WATER.variable())
                .isEqualTo("ROTAMQ_SHARING_BACKLOG_HIGH_WATER");
    }

    @Test
    void haveKeysInKebabCaseAndADescription() {
        assertThat(Settings.ALL)
                .allSatisfy(
                        setting -> {
                            assertThat(setting.key())
                                    .matches("[a-z0-9]+(-[a-z0-9]+)*(\\.[a-z0-9]+(-[a-z0-9]+)*)+");
                            assertThat(setting.doc()).endsWith(".");
                        });
    }

    /** What some settings need before they can be set, unless they are what is being set. */
    private static String needed(String key) {
        String needed =
                """
                tls.certificate: other.pem
                tls.private-key: other.pem
                tls.client-ca: other.pem
                """;
        return needed.lines()
                .filter(line -> !line.startsWith(key + ":"))
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
