package io.rotamq.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rotamq.testkit.Admin;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Scenarios with a restart of the broker in between. */
@Timeout(60)
class RestartTest {
    private static final String GROUP = "$share/g/jobs";
    private static final Duration QUIET = Duration.ofMillis(500);
    private static final int NO_MATCHING_SUBSCRIBERS = 0x10;

    @TempDir Path data;
    private TestBroker broker;

    @AfterEach
    void stop() {
        broker.close();
    }

    private void start(String... settings) {
        broker = TestBroker.durable(data, settings);
    }

    private void restart(String... settings) {
        broker.close();
        start(settings);
    }

    private static ConnectPacket lasting(String clientId) {
        return ConnectPacket.v5(clientId).lasting(3_600);
    }

    private RawClient member(ConnectPacket connect) {
        RawClient client = broker.client(connect);
        client.subscribe(GROUP, 2);
        return client;
    }

    private int publish(String topic, int from, int to, int qos) {
        RawClient publisher = broker.v5();
        int code = 0;
        for (int i = from; i < to; i++) {
            Received ack = publisher.publish(topic, Integer.toString(i), qos);
            code = ack == null ? 0 : ack.code();
        }
        publisher.leave();
        return code;
    }

    /** Payloads until nothing comes for a while, in their order; acknowledged. */
    private static List<String> drain(RawClient client) {
        List<String> payloads = new ArrayList<>();
        for (Received next; (next = client.poll(QUIET)) != null; ) {
            client.acknowledge(next);
            payloads.add(new String(next.payload(), StandardCharsets.UTF_8));
        }
        return payloads;
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.range(from, to).mapToObj(Integer::toString).toList();
    }

    @Test
    void whatWaitsForASessionKeepsItsOrder() {
        start();
        RawClient reader = broker.client(lasting("reader"));
        reader.subscribe("jobs", 2);
        reader.leave();
        publish("jobs", 0, 50, 1);
        restart();
        publish("jobs", 50, 100, 1); // before anybody returns

        assertThat(drain(broker.client(lasting("reader")))).isEqualTo(numbers(0, 100));
    }

    /** A9 (c): B is away, C is stuck with one message. */
    @Test
    void whoIsThereGetsWhatAnAbsentAndAStuckMemberCannotTake() {
        start();
        RawClient absent = member(lasting("b"));
        absent.leave();
        ConnectPacket stuck = lasting("c").with(Property.RECEIVE_MAXIMUM, 1);
        member(stuck);
        member(lasting("a"));
        restart();
        RawClient c = broker.client(stuck);
        RawClient a = broker.client(lasting("a"));
        publish("jobs", 0, 300, 1);
        Received held = c.delivery();
        List<String> atA = drain(a);

        assertThat(atA).hasSize(299).doesNotHaveDuplicates();
        assertThat(atA).doesNotContain(new String(held.payload(), StandardCharsets.UTF_8));
        assertThat(drain(broker.client(lasting("b")))).isEmpty();
    }

    /** A10. */
    @Test
    void whatNobodyWasThereToTakeGoesToTheFirstWhoReturns() {
        start();
        member(lasting("a")).leave();
        member(lasting("b")).leave();
        publish("jobs", 0, 100, 1);
        restart();

        assertThat(drain(broker.client(lasting("a")))).isEqualTo(numbers(0, 100));
        assertThat(drain(broker.client(lasting("b")))).isEmpty();
    }

    /** A11, the session ended by a clean start after the restart. */
    @Test
    void whatAnOwnerKeptGoesToOthersWhenItsSessionEndsButForQos2UnderWay() {
        String[] settings = {"sharing.default-strategy=sticky", "sharing.offline-members=keep"};
        start(settings);
        ConnectPacket owner = lasting("a").with(Property.RECEIVE_MAXIMUM, 10);
        RawClient a = member(owner);
        RawClient publisher = broker.v5();
        for (int i = 0; i < 20; i++) {
            publisher.publish("jobs", Integer.toString(i), i % 10 < 5 ? 1 : 2);
        }
        IntStream.range(0, 10).forEach(i -> a.delivery());
        RawClient b = member(lasting("b"));
        restart(settings);
        RawClient other = broker.client(lasting("b"));
        assertThat(drain(other)).isEmpty();
        broker.client(ConnectPacket.v5("a"));

        Set<String> expected = new HashSet<>(numbers(0, 5));
        expected.addAll(numbers(10, 20));
        assertThat(drain(other)).hasSize(15).containsExactlyInAnyOrderElementsOf(expected);
        b.close();
    }

    /** A14. */
    @Test
    void aConnectionThatTakesOverGetsWhatIsNotAcknowledged() {
        start();
        RawClient other = member(lasting("b"));
        other.leave();
        member(lasting("a"));
        publish("jobs", 0, 5, 1);
        restart();
        RawClient first = broker.client(lasting("a"));
        IntStream.range(0, 5).forEach(i -> first.delivery());
        RawClient second = broker.client(lasting("a"));

        for (int i = 0; i < 5; i++) {
            Received again = second.receive();
            assertThat(again.dup()).isTrue();
            assertThat(again.payload()).asString().isEqualTo(Integer.toString(i));
        }
        assertThat(drain(broker.client(lasting("b")))).isEmpty();
    }

    /** A15; the time while the broker is down counts. */
    @Test
    void whatWaitsForAGroupEndsWithTheSessionOfItsLastMember() {
        start();
        RawClient last = broker.client(ConnectPacket.v5("a").lasting(1));
        last.subscribe(GROUP, 1);
        last.leave();
        publish("jobs", 0, 20, 1);
        broker.close();
        long down = System.nanoTime();
        Awaitility.await().until(() -> System.nanoTime() - down > 1_200_000_000L);
        start();
        Awaitility.await().until(() -> broker.sessions() == 0);

        assertThat(publish("jobs", 20, 21, 1)).isEqualTo(NO_MATCHING_SUBSCRIBERS);
        assertThat(drain(member(lasting("later")))).isEmpty();
    }

    /** A18. */
    @Test
    void aNewPoolGetsWhatTheOldOneLeftBehind() {
        start();
        member(lasting("old0")).leave();
        member(lasting("old1")).leave();
        publish("jobs", 0, 20, 1);
        restart();
        List<String> taken = drain(member(lasting("new0")));

        assertThat(taken).isEqualTo(numbers(0, 20));
    }

    @Test
    void aRetainedMessageAndItsRemovalOutliveTheProcess() {
        start();
        RawClient publisher = broker.v5();
        publisher.publish(PublishPacket.of("r/stays", "x").qos(1, 1).retain());
        publisher.publish(PublishPacket.of("r/goes", "x").qos(1, 1).retain());
        publisher.publish(PublishPacket.of("r/goes", "").qos(1, 1).retain());
        restart();
        RawClient reader = broker.v5();
        reader.subscribe("r/#", 1);

        assertThat(reader.receive().topic()).isEqualTo("r/stays");
        assertThat(drain(reader)).isEmpty();
    }

    @Test
    void rulesThatWereSetWhileRunningOutliveTheProcess() {
        String[] administered = {"admin.enabled=true", "admin.port=0"};
        start(administered);
        try (Admin admin = broker.admin()) {
            admin.rule("g", "*", "\"strategy\":\"sticky\"");
            admin.rule("gone", "*", "\"strategy\":\"sticky\"");
            admin.rule("*", "jobs", "\"backlog\":{\"max-messages\":7}");
            admin.reset("gone", "*");
        }
        member(lasting("a")).leave();
        restart(administered);
        member(lasting("b"));

        try (Admin admin = broker.admin()) {
            assertThat(admin.group("g", "jobs")).contains("7").doesNotContain("sticky");
            admin.reset("*", "jobs");
            assertThat(admin.group("g", "jobs")).contains("sticky");
        }
        restart(administered);
        try (Admin admin = broker.admin()) {
            assertThat(admin.group("g", "jobs")).contains("sticky");
        }
    }

    @Test
    void aSecondBrokerOnTheSameDataDoesNotStart() {
        start();

        assertThatThrownBy(() -> TestBroker.durable(data))
                .hasMessageContaining("in use by process " + ProcessHandle.current().pid());
    }

    @Test
    void aDirectoryOfSomethingElseIsLeftAlone() throws IOException {
        start();
        Path foreign = Files.createDirectories(data.resolve("other/store"));
        Path file = Files.writeString(foreign.resolve("thesis.txt"), "mine");

        assertThatThrownBy(() -> TestBroker.durable(data.resolve("other")))
                .hasMessageContaining("holds other files and no RotaMQ store");
        try (var files = Files.list(foreign)) {
            assertThat(files).containsExactly(file);
        }
    }
}
