package io.rotamq.core;

import io.rotamq.core.port.Connection;
import io.rotamq.core.port.ConnectionInfo;
import io.rotamq.mqtt.Connack;
import io.rotamq.mqtt.Connect;
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
import io.rotamq.mqtt.topic.TopicName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One network connection of the simulated world: the packets under way in both directions, and the
 * core's half of it, which is another {@link End} after a move to another shard.
 */
final class Link {
    final int number;
    final ModelClient owner;
    final Deque<Packet> toServer = new ArrayDeque<>();
    final Deque<Object> toClient = new ArrayDeque<>();

    /** Acknowledgements that the client will send some time. */
    final List<Packet> deferred = new ArrayList<>();

    /** Acknowledgements that the broker owes for publishes, in order. */
    final Deque<String> due = new ArrayDeque<>();

    /** Identifiers of deliveries sent on this connection and not finished. */
    final Set<Integer> outstanding = new HashSet<>();

    private final Simulation simulation;

    int shard;
    @Nullable Client server;
    @Nullable ModelSession session;
    @Nullable Connect connect;

    /** Where the broker sends the connection: on its way there. */
    int movingTo = -1;

    boolean established;

    /** When the broker was handed a packet last. */
    long lastReceived;

    boolean reading = true;

    /** The broker closed it. */
    boolean closed;

    /** The client's side is gone. */
    boolean cut;

    /** The core was told that the connection is gone. */
    boolean over;

    /** The socket was without room, and the core has not been told that it has again. */
    boolean saturated;

    /** Its latest publish came when the broker had no memory left. */
    boolean exhausted;

    /** What its latest SUBSCRIBE was answered. */
    @Nullable ReasonCode granted;

    private End end;

    Link(Simulation simulation, int number, ModelClient owner, int shard) {
        this.simulation = simulation;
        this.number = number;
        this.owner = owner;
        this.shard = shard;
        this.end = new End();
    }

    Connection connection() {
        return end;
    }

    /** Arrives at the other shard. */
    Connection moved() {
        shard = movingTo;
        movingTo = -1;
        end = new End();
        return end;
    }

    int receiveMaximum() {
        return Math.min(
                connect.properties().receiveMaximum(),
                simulation.scenario.core().sessions().maximumInflight());
    }

    boolean isWritable() {
        return toClient.size() < owner.socketRoom;
    }

    boolean isAtCore() {
        return server != null && movingTo < 0 && !over;
    }

    @Override
    public String toString() {
        return "link " + number + " of " + owner.id;
    }

    /** Whether the acknowledgement returns a credit, which the core may use at once. */
    void frees(Packet packet) {
        switch (packet) {
            case Puback(var id, var _, var _) -> outstanding.remove(id);
            case Pubrec(var id, var code, var _) when code.isError() -> outstanding.remove(id);
            case Pubcomp(var id, var _, var _) -> outstanding.remove(id);
            default -> {}
        }
    }

    /** What a trace says of a packet. */
    static String describe(Packet packet) {
        return switch (packet) {
            case Publish p ->
                    "PUBLISH %d qos %d id %d%s%s to %s"
                            .formatted(
                                    Published.numberOf(p),
                                    p.qos(),
                                    p.packetId(),
                                    p.dup() ? " dup" : "",
                                    p.retain() ? " retain" : "",
                                    p.topic());
            case Connack c -> "CONNACK present " + c.sessionPresent();
            case Connect c ->
                    "CONNECT clean %s expiry %s will %s receive %s size %s"
                            .formatted(
                                    c.cleanStart(),
                                    c.properties().sessionExpiry(),
                                    c.will() == null ? "-" : "after " + c.will().delay(),
                                    c.properties().receiveMaximum(),
                                    c.properties().maximumPacketSize());
            case Subscribe s ->
                    "SUBSCRIBE %d %s qos %d %s"
                            .formatted(
                                    s.subscriptionId(),
                                    s.requests().getFirst().filter(),
                                    s.requests().getFirst().qos(),
                                    s.userProperties());
            case Suback s -> "SUBACK " + s.reasonCodes();
            case Puback(var id, var code, var _) -> "PUBACK " + id + " " + code;
            case Pubrec(var id, var code, var _) -> "PUBREC " + id + " " + code;
            case Pubrel(var id, var code, var _) -> "PUBREL " + id + " " + code;
            case Pubcomp(var id, var code, var _) -> "PUBCOMP " + id + " " + code;
            default -> packet.toString();
        };
    }

    /** A PUBLISH on its way to the client. */
    record Delivery(
            Publish publish,
            int packetId,
            int qos,
            boolean dup,
            boolean retain,
            long expiry,
            int[] identifiers) {
        @Override
        public String toString() {
            return "PUBLISH id %d qos %d%s%s as %s"
                    .formatted(
                            packetId,
                            qos,
                            dup ? " dup" : "",
                            retain ? " retain" : "",
                            Arrays.toString(identifiers));
        }
    }

    /** The core's half, dead after a close or a move. */
    private final class End implements Connection {
        private boolean dead;

        @Override
        public void established(
                ProtocolVersion version, long maximum, int aliases, boolean problemInformation) {
            alive();
            simulation.check(!established, "established twice: %s", Link.this);
            established = true;
        }

        @Override
        public void send(Packet packet) {
            alive();
            simulation.check(established, "sent before it was established: %s", packet);
            simulation.trace("  %s <- %s", Link.this, describe(packet));
            owner.sent(Link.this, packet);
            push(packet);
            simulation.interleave();
        }

        @Override
        public boolean fits(Publish publish, long messageExpiry, int[] identifiers) {
            simulation.interleave();
            return size(publish, identifiers) <= connect.properties().maximumPacketSize();
        }

        @Override
        public void publish(
                Publish publish,
                int packetId,
                int qos,
                boolean dup,
                boolean retain,
                long messageExpiry,
                int[] identifiers) {
            alive();
            Delivery delivery =
                    new Delivery(publish, packetId, qos, dup, retain, messageExpiry, identifiers);
            simulation.check(
                    size(publish, identifiers) <= connect.properties().maximumPacketSize(),
                    "too large for %s",
                    Link.this);
            simulation.ledger.delivered(Link.this, delivery);
            push(delivery);
            simulation.interleave();
        }

        @Override
        public boolean isWritable() {
            simulation.interleave();
            return Link.this.isWritable();
        }

        @Override
        public void setReading(boolean on) {
            alive();
            reading = on;
            // While it is unread its keep alive is suspended.
            lastReceived = simulation.now;
        }

        @Override
        public void close() {
            if (!dead) {
                dead = true;
                closed = true;
                simulation.trace("  %s closed by the broker", Link.this);
                simulation.lost(Link.this);
            }
        }

        @Override
        public void moveTo(int to, Connect moved) {
            alive();
            dead = true;
            simulation.check(to != shard, "moved to the shard it is on");
            movingTo = to;
            server = null;
        }

        @Override
        public ConnectionInfo info() {
            return new ConnectionInfo("simulated", "sim:" + number, null);
        }

        private void push(Object packet) {
            if (!cut) {
                toClient.add(packet);
                saturated |= !Link.this.isWritable();
            }
        }

        private void alive() {
            simulation.check(!dead, "used after close or move: %s", Link.this);
            simulation.check(simulation.isRunning(shard), "used off its shard: %s", Link.this);
        }
    }

    private static int size(Publish publish, int[] identifiers) {
        return size(publish.payload(), publish.topic(), identifiers.length);
    }

    static int size(byte[] payload, TopicName topic, int identifiers) {
        return payload.length + topic.length() + 12 + 3 * identifiers;
    }
}
