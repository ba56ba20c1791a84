package io.rotamq.core;

import io.rotamq.core.port.Authenticator;
import io.rotamq.core.port.Authorizer;
import io.rotamq.core.port.Clock;
import io.rotamq.core.port.Connection;
import io.rotamq.core.port.ConnectionInfo;
import io.rotamq.core.port.CoreSettings;
import io.rotamq.core.port.MemoryStore;
import io.rotamq.core.port.Ports;
import io.rotamq.core.port.Store;
import io.rotamq.mqtt.Connack;
import io.rotamq.mqtt.Connect;
import io.rotamq.mqtt.ConnectProperties;
import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.Disconnect;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.Puback;
import io.rotamq.mqtt.Pubcomp;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.Pubrec;
import io.rotamq.mqtt.Pubrel;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.Suback;
import io.rotamq.mqtt.Subscribe;
import io.rotamq.mqtt.SubscribeRequest;
import io.rotamq.mqtt.Unsuback;
import io.rotamq.mqtt.Unsubscribe;
import io.rotamq.mqtt.Will;
import io.rotamq.mqtt.topic.TopicName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node on a store in memory that crashes and starts anew as a test wants. Shards and store work
 * only when the test lets them.
 */
final class DurableBroker {
    /** An hour that only the wall clock knows. */
    static final long HOUR = 3_600_000;

    private final int shards;
    private MemoryStore store;
    private Node node;
    private long now;
    private long wall = 1_700_000_000_000L;

    private final CoreSettings settings;

    DurableBroker(int shards) {
        this(CoreSettings.defaults(shards));
    }

    DurableBroker(CoreSettings settings) {
        this.settings = settings;
        this.shards = settings.shards();
        this.store = new MemoryStore(10);
        this.node = start();
    }

    private Node start() {
        Clock clock =
                new Clock() {
                    @Override
                    public long millis() {
                        return now;
                    }

                    @Override
                    public long wallMillis() {
                        return wall;
                    }
                };
        Ports ports =
                new Ports(
                        clock, shard -> {}, Authenticator.ACCEPT_ALL, Authorizer.ALLOW_ALL, store);
        Node started = new Node(settings, ports, 1);
        started.recover(Store.Progress.NONE);
        return started;
    }

    Node node() {
        return node;
    }

    MemoryStore store() {
        return store;
    }

    Shard shard(int index) {
        return node.shard(index);
    }

    /** Shards work until nothing is left to do, without any commit. */
    void work() {
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < shards; i++) {
                node.shard(i).run();
            }
        }
    }

    /** Shards and store work until nothing is left to do. */
    void settle() {
        work();
        while (store.run() > 0) {
            work();
        }
    }

    /** One batch is committed, and the shards hear of it. */
    boolean commit() {
        boolean done = store.step();
        work();
        return done;
    }

    /** The process ends at this very moment, and starts anew after some time. */
    void crash(long downtime) {
        store = store.crash();
        wall += downtime;
        now = 0;
        node = start();
        work();
    }

    void crash() {
        crash(0);
    }

    /** Time goes by while the broker works. */
    void pass(long millis) {
        now += millis;
        wall += millis;
        for (int i = 0; i < shards; i++) {
            node.shard(i).tick();
        }
        work();
    }

    long entries(Store.Kind kind) {
        long[] count = new long[1];
        store.forEach(kind, (key, value) -> count[0]++);
        return count[0];
    }

    Peer peer(int shard, String id) {
        return new Peer(shard, id);
    }

    /** A client; its session expires after an hour unless it says otherwise. */
    final class Peer implements Connection {
        /** What arrived: PUBLISH as {@code payload/qos/id}, with {@code !} for DUP. */
        final List<String> received = new ArrayList<>();

        private final String id;
        private Client client;
        private boolean writable = true;
        private boolean closed;

        Peer(int shard, String id) {
            this.id = id;
            this.client = shard(shard).accept(this);
        }

        Peer connect() {
            return connect(false, 3_600, null);
        }

        Peer connect(boolean clean, long expiry, @Nullable Will will) {
            return connect(ProtocolVersion.MQTT_5, clean, expiry, will);
        }

        Peer connect(ProtocolVersion version, boolean clean, long expiry, @Nullable Will will) {
            ConnectProperties properties =
                    new ConnectProperties(
                            expiry, 100, Long.MAX_VALUE, 0, false, true, null, null, List.of());
            client.receive(new Connect(version, id, clean, 0, properties, will, null, null));
            return this;
        }

        void subscribe(String filter, int qos) {
            SubscribeRequest request = new SubscribeRequest(filter, qos, false, false, 0);
            client.receive(new Subscribe(1, 0, List.of(request), List.of()));
        }

        void unsubscribe(String filter) {
            client.receive(new Unsubscribe(2, List.of(filter), List.of()));
        }

        void publish(String topic, int qos, int number) {
            publish(topic, qos, number, false, String.valueOf(number));
        }

        void publish(String topic, int qos, int id, boolean retain, String payload) {
            client.receive(
                    new Publish(
                            TopicName.of(topic),
                            payload.getBytes(StandardCharsets.UTF_8),
                            qos,
                            retain,
                            false,
                            qos == 0 ? 0 : id,
                            -1,
                            Publish.NO_PROPERTIES));
        }

        void pubrel(int packetId) {
            client.receive(new Pubrel(packetId, ReasonCode.SUCCESS, Details.NONE));
        }

        void puback(int packetId) {
            client.receive(new Puback(packetId, ReasonCode.SUCCESS, Details.NONE));
        }

        void pubrec(int packetId) {
            client.receive(new Pubrec(packetId, ReasonCode.SUCCESS, Details.NONE));
        }

        void pubcomp(int packetId) {
            client.receive(new Pubcomp(packetId, ReasonCode.SUCCESS, Details.NONE));
        }

        /** A normal end of the connection, with another expiry if it is not negative. */
        void disconnect(long expiry) {
            client.receive(new Disconnect(ReasonCode.SUCCESS, expiry, Details.NONE, null));
        }

        void drop() {
            client.closed();
        }

        boolean isClosed() {
            return closed;
        }

        /** What arrived since this was asked for last. */
        List<String> news() {
            List<String> news = List.copyOf(received);
            received.clear();
            return news;
        }

        @Override
        public void established(
                ProtocolVersion version, long maximum, int aliases, boolean problemInformation) {}

        @Override
        public void send(Packet packet) {
            switch (packet) {
                case Connack connack ->
                        received.add(
                                connack.reasonCode().isError()
                                        ? "REFUSED"
                                        : connack.sessionPresent() ? "RESUMED" : "NEW");
                case Suback suback -> received.add(name("SUBACK", suback.reasonCodes()));
                case Unsuback unsuback -> received.add(name("UNSUBACK", unsuback.reasonCodes()));
                case Pubrel(var pid, var _, var _) -> received.add("PUBREL " + pid);
                case Puback(var pid, var code, var _) -> received.add(name("PUBACK", pid, code));
                case Pubrec(var pid, var code, var _) -> received.add(name("PUBREC", pid, code));
                case Pubcomp(var pid, var _, var _) -> received.add("PUBCOMP " + pid);
                case Disconnect _ -> received.add("DISCONNECT");
                default -> {}
            }
        }

        private static String name(String packet, List<ReasonCode> codes) {
            return codes.stream().anyMatch(ReasonCode::isError) ? "NO " + packet : packet;
        }

        private static String name(String packet, int id, ReasonCode code) {
            return (code.isError() ? "NO " + packet : packet) + " " + id;
        }

        @Override
        public boolean fits(Publish publish, long messageExpiry, int[] subscriptionIds) {
            return true;
        }

        @Override
        public void publish(
                Publish publish,
                int packetId,
                int qos,
                boolean dup,
                boolean retain,
                long messageExpiry,
                int[] subscriptionIds) {
            String payload = new String(publish.payload(), StandardCharsets.UTF_8);
            received.add(payload + "/" + qos + "/" + packetId + (dup ? "!" : ""));
        }

        @Override
        public boolean isWritable() {
            return writable;
        }

        @Override
        public void setReading(boolean reading) {}

        @Override
        public void close() {
            closed = true;
        }

        @Override
        public void moveTo(int shard, Connect connect) {
            client = shard(shard).accept(this);
            client.receive(connect);
        }

        @Override
        public ConnectionInfo info() {
            return new ConnectionInfo("test", "test:1", null);
        }
    }
}
