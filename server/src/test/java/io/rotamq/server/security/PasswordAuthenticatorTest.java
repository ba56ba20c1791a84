package io.rotamq.server.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.Authenticator.Result;
import io.rotamq.core.port.ConnectionInfo;
import io.rotamq.mqtt.Connect;
import io.rotamq.mqtt.ConnectProperties;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.ReasonCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PasswordAuthenticatorTest {
    private static final ConnectionInfo PLAIN = new ConnectionInfo("mqtt", "127.0.0.1:1", null);
    private static final ConnectionInfo CERTIFIED =
            new ConnectionInfo("tls", "127.0.0.1:1", "CN=device");

    @TempDir Path directory;
    private Users users;

    @BeforeEach
    void writeAUser() throws IOException {
        Path file = directory.resolve("users");
        UsersFile.set(file, "alice", "secret".getBytes(UTF_8));
        users = Users.open(file);
    }

    @Test
    void acceptsAUserWithTheRightPassword() {
        assertThat(result(users, false, connect("alice", "secret"), PLAIN))
                .isEqualTo(Result.ACCEPTED);
    }

    @Test
    void refusesAWrongPasswordAlsoWhereStrangersAreAccepted() {
        for (boolean strangers : new boolean[] {false, true}) {
            for (Connect connect :
                    List.of(
                            connect("alice", "x"),
                            connect("bob", "secret"),
                            connect("alice", null))) {
                assertThat(result(users, strangers, connect, PLAIN))
                        .isEqualTo(
                                new Result.Refused(
                                        ReasonCode.BAD_USER_NAME_OR_PASSWORD,
                                        "unknown user name or wrong password"));
            }
        }
    }

    @Test
    void acceptsStrangersOnlyWhereTheyAreMeantToBe() {
        assertThat(result(users, true, connect(null, null), PLAIN)).isEqualTo(Result.ACCEPTED);
        assertThat(result(null, true, connect("alice", "x"), PLAIN)).isEqualTo(Result.ACCEPTED);
        assertThat(result(users, false, connect(null, null), PLAIN))
                .isEqualTo(
                        new Result.Refused(ReasonCode.NOT_AUTHORIZED, "a user name is required"));
    }

    @Test
    void takesACertificateInPlaceOfAPassword() {
        assertThat(result(users, false, connect(null, null), CERTIFIED)).isEqualTo(Result.ACCEPTED);
        assertThat(result(null, false, connect("x", null), CERTIFIED)).isEqualTo(Result.ACCEPTED);
    }

    @Test
    void acceptsNobodyWhoseCredentialsWereNotVerifiedBefore() {
        PasswordAuthenticator authenticator = new PasswordAuthenticator(users, false);
        Connect connect = connect("alice", "secret");

        assertThat(authenticator.authenticate(connect, PLAIN)).isNotEqualTo(Result.ACCEPTED);
    }

    @Test
    void verifiesOffTheLoopAndOnlyWhatIsNotYetKnown() throws Exception {
        PasswordChecks checks = new PasswordChecks(users);
        Connect connect = connect("alice", "secret");
        CountDownLatch done = new CountDownLatch(1);

        assertThat(checks.begin(connect, () -> true, done::countDown)).isTrue();
        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();

        assertThat(new PasswordAuthenticator(users, false).authenticate(connect, PLAIN))
                .isEqualTo(Result.ACCEPTED);
        assertThat(checks.begin(connect, () -> true, done::countDown)).isFalse();
        assertThat(checks.begin(connect(null, null), () -> true, done::countDown)).isFalse();
    }

    @Test
    void skipsChecksOfConnectionsThatAreGone() throws Exception {
        PasswordChecks checks = new PasswordChecks(users);
        CountDownLatch wrong = new CountDownLatch(1);
        CountDownLatch later = new CountDownLatch(2);

        checks.begin(connect("alice", "secret"), () -> false, wrong::countDown);
        checks.begin(connect("bob", "x"), () -> true, later::countDown);
        checks.begin(connect("bob", "y"), () -> true, later::countDown);

        assertThat(later.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(wrong.getCount()).isOne();
        assertThat(users.isVerified("alice", "secret".getBytes(UTF_8))).isFalse();
    }

    private static Result result(
            @Nullable Users users, boolean strangers, Connect connect, ConnectionInfo info) {
        PasswordAuthenticator authenticator = new PasswordAuthenticator(users, strangers);
        if (users != null && connect.username() != null && connect.password() != null) {
            users.verify(connect.username(), connect.password());
        }
        return authenticator.authenticate(connect, info);
    }

    private static Connect connect(@Nullable String user, @Nullable String password) {
        byte[] bytes = password == null ? null : password.getBytes(UTF_8);
        ConnectProperties properties =
                new ConnectProperties(
                        0, 65_535, Long.MAX_VALUE, 0, false, true, null, null, List.of());
        return new Connect(
                ProtocolVersion.MQTT_5, "client", true, 60, properties, null, user, bytes);
    }
}
