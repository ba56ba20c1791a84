package io.rotamq.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an operator reads who has made a mistake. */
class ConfigurationErrorsTest {
    @TempDir Path directory;

    @Test
    void namesFileLineKeyValueAndRange() throws Exception {
        assertThat(errorInFile("# ports\nmqtt:\n  port: 70000\n"))
                .isEqualTo(
                        file()
                                + ":3: mqtt.port: 70000 is out of range; allowed: a whole number"
                                + " from 0 to 65535");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "mqtt.port|abc|\"abc\" is not a whole number; allowed: a whole number from 0 to"
                        + " 65535",
                "mqtt.port|1.5|\"1.5\" is not a whole number; allowed: a whole number from 0 to"
                        + " 65535",
                "mqtt.port|-1|-1 is out of range; allowed: a whole number from 0 to 65535",
                "mqtt.port|99999999999999999999|99999999999999999999 is out of range; allowed: a"
                        + " whole number from 0 to 65535",
                "mqtt.enabled|yes|\"yes\" is neither true nor false; allowed: true or false",
                "mqtt.host|``|\"\" is not a host name or an IP address; allowed: a host name or an"
                        + " IP address",
                "websocket.path|mqtt|\"mqtt\" is not a path that begins with /; allowed: a path"
                        + " that begins with /",
                "session.queue-overflow|drop|\"drop\" is not one of the allowed values; allowed:"
                        + " drop_oldest, drop_newest",
                "sharing.initial-pick|any|\"any\" is not one of the allowed values; allowed:"
                        + " random, local, hash_clientid, hash_topic",
                "sharing.key|topic-level:0|\"topic-level:0\" names no level of a topic; allowed:"
                        + " topic, topic-level:N with N from 1, client-id, user-property:NAME",
                "tls.versions|TLSv1.1|\"TLSv1.1\" is not one of the allowed values; allowed: a list"
                        + " of TLSv1.2, TLSv1.3",
                "tls.versions|``|\"\" is not one of the allowed values; allowed: a list of TLSv1.2,"
                        + " TLSv1.3",
                "limits.max-packet-size|256MiB|256MiB is out of range; allowed: a size from 1KiB to"
                        + " 268435455 (plain number: bytes; KiB, MiB, GiB)",
                "limits.max-packet-size|1MB|\"1MB\" is not a size: unknown unit; allowed: a size"
                        + " from 1KiB to 268435455 (plain number: bytes; KiB, MiB, GiB)",
                "limits.max-packet-size|999999999999GiB|999999999999GiB is out of range; allowed: a"
                        + " size from 1KiB to 268435455 (plain number: bytes; KiB, MiB, GiB)",
                "limits.max-packet-size|50%|\"50%\" is not a size: unknown unit; allowed: a size"
                        + " from 1KiB to 268435455 (plain number: bytes; KiB, MiB, GiB)",
                "limits.max-packet-size|big|\"big\" is not a size; allowed: a size from 1KiB to"
                        + " 268435455 (plain number: bytes; KiB, MiB, GiB)",
                "limits.memory|95%|95% is out of range; allowed: a size from 1MiB to 1024GiB (plain"
                        + " number: bytes; KiB, MiB, GiB), or 1% to 90% of the heap",
                "limits.connect-timeout|10 parsecs|\"10 parsecs\" is not a duration: unknown unit;"
                    + " allowed: a duration from 100ms to 5m (plain number: seconds; ms, s, m, h,"
                    + " d)",
                "limits.connect-timeout|soon|\"soon\" is not a duration; allowed: a duration from"
                        + " 100ms to 5m (plain number: seconds; ms, s, m, h, d)",
                "limits.connect-timeout|1h|1h is out of range; allowed: a duration from 100ms to 5m"
                        + " (plain number: seconds; ms, s, m, h, d)",
                "mqtt.client-id-pattern|(|\"(\" is not a regular expression: Unclosed group;"
                        + " allowed: a regular expression",
                "node.data|``|\"\" is not the path of a directory; allowed: the path of a directory"
            })
    void saysWhatIsWrongWithAValueAndWhatIsAllowed(String key, String value, String message) {
        assertThat(error(key + "=" + value)).isEqualTo("--set: " + key + ": " + message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mqtt.prot|; did you mean mqtt.port?",
                "mqtt.maxQos|; did you mean mqtt.max-qos?",
                "MQTT.PORT|; did you mean mqtt.port?",
                "limits.max_packet_size|; did you mean limits.max-packet-size?",
                "sharing.high-water|; did you mean sharing.backlog.high-water?",
                "port|; did you mean mqtt.port or tls.port or websocket.port?",
                "colour|''"
            })
    void suggestsWhatAnUnknownKeyMayHaveMeant(String key, String suggestion) {
        assertThat(error(key + "=1")).isEqualTo("--set: " + key + ": unknown setting" + suggestion);
    }

    @Test
    void givesTheLineOfAnUnknownKey() throws Exception {
        assertThat(errorInFile("mqtt:\n  port: 1883\n  prot: 1884\n"))
                .isEqualTo(file() + ":3: mqtt.prot: unknown setting; did you mean mqtt.port?");
        assertThat(errorInFile("mqqt:\n  port: 1883\n"))
                .isEqualTo(file() + ":1: mqqt: unknown setting; did you mean mqtt?");
    }

    @Test
    void refusesToGuessBetweenTwoValuesOfOneKey() throws Exception {
        assertThat(errorInFile("mqtt:\n  port: 1883\n  host: ::1\n  port: 1884\n"))
                .isEqualTo(file() + ":4: mqtt.port: set twice, first at " + file() + ":2");
        assertThat(errorInFile("mqtt.port: 1883\nmqtt:\n  port: 1883\n"))
                .isEqualTo(file() + ":3: mqtt.port: set twice, first at " + file() + ":1");
    }

    @Test
    void tellsValuesListsAndMappingsApart() throws Exception {
        String port = file() + ":1: mqtt.port: ";
        String range = "; allowed: a whole number from 0 to 65535";

        assertThat(errorInFile("mqtt.port:\n")).isEqualTo(port + "has no value" + range);
        assertThat(errorInFile("mqtt.port: [1]\n")).isEqualTo(port + "is a list" + range);
        assertThat(errorInFile("mqtt.port: {a: 1}\n")).isEqualTo(port + "is a mapping" + range);
        assertThat(errorInFile("mqtt: 1883\n"))
                .isEqualTo(file() + ":1: mqtt: is a section with settings below it, not a value");
        assertThat(errorInFile("- mqtt\n"))
                .isEqualTo(file() + ":1: the file is not a mapping of settings");
        assertThat(errorInFile("[a, b]: 1\n")).isEqualTo(file() + ":1: a key must be a plain name");
        assertThat(errorInFile("tls.versions: [[TLSv1.3]]\n"))
                .isEqualTo(
                        file()
                                + ":1: tls.versions: has an item that is not a plain value;"
                                + " allowed: a list of TLSv1.2, TLSv1.3");
    }

    @Test
    void givesTheLineOfMalformedYaml() throws Exception {
        assertThat(errorInFile("mqtt:\n  port: [1883\nadmin: x\n"))
                .startsWith(file() + ":3: not valid YAML: ");
        assertThat(errorInFile("mqtt:\n\tport: 1883\n"))
                .startsWith(file() + ":2: not valid YAML: ");
        assertThat(errorInFile("mqtt: {}\n---\nmqtt: {}\n"))
                .startsWith(file() + ":2: not valid YAML: ");
        assertThat(errorInFile("mqtt: \u0001\n")).startsWith(file() + ": not valid YAML: ");
    }

    @Test
    void doesNotFollowAMappingThatContainsItself() throws Exception {
        assertThat(errorInFile("mqtt: &self\n  mqtt: *self\n"))
                .isEqualTo(file() + ":2: mqtt.mqtt: unknown setting; did you mean mqtt?");
    }

    @Test
    void saysWhyAFileCannotBeRead() throws Exception {
        Path missing = directory.resolve("none.yaml");
        assertThat(errorIn(missing))
                .isEqualTo(missing + ": cannot read the file: there is no such file");
        assertThat(errorIn(directory))
                .isEqualTo(directory + ": cannot read the file: it is a directory");
        Files.write(file(), "mqtt.host: ü".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(errorIn(file())).isEqualTo(file() + ": the file is not UTF-8 text");
    }

    @Test
    void namesTheVariableOfABadValue() {
        assertThat(errorInEnvironment("ROTAMQ_MQTT_PORT", "x"))
                .isEqualTo(
                        "environment variable ROTAMQ_MQTT_PORT: mqtt.port: \"x\" is not a whole"
                                + " number; allowed: a whole number from 0 to 65535");
    }

    @Test
    void doesNotIgnoreAVariableThatSetsNothing() {
        assertThat(errorInEnvironment("ROTAMQ_MQTT_PROT", "1884"))
                .isEqualTo(
                        "environment variable ROTAMQ_MQTT_PROT: unknown setting; did you mean"
                                + " ROTAMQ_MQTT_PORT?");
        assertThat(errorInEnvironment("ROTAMQ_PORT", "1884"))
                .startsWith("environment variable ROTAMQ_PORT: unknown setting");
    }

    @Test
    void wantsAKeyAndAValueAfterSet() {
        assertThat(error("mqtt.port")).isEqualTo("--set mqtt.port: not of the form key=value");
        assertThat(error("=1")).isEqualTo("--set 1: not of the form key=value");
    }

    @Test
    void doesNotRepeatASecret() {
        assertThat(error("tls.private-key-pasword=sesame"))
                .isEqualTo(
                        "--set: tls.private-key-pasword: unknown setting; did you mean"
                                + " tls.private-key-password?");
    }

    private Path file() {
        return directory.resolve("rotamq.yaml");
    }

    private String errorInFile(String text) throws Exception {
        return errorIn(Configurations.write(directory, text));
    }

    private static String errorIn(Path file) {
        return catchThrowableOfType(
                        ConfigurationException.class,
                        () -> ConfigurationReader.read(file, Map.of(), List.of()))
                .getMessage();
    }

    private static String error(String assignment) {
        return catchThrowableOfType(
                        ConfigurationException.class, () -> Configurations.of(assignment))
                .getMessage();
    }

    private static String errorInEnvironment(String variable, String value) {
        return catchThrowableOfType(
                        ConfigurationException.class,
                        () -> ConfigurationReader.read(null, Map.of(variable, value), List.of()))
                .getMessage();
    }
}
