package io.rotamq.server.net;

import io.rotamq.core.Node;
import io.rotamq.core.port.Authenticator;
import io.rotamq.core.port.Authorizer;
import io.rotamq.core.port.ConnectionInfo;
import io.rotamq.core.port.CoreSettings;
import io.rotamq.core.port.Ports;
import io.rotamq.mqtt.codec.DecoderLimits;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.RawClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The transport and the core on free ports of this machine, without the rest of a broker. */
final class Rig implements AutoCloseable {
    static final int LOOPS = 3;
    private static final int MAILBOX = 65_536;
    static final int OUTBOUND_BUFFER = 64 * 1024;
    static final Duration CONNECT_TIMEOUT = Duration.ofMillis(1_500);
    static final Duration CLOSE_TIMEOUT = Duration.ofMillis(700);
    static final DecoderLimits SIZES = new DecoderLimits(64 * 1024, 2 << 20, 10);

    final EventLoops loops;
    final Node node;
    final Endpoints endpoints;

    /** What the core was told about each connection that sent CONNECT. */
    final Queue<ConnectionInfo> seen = new ConcurrentLinkedQueue<>();

    private final List<AutoCloseable> clients = new ArrayList<>();

    private Rig(Transport transport, int maxConnections, int mailbox, @Nullable TlsFiles tls)
            throws IOException {
        loops = EventLoops.create(LOOPS, transport);
        long origin = System.nanoTime();
        Authenticator authenticator =
                (connect, info) -> {
                    seen.add(info);
                    return Authenticator.Result.ACCEPTED;
                };
        Ports ports =
                new Ports(
                        () -> (System.nanoTime() - origin) / 1_000_000,
                        loops,
                        authenticator,
                        Authorizer.ALLOW_ALL);
        node = new Node(settings(mailbox), ports, 1);
        loops.start(node);
        TransportLimits limits =
                new TransportLimits(maxConnections, OUTBOUND_BUFFER, CLOSE_TIMEOUT, SIZES);
        List<Endpoint> wanted = new ArrayList<>();
        wanted.add(new Endpoint("mqtt", "127.0.0.1", 0, false, null));
        wanted.add(new Endpoint("websocket", "127.0.0.1", 0, false, "/mqtt"));
        if (tls != null) {
            wanted.add(new Endpoint("tls", "127.0.0.1", 0, true, null));
            wanted.add(new Endpoint("wss", "127.0.0.1", 0, true, "/mqtt"));
        }
        endpoints = Endpoints.bind(wanted, tls, limits, loops);
    }

    static Rig start() {
        return start(Transport.best(), 10_000, null);
    }

    static Rig start(TlsFiles tls) {
        return start(Transport.best(), 10_000, tls);
    }

    /** With mailboxes that are congested by more than so many messages. */
    static Rig withMailbox(int messages) throws IOException {
        return new Rig(Transport.best(), 100, messages, null);
    }

    static Rig start(Transport transport, int maxConnections, @Nullable TlsFiles tls) {
        try {
            return new Rig(transport, maxConnections, MAILBOX, tls);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static CoreSettings settings(int mailbox) {
        CoreSettings defaults = CoreSettings.defaults(LOOPS);
        CoreSettings.Limits limits = defaults.limits();
        return new CoreSettings(
                LOOPS,
                defaults.protocol(),
                new CoreSettings.Limits(
                        limits.memory(),
                        mailbox,
                        CONNECT_TIMEOUT.toMillis(),
                        limits.maximumSubscriptions(),
                        limits.maximumClientIdLength(),
                        limits.retainedMessages(),
                        limits.retainedBytes(),
                        0),
                defaults.sessions(),
                defaults.sharing());
    }

    int port(String name) {
        return endpoints.bound().stream()
                .filter(bound -> bound.name().equals(name))
                .mapToInt(BoundEndpoint::port)
                .findFirst()
                .orElseThrow();
    }

    TransportCounters counters() {
        return loops.counters();
    }

    /** A TCP connection on which nothing was sent. */
    RawClient open() {
        return closing(RawClient.connect(port("mqtt")));
    }

    RawClient client() {
        return client(ConnectPacket.v5(Fresh.id()));
    }

    RawClient client(ConnectPacket connect) {
        RawClient client = open();
        client.connect(connect);
        return client;
    }

    <T extends AutoCloseable> T closing(T client) {
        clients.add(client);
        return client;
    }

    /** In the order of the broker's stop. */
    @Override
    public void close() throws Exception {
        for (AutoCloseable client : clients) {
            client.close();
        }
        endpoints.stopAccepting();
        if (!endpoints.awaitClosed(Duration.ofSeconds(5))) {
            throw new AssertionError(endpoints.open() + " connections were left open");
        }
        if (!loops.stop(Duration.ofSeconds(5))) {
            throw new AssertionError("the loops did not stop");
        }
    }
}
