package io.rotamq.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.Node;
import io.rotamq.core.port.Authenticator;
import io.rotamq.core.port.Authorizer;
import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.server.Broker;
import io.rotamq.server.RunningBroker;
import io.rotamq.server.StartException;
import io.rotamq.server.config.Assignment;
import io.rotamq.server.config.ConfigurationException;
import io.rotamq.server.config.ConfigurationReader;
import io.rotamq.server.config.LoadedConfiguration;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * A broker in this process on free ports, for the life of a test class or of one test:
 *
 * <pre>{@code
 * @AutoClose
 * private static final TestBroker broker = TestBroker.start("mqtt.max-qos=1");
 * }</pre>
 *
 * Settings are {@code key=value} as in rotamq.yaml. With the environment variable TESTKIT_PORT the
 * tests talk to the broker on that port instead, and those that need settings are skipped.
 */
public final class TestBroker implements AutoCloseable {
    private static final Running UNAVAILABLE = new Running(0, 0, 0, 0, 0, () -> {}, null);

    /** Two shards, whatever the machine has, so that what goes between shards is tried. */
    private static final String[] HARMLESS = {
        "node.shards=2",
        "storage.enabled=false",
        "mqtt.port=0",
        "tls.port=0",
        "websocket.port=0",
        "wss.port=0",
        "admin.enabled=false"
    };

    private final Queue<RawClient> clients = new ConcurrentLinkedQueue<>();
    private final Running running;
    private final AtomicBoolean stopped = new AtomicBoolean();

    private TestBroker(Running running) {
        this.running = running;
    }

    public static TestBroker start(String... settings) {
        return start(Authenticator.ACCEPT_ALL, Authorizer.ALLOW_ALL, settings);
    }

    /** With other answers to who may connect and do what. */
    public static TestBroker start(
            Authenticator authenticator, Authorizer authorizer, String... settings) {
        String external = System.getenv("TESTKIT_PORT");
        if (external == null) {
            return new TestBroker(launch(authenticator, authorizer, settings));
        }
        if (settings.length > 0) {
            return new TestBroker(UNAVAILABLE);
        }
        int port = Integer.parseInt(external);
        return new TestBroker(new Running(port, 0, 0, 0, 0, () -> {}, null));
    }

    /** A broker that refuses what {@link Guard} says. */
    public static TestBroker guarded(String... settings) {
        return start(Guard::authenticate, new Guard(), settings);
    }

    /** A broker that takes WebSocket connections too. */
    public static TestBroker withWebSocket(String... settings) {
        String[] all = Arrays.copyOf(settings, settings.length + 1);
        all[settings.length] = "websocket.enabled=true";
        return start(all);
    }

    /** A broker with an admin port. */
    public static TestBroker administered(String... settings) {
        Stream<String> admin = Stream.of("admin.enabled=true", "admin.port=0");
        return start(Stream.concat(Stream.of(settings), admin).toArray(String[]::new));
    }

    /** A broker whose state lies in that directory and outlives it. */
    public static TestBroker durable(Path data, String... settings) {
        Stream<String> stored = Stream.of("storage.enabled=true", "node.data=" + data);
        Stream<String> quick = Stream.of("storage.sync=os", "storage.reserve=0");
        return start(
                Stream.of(stored, quick, Stream.of(settings))
                        .flatMap(each -> each)
                        .toArray(String[]::new));
    }

    /** The only place that knows how the broker is started. */
    private static Running launch(
            Authenticator authenticator, Authorizer authorizer, String[] settings) {
        Stream<String> all = Stream.concat(Stream.of(HARMLESS), Stream.of(settings));
        try {
            LoadedConfiguration loaded =
                    ConfigurationReader.read(null, Map.of(), all.map(Assignment::set).toList());
            Broker broker = Broker.start(loaded.configuration(), authenticator, authorizer);
            return new Running(
                    port(broker, "mqtt"),
                    port(broker, "tls"),
                    port(broker, "websocket"),
                    port(broker, "wss"),
                    port(broker, "admin"),
                    broker::stop,
                    broker.node());
        } catch (ConfigurationException | StartException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int port(Broker broker, String endpoint) {
        return broker.endpoints().stream()
                .filter(each -> each.name().equals(endpoint))
                .mapToInt(RunningBroker.Endpoint::port)
                .findFirst()
                .orElse(0);
    }

    private record Running(
            int port,
            int tlsPort,
            int webSocketPort,
            int secureWebSocketPort,
            int adminPort,
            Runnable stop,
            @Nullable Node node) {}

    public int port() {
        return running.port();
    }

    public int tlsPort() {
        return running.tlsPort();
    }

    public int webSocketPort() {
        return running.webSocketPort();
    }

    public int secureWebSocketPort() {
        return running.secureWebSocketPort();
    }

    /** The admin port of a broker that has one. */
    public Admin admin() {
        Assumptions.assumeTrue(running.adminPort() > 0, "needs a broker of its own");
        return new Admin(running.adminPort());
    }

    /** A connection on which nothing was sent. */
    public RawClient open() {
        Assumptions.assumeTrue(port() > 0, "needs a broker of its own");
        RawClient client = RawClient.connect(port());
        clients.add(client);
        return client;
    }

    /** A client that was accepted. */
    public RawClient client(ConnectPacket connect) {
        RawClient client = open();
        client.connect(connect);
        return client;
    }

    /** An MQTT 5 client with an identifier of its own and a clean start. */
    public RawClient v5() {
        return client(ConnectPacket.v5(Fresh.id()));
    }

    /** An MQTT 3.1.1 client with an identifier of its own and a clean session. */
    public RawClient v4() {
        return client(ConnectPacket.v4(Fresh.id()));
    }

    /** A client of this protocol level (3, 4 or 5) with an identifier of its own. */
    public RawClient client(int level) {
        return client(ConnectPacket.of(level, Fresh.id()));
    }

    /** Removes a client and its session, as an operator would; false if there is none. */
    public boolean kick(String clientId) {
        return node().kick(clientId);
    }

    /**
     * Waits until so many messages were discarded: a shard may count after an acknowledgement left.
     */
    public void awaitDropped(DropReason reason, long count) {
        Awaitility.await().untilAsserted(() -> assertThat(dropped(reason)).isEqualTo(count));
    }

    /** Messages discarded for this reason so far. */
    public long dropped(DropReason reason) {
        return node().dropped(reason);
    }

    public long counted(Counter counter) {
        return node().total(counter);
    }

    /** Share groups that have members. */
    public int groups() {
        return node().groups();
    }

    public int sessions() {
        return node().sessions();
    }

    /** Topics with a retained message. */
    public int retained() {
        return node().retained();
    }

    /** Bytes of messages that wait in queues and backlogs. */
    public long memoryUsed() {
        return node().memoryUsed();
    }

    private Node node() {
        Node node = running.node();
        Assumptions.assumeTrue(node != null, "needs a broker in this process");
        return node;
    }

    /** Stops the broker gracefully; the clients can still read what it says. */
    public void stop() {
        if (stopped.compareAndSet(false, true)) {
            running.stop().run();
        }
    }

    @Override
    public void close() {
        clients.forEach(RawClient::close);
        stop();
    }
}
