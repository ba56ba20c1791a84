package io.rotamq.server.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rotamq.server.Broker;
import io.rotamq.server.StartException;
import io.rotamq.server.config.Assignment;
import io.rotamq.server.config.ConfigurationReader;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker with users and rules, over real sockets. */
@Timeout(60)
class SecuredBrokerTest {
    private static final String RULES =
            """
            security:
              users-file: users
              acl:
                - {user: admin, topic: "#"}
                - {topic: "home/%u/#"}
            """;

    @TempDir Path directory;
    private final List<RawClient> clients = new ArrayList<>();
    private Broker broker;

    @BeforeEach
    void start() throws Exception {
        UsersFile.set(directory.resolve("users"), "alice", "wonderland".getBytes(UTF_8));
        broker = start(RULES);
    }

    @AfterEach
    void stop() {
        clients.forEach(RawClient::close);
        broker.stop();
    }

    @Test
    void letsInWhoKnowsThePasswordWhateverTheVersion() {
        for (int level : new int[] {3, 4, 5}) {
            assertThat(connect(level, "c" + level, "alice", "wonderland").code()).isZero();
        }
    }

    @Test
    void keepsOutEverybodyElseWithTheCodeOfTheirVersion() {
        assertThat(connect(5, "a", "alice", "wrong").code()).isEqualTo(0x86);
        assertThat(connect(4, "b", "alice", "wrong").code()).isEqualTo(4);
        assertThat(connect(5, "c", "bob", "wonderland").code()).isEqualTo(0x86);
        assertThat(connect(5, "d", null, null).code()).isEqualTo(0x87);
        assertThat(connect(4, "e", null, null).code()).isEqualTo(5);
    }

    @Test
    void servesWhatWasSentTogetherWithTheCredentials() {
        RawClient client = open();
        ConnectPacket connect = ConnectPacket.v5("eager").credentials("alice", "wonderland");

        client.send(
                connect,
                SubscribePacket.id(1).filter("home/alice/#", 1),
                PublishPacket.of("home/alice/x", "first").qos(1, 2));

        assertThat(client.read().code()).isZero();
        assertThat(client.await(Type.SUBACK, 1).codes()).containsExactly(1);
        assertThat(client.receive(1)).singleElement().extracting(Received::text).isEqualTo("first");
    }

    @Test
    void servesACredentialThatArrivesByteByByte() {
        RawClient client = open();
        byte[] bytes = ConnectPacket.v5("slow").credentials("alice", "wonderland").encode();
        for (byte each : bytes) {
            client.send(new byte[] {each});
        }

        client.level(5);
        assertThat(client.read().code()).isZero();
    }

    @Test
    void survivesAClientThatLeavesWhileItsPasswordIsChecked() {
        for (int i = 0; i < 20; i++) {
            RawClient client = open();
            client.send(ConnectPacket.v5("gone" + i).credentials("alice", "wrong" + i));
            client.reset();
        }

        assertThat(connect(5, "stays", "alice", "wonderland").code()).isZero();
    }

    @Test
    void findsTheSessionOnWhicheverLoopItIs() {
        for (int i = 0; i < 8; i++) {
            RawClient client = open();
            Received connack =
                    client.tryConnect(
                            ConnectPacket.v5("same")
                                    .lasting(60)
                                    .credentials("alice", "wonderland"));

            assertThat(connack.code()).isZero();
            assertThat(connack.sessionPresent()).isEqualTo(i > 0);
            client.leave();
        }
    }

    @Test
    void letsAClientReachOnlyWhatTheRulesAllow() {
        RawClient client = open();
        client.connect(ConnectPacket.v5("phone").credentials("alice", "wonderland"));

        SubscribePacket asked =
                SubscribePacket.id(1)
                        .filter("home/alice/#", 0)
                        .filter("home/bob/#", 0)
                        .filter("#", 0)
                        .filter("$share/g/home/alice/+", 0);
        assertThat(client.trySubscribe(asked).codes()).containsExactly(0, 0x87, 0x87, 0);
        assertThat(client.publish("home/bob/x", "no", 1).code()).isEqualTo(0x87);
        assertThat(client.publish("home/alice/x", "yes", 1).code()).isZero();
    }

    @Test
    void noticesANewUserWhileItRuns() throws Exception {
        assertThat(connect(5, "a", "admin", "root").code()).isEqualTo(0x86);

        UsersFile.set(directory.resolve("users"), "admin", "root".getBytes(UTF_8));

        assertThat(connect(5, "a", "admin", "root").code()).isZero();
    }

    @Test
    void doesNotStartWithoutItsUsers() throws Exception {
        Files.writeString(directory.resolve("users"), "alice:wonderland\n");

        assertThatThrownBy(() -> start(RULES))
                .isInstanceOf(StartException.class)
                .hasMessageEndingWith(
                        "users:1: not of the form name:hash, as rotamq passwd writes it");
    }

    private Received connect(
            int level, String id, @Nullable String user, @Nullable String password) {
        return open().tryConnect(ConnectPacket.of(level, id).credentials(user, password));
    }

    private RawClient open() {
        RawClient client = RawClient.connect(broker.endpoints().getFirst().port());
        clients.add(client);
        return client;
    }

    private Broker start(String text) throws Exception {
        Path file = Files.writeString(directory.resolve("rotamq.yaml"), text);
        List<Assignment> ports =
                List.of(
                        Assignment.set("mqtt.port=0"),
                        Assignment.set("websocket.port=0"),
                        Assignment.set("admin.enabled=false"),
                        Assignment.set("node.shards=2"));
        return Broker.start(ConfigurationReader.read(file, Map.of(), ports).configuration());
    }
}
