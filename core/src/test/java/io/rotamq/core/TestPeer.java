package io.rotamq.core;

import io.rotamq.core.port.Authenticator;
import io.rotamq.core.port.Authorizer;
import io.rotamq.core.port.Connection;
import io.rotamq.core.port.ConnectionInfo;
import io.rotamq.core.port.CoreSettings;
import io.rotamq.core.port.Ports;
import io.rotamq.mqtt.Connect;
import io.rotamq.mqtt.ConnectProperties;
import io.rotamq.mqtt.Details;
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
import io.rotamq.mqtt.Unsubscribe;
import io.rotamq.mqtt.UserProperty;
import io.rotamq.mqtt.topic.TopicName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A client on one shard of a node, driven packet by packet; keeps what it is sent. */
final class TestPeer implements Connection {
    /** What arrived: PUBLISH as {@code payload/qos/id}, with {@code !} for DUP; others by name. */
    final List<String> received = new ArrayList<>();

    /** Answers to SUBSCRIBE, as {@code code} or {@code code: reason}. */
    final List<String> subscribed = new ArrayList<>();

    /** Codes of the answers to publishes that are errors. */
    final List<ReasonCode> refusals = new ArrayList<>();

    private int[] tooLarge = {};
    private boolean writable;
    private final Client client;

    private TestPeer(Shard shard, boolean writable) {
        this.writable = writable;
        client = shard.accept(this);
    }

    /** A node whose shards work only when the test runs them; the time is what the test says. */
    static Node node(CoreSettings settings, long[] now) {
        return new Node(
                settings,
                new Ports(
                        () -> now[0], shard -> {}, Authenticator.ACCEPT_ALL, Authorizer.ALLOW_ALL),
                1);
    }

    static TestPeer connect(Shard shard, String id, int receiveMaximum) {
        return connect(shard, id, receiveMaximum, true);
    }

    /** With a socket that has room, or has none from the beginning. */
    static TestPeer connect(Shard shard, String id, int receiveMaximum, boolean writable) {
        return connect(shard, id, receiveMaximum, writable, 1_000);
    }

    /** For a session that outlives its connection by so many seconds. */
    static TestPeer connect(
            Shard shard, String id, int receiveMaximum, boolean writable, long expiry) {
        TestPeer peer = new TestPeer(shard, writable);
        peer.connect(id, receiveMaximum, expiry);
        return peer;
    }

    /** For a session that ends with the connection. */
    static TestPeer connectForNow(Shard shard, String id) {
        TestPeer peer = new TestPeer(shard, true);
        peer.connect(id, 100, 0);
        return peer;
    }

    private void connect(String id, int receiveMaximum, long expiry) {
        ConnectProperties properties =
                new ConnectProperties(
                        expiry,
                        receiveMaximum,
                        Long.MAX_VALUE,
                        0,
                        false,
                        true,
                        null,
                        null,
                        List.of());
        client.receive(
                new Connect(ProtocolVersion.MQTT_5, id, false, 0, properties, null, null, null));
    }

    void subscribe(String filter, int qos) {
        subscribe(filter, qos, List.of());
    }

    void subscribe(String filter, int qos, List<UserProperty> properties) {
        SubscribeRequest request = new SubscribeRequest(filter, qos, false, false, 0);
        client.receive(new Subscribe(1, 0, List.of(request), properties));
    }

    /** With an expiry in seconds; -1 for none. */
    void publish(String topic, int qos, int number, long expiry) {
        client.receive(
                new Publish(
                        TopicName.of(topic),
                        new byte[] {(byte) number},
                        qos,
                        false,
                        false,
                        qos == 0 ? 0 : number,
                        expiry,
                        Publish.NO_PROPERTIES));
        client.receive(new Pubrel(number, ReasonCode.SUCCESS, Details.NONE));
    }

    void puback(int packetId) {
        client.receive(new Puback(packetId, ReasonCode.SUCCESS, Details.NONE));
    }

    /** A negative acknowledgement. */
    void refuse(int packetId) {
        client.receive(new Puback(packetId, ReasonCode.UNSPECIFIED_ERROR, Details.NONE));
    }

    void pubrec(int packetId) {
        client.receive(new Pubrec(packetId, ReasonCode.SUCCESS, Details.NONE));
    }

    void pubcomp(int packetId) {
        client.receive(new Pubcomp(packetId, ReasonCode.SUCCESS, Details.NONE));
    }

    void unsubscribe(String filter) {
        client.receive(new Unsubscribe(2, List.of(filter), List.of()));
    }

    /** From the next packet on it takes no message with these numbers. */
    void tooLarge(int... numbers) {
        tooLarge = numbers;
    }

    /** From the next packet on its socket has no room. */
    void blocked() {
        writable = false;
    }

    void writable() {
        writable = true;
        client.writable();
    }

    void drop() {
        client.closed();
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
            case Pubrel pubrel -> received.add("PUBREL " + pubrel.packetId());
            case Puback puback -> {
                received.add("PUBACK " + puback.packetId());
                if (puback.reasonCode().isError()) {
                    refusals.add(puback.reasonCode());
                }
            }
            case Suback suback -> {
                String reason = suback.details().reasonString();
                String code = Integer.toHexString(suback.reasonCodes().getFirst().code());
                subscribed.add(reason == null ? code : code + ": " + reason);
            }
            default -> {}
        }
    }

    @Override
    public boolean fits(Publish publish, long messageExpiry, int[] subscriptionIds) {
        return Arrays.stream(tooLarge).noneMatch(number -> number == publish.payload()[0]);
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
        received.add(publish.payload()[0] + "/" + qos + "/" + packetId + (dup ? "!" : ""));
    }

    @Override
    public boolean isWritable() {
        return writable;
    }

    @Override
    public void setReading(boolean reading) {}

    @Override
    public void close() {}

    @Override
    public void moveTo(int shard, Connect connect) {
        throw new AssertionError("moved");
    }

    @Override
    public ConnectionInfo info() {
        return new ConnectionInfo("test", "test:1", null);
    }
}
