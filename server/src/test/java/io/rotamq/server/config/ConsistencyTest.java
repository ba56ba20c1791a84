package io.rotamq.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings that need each other. */
class ConsistencyTest {
    @TempDir Path directory;
    private String certificate;
    private String key;
    private String authority;

    @BeforeEach
    void makeFiles() throws Exception {
        certificate = "tls.certificate=" + Files.createFile(directory.resolve("cert.pem"));
        key = "tls.private-key=" + Files.createFile(directory.resolve("key.pem"));
        authority = "tls.client-ca=" + Files.createFile(directory.resolve("ca.pem"));
    }

    @Test
    void wantsCertificateAndKeyForTls() {
        assertThat(error("tls.enabled=true"))
                .isEqualTo("--set: tls.enabled: is true, but tls.certificate is not set");
        assertThat(error("wss.enabled=true", certificate))
                .isEqualTo("--set: wss.enabled: is true, but tls.private-key is not set");
        assertThatCode(() -> Configurations.of("tls.enabled=true", certificate, key))
                .doesNotThrowAnyException();
    }

    @Test
    void wantsTheAuthoritiesForClientCertificates() {
        assertThat(error("tls.enabled=true", certificate, key, "tls.client-certificate=optional"))
                .isEqualTo(
                        "--set: tls.client-certificate: is optional, but tls.client-ca is not set");
    }

    @Test
    void wantsTheFilesToBeThere() {
        Path missing = directory.resolve("none.pem");

        assertThat(error("tls.enabled=true", certificate, "tls.private-key=" + missing))
                .isEqualTo("--set: tls.private-key: there is no file " + missing);
        assertThat(error("security.users-file=" + missing))
                .isEqualTo("--set: security.users-file: there is no file " + missing);
    }

    @Test
    void wantsADifferentPortForEachListener() {
        assertThat(error("mqtt.port=8080"))
                .isEqualTo("--set: mqtt.port: 8080 is the port of admin.port too");
        assertThat(error("websocket.enabled=true", "websocket.port=1883"))
                .isEqualTo("--set: websocket.port: 1883 is the port of mqtt.port too");
        assertThatCode(() -> Configurations.of("mqtt.port=8080", "admin.enabled=false"))
                .doesNotThrowAnyException();
        assertThatCode(
                        () ->
                                Configurations.of(
                                        "mqtt.port=0", "admin.port=0", "websocket.enabled=true"))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.9.9.9", "::1", "localhost", "LOCALHOST"})
    void listensWithoutUsersOnLoopback(String host) throws Exception {
        assertThat(Configurations.of("mqtt.host=" + host).security().notice())
                .hasValueSatisfying(notice -> assertThat(notice).contains("loopback only"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1", "broker.example", "localhost.example"})
    void doesNotListenElsewhereWithoutUsersByAccident(String host) {
        assertThat(error("mqtt.host=" + host))
                .isEqualTo(
                        "--set: mqtt.host: "
                                + host
                                + " is not a loopback address, and without users everybody could"
                                + " connect; set security.users-file, or security.allow-anonymous:"
                                + " true if that is meant");
    }

    @Test
    void listensEverywhereWhenThatIsMeant() throws Exception {
        Configuration configuration =
                Configurations.of("mqtt.host=0.0.0.0", "security.allow-anonymous=true");

        assertThat(configuration.security().acceptsAnonymous()).isTrue();
        assertThat(configuration.security().notice())
                .hasValueSatisfying(
                        notice -> assertThat(notice).startsWith("Everybody who reaches"));
    }

    @Test
    void listensEverywhereWithUsersAndThenKnowsNoStrangers() throws Exception {
        Path users = Files.createFile(directory.resolve("users"));
        Configuration configuration =
                Configurations.of("mqtt.host=0.0.0.0", "security.users-file=" + users);

        assertThat(configuration.security().acceptsAnonymous()).isFalse();
        assertThat(configuration.security().notice()).isEmpty();
    }

    @Test
    void acceptsCertificatesInPlaceOfUsersWhereTheyAreRequired() {
        List<String> required = new ArrayList<>();
        required.addAll(List.of(certificate, key, authority, "tls.client-certificate=required"));
        required.addAll(List.of("tls.enabled=true", "tls.host=0.0.0.0"));
        assertThatCode(() -> Configurations.of(required.toArray(String[]::new)))
                .doesNotThrowAnyException();

        required.add("websocket.enabled=true");
        required.add("websocket.host=0.0.0.0");
        assertThat(error(required.toArray(String[]::new)))
                .startsWith("--set: websocket.host: 0.0.0.0 is not a loopback address");
    }

    @Test
    void doesNotStartABrokerToWhichNobodyCouldConnect() {
        assertThat(error("security.allow-anonymous=false"))
                .isEqualTo(
                        "--set: security.allow-anonymous: is false, but there are neither users"
                                + " (security.users-file) nor client certificates: nobody could"
                                + " connect");
    }

    @Test
    void knowsWhichRulesOfAccessNeedUsers() throws Exception {
        String ofUser = "security.acl:\n  - {topic: '#'}\n  - {topic: a/%u/#}\n";
        Path file = Configurations.write(directory, ofUser);

        assertThat(errorIn(file))
                .isEqualTo(
                        file
                                + ":3: security.acl[2]: is about user names, but without"
                                + " security.users-file anybody can claim any");
        assertThat(errorIn(Configurations.write(directory, "security.acl:\n  - user: a*\n")))
                .isEqualTo(file + ":2: security.acl[1]: has no topic");
        Files.createFile(directory.resolve("users"));
        String withUsers = ofUser + "security.users-file: users\n";
        assertThat(Configurations.ofFile(directory, withUsers).security().acl()).hasSize(2);
        assertThat(errorIn(Configurations.write(directory, "security.acl: [{topic: a#}]\n")))
                .isEqualTo(
                        file
                                + ":1: security.acl[1].topic: \"a#\" is not a topic filter;"
                                + " allowed: a topic filter, in which %u and %c stand for user name"
                                + " and client identifier");
    }

    private static String errorIn(Path file) {
        return catchThrowableOfType(
                        ConfigurationException.class,
                        () -> ConfigurationReader.read(file, Map.of(), List.of()))
                .getMessage();
    }

    private static String error(String... assignments) {
        return catchThrowableOfType(
                        ConfigurationException.class, () -> Configurations.of(assignments))
                .getMessage();
    }
}
