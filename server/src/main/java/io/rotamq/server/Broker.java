package io.rotamq.server;

import io.rotamq.core.Node;
import io.rotamq.core.Shard;
import io.rotamq.core.port.Authenticator;
import io.rotamq.core.port.Authorizer;
import io.rotamq.core.port.Clock;
import io.rotamq.core.port.Ports;
import io.rotamq.server.admin.AdminServer;
import io.rotamq.server.admin.Durability;
import io.rotamq.server.admin.MetricsSource;
import io.rotamq.server.admin.Phase;
import io.rotamq.server.config.Configuration;
import io.rotamq.server.config.SharingRules;
import io.rotamq.server.net.BoundEndpoint;
import io.rotamq.server.net.Endpoints;
import io.rotamq.server.net.EventLoops;
import io.rotamq.server.net.Preparation;
import io.rotamq.server.security.Security;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole broker, put together by hand. Read {@link #start} from top to bottom for what there is
 * and in which order it comes up, and {@link #stop} for the way down.
 */
public final class Broker implements RunningBroker {
    private static final Logger LOG = LoggerFactory.getLogger(Broker.class);

    /** How long each step of an orderly stop may take. */
    private static final Duration STEP = Duration.ofSeconds(5);

    private final Node node;
    private final EventLoops loops;
    private final @Nullable DataStore data;
    private volatile Phase phase = Phase.STARTING;
    private @Nullable Endpoints endpoints;
    private @Nullable AdminServer admin;
    private List<Endpoint> listening = List.of();

    private Broker(Node node, EventLoops loops, @Nullable DataStore data) {
        this.node = node;
        this.loops = loops;
        this.data = data;
    }

    /** Starts a broker for those whom the configuration lets in. */
    public static Broker start(Configuration configuration) throws StartException {
        try {
            return start(configuration, Security.of(configuration.security()));
        } catch (IOException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        }
    }

    /** The same with other answers to who may connect and do what. */
    public static Broker start(
            Configuration configuration, Authenticator authenticator, Authorizer authorizer)
            throws StartException {
        return start(configuration, new Security(authenticator, authorizer, Preparation.NONE));
    }

    private static Broker start(Configuration configuration, Security security)
            throws StartException {
        int shards = shards(configuration);
        DataStore data = DataStore.open(configuration);
        EventLoops loops = EventLoops.create(shards);
        Ports ports =
                new Ports(
                        systemClock(),
                        loops,
                        security.authenticator(),
                        security.authorizer(),
                        data == null ? null : data.store());
        long seed = new SecureRandom().nextLong();
        Node node = new Node(CoreConfiguration.of(configuration, shards), ports, seed);
        Broker broker = new Broker(node, loops, data);
        try {
            broker.recover();
            LiveSharing sharing = broker.sharing(configuration);
            loops.start(node, security.preparation());
            broker.listen(configuration, sharing);
        } catch (IOException e) {
            broker.stop();
            throw new StartException(String.valueOf(e.getMessage()), e);
        } catch (StartException | RuntimeException e) {
            broker.stop();
            throw e;
        }
        broker.phase = Phase.READY;
        return broker;
    }

    @Override
    public List<Endpoint> endpoints() {
        return listening;
    }

    /** The core, for those in the same process. */
    public Node node() {
        return node;
    }

    /**
     * In this order: nobody new comes in; wills are published that nothing could stop any more;
     * clients are told and their connections closed; what is left to store is handed over; threads
     * end; the store is closed. Metrics are served to the end.
     */
    @Override
    public void stop() {
        phase = Phase.STOPPING;
        Endpoints open = endpoints;
        if (open != null) {
            open.stopAccepting();
        }
        if (loops.areStarted()) {
            onEachShard(Shard::publishWills);
            onEachShard(shard -> {}); // what the wills caused on other shards is done
            onEachShard(Shard::disconnectAll);
        }
        if (open != null && !open.awaitClosed(STEP)) {
            LOG.warn("{} connections were still open after {}", open.open(), STEP);
        }
        if (loops.areStarted()) {
            onEachShard(Shard::flush); // what the ends of the connections left to write, too
        }
        loops.stop(STEP);
        AdminServer http = admin;
        if (http != null) {
            http.stop();
        }
        if (data != null) {
            data.close();
        }
    }

    /** With the rules that were set while earlier processes ran. */
    private LiveSharing sharing(Configuration configuration) {
        SharingRules configured = configuration.sharing().rules();
        return data == null
                ? new LiveSharing(node, configured, StoredRules.NONE)
                : LiveSharing.restored(node, configured, new StoredRules(data.store()));
    }

    private List<MetricsSource> metrics() {
        List<MetricsSource> sources = new ArrayList<>();
        sources.add(new NodeMetrics(node));
        sources.add(new TransportMetrics(loops));
        if (data != null) {
            sources.add(data);
        }
        return sources;
    }

    private void recover() throws StartException {
        if (data != null) {
            data.recover(node);
        }
    }

    private void listen(Configuration configuration, LiveSharing sharing) throws IOException {
        List<Endpoint> bound = new ArrayList<>();
        Endpoints opened = TransportConfiguration.bind(configuration, loops);
        endpoints = opened;
        for (BoundEndpoint endpoint : opened.bound()) {
            bound.add(new Endpoint(endpoint.name(), endpoint.host(), endpoint.port()));
        }
        if (configuration.admin().enabled()) {
            AdminServer http =
                    AdminServer.start(
                            configuration.admin(),
                            () -> phase,
                            metrics(),
                            sharing,
                            data == null ? Durability.NONE : data);
            admin = http;
            bound.add(new Endpoint("admin", configuration.admin().host(), http.port()));
        }
        listening = List.copyOf(bound);
    }

    /** Runs a step on all shards at once and waits for all of them, within bounds. */
    private void onEachShard(Consumer<Shard> step) {
        CountDownLatch done = new CountDownLatch(node.shards());
        for (int i = 0; i < node.shards(); i++) {
            Shard shard = node.shard(i);
            shard.execute(
                    () -> {
                        step.accept(shard);
                        done.countDown();
                    });
        }
        try {
            if (!done.await(STEP.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("a shard did not finish a step of the stop within {}", STEP);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Half of the cores unless configured: kernel, compiler and collector need theirs too. */
    private static int shards(Configuration configuration) {
        int configured = configuration.node().shards();
        int half = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        return Math.min(Node.MAXIMUM_SHARDS, configured > 0 ? configured : half);
    }

    private static Clock systemClock() {
        long origin = System.nanoTime();
        return new Clock() {
            @Override
            public long millis() {
                return (System.nanoTime() - origin) / 1_000_000;
            }

            @Override
            public long wallMillis() {
                return System.currentTimeMillis();
            }
        };
    }
}
