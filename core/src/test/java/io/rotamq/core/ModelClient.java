package io.rotamq.core;

import io.rotamq.core.Link.Delivery;
import io.rotamq.core.ModelSession.ModelSubscription;
import io.rotamq.mqtt.Connack;
import io.rotamq.mqtt.Connect;
import io.rotamq.mqtt.ConnectProperties;
import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.Disconnect;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.Puback;
import io.rotamq.mqtt.Pubcomp;
import io.rotamq.mqtt.Pubrec;
import io.rotamq.mqtt.Pubrel;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.Suback;
import io.rotamq.mqtt.Subscribe;
import io.rotamq.mqtt.SubscribeRequest;
import io.rotamq.mqtt.Unsubscribe;
import io.rotamq.mqtt.UserProperty;
import io.rotamq.mqtt.Will;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A client of the simulated world. It obeys the standard, but it is slow, forgetful, and loses its
 * connections.
 */
final class ModelClient {
    private static final List<String> GLOBS =
            List.of("*", "k*", "k?", "k1", "t/*", "t/?", "c*", "c1", "0", "?", "x", "*1*");

    final String id;
    final int socketRoom;

    private final Simulation simulation;
    private final SplittableRandom random;
    private final boolean v5;
    private final int keepAlive;
    final long maximumPacket;

    /** Chance in 100 that an acknowledgement is put off. */
    private final int lazy;

    private final Map<Integer, Outgoing> outgoing = new LinkedHashMap<>();

    /** Acknowledgements of deliveries on earlier connections. */
    private final List<Packet> remembered = new ArrayList<>();

    @Nullable Link link;

    /** CONNACK has arrived. */
    boolean online;

    private int lastPacketId;

    /** A QoS 1 or 2 publish that is not finished. */
    private static final class Outgoing {
        final Published message;
        boolean released;

        Outgoing(Published message) {
            this.message = message;
        }
    }

    ModelClient(Simulation simulation, String id, SplittableRandom random, boolean calm) {
        Scenario scenario = simulation.scenario;
        this.simulation = simulation;
        this.random = random;
        this.id = id;
        this.keepAlive = calm ? 0 : scenario.keepAlive();
        this.v5 = calm || random.nextInt(3) > 0;
        boolean slow = !calm && random.nextInt(100) < scenario.slowReaders();
        this.socketRoom = slow ? 1 + random.nextInt(4) : Integer.MAX_VALUE;
        boolean small = v5 && !calm && random.nextInt(100) < scenario.smallPackets();
        this.maximumPacket = small ? 30 + random.nextInt(40) : Long.MAX_VALUE;
        this.lazy = random.nextInt(3) == 0 ? 80 : random.nextInt(40);
    }

    void connect(boolean clean, long expiry, int willChance) {
        Link next = simulation.link(this);
        Will will =
                random.nextInt(100) < willChance
                        ? simulation.wills.make(
                                next,
                                simulation.nextNumber(),
                                random.nextInt(3),
                                random.nextInt(4) == 0,
                                v5 ? random.nextInt(4) * 2L : 0)
                        : null;
        int receiveMaximum = random.nextInt(3) == 0 ? 65_535 : 1 + random.nextInt(4);
        ConnectProperties properties =
                v5
                        ? new ConnectProperties(
                                expiry,
                                receiveMaximum,
                                maximumPacket,
                                0,
                                false,
                                true,
                                null,
                                null,
                                List.of())
                        : ConnectProperties.defaults(clean ? 0 : ConnectProperties.NEVER);
        ProtocolVersion version = v5 ? ProtocolVersion.MQTT_5 : ProtocolVersion.MQTT_3_1_1;
        next.connect = new Connect(version, id, clean, keepAlive, properties, will, null, null);
        next.toServer.add(next.connect);
        link = next;
        online = false;
    }

    /** One deed of its own accord. */
    void act() {
        Link current = link;
        if (current == null) {
            connect(random.nextInt(4) == 0, expiry(), 40);
        } else if (random.nextInt(100) < simulation.scenario.trouble()) {
            misbehave(current);
        } else if (online && !current.closed) {
            behave(current);
        }
    }

    private long expiry() {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> 1 + random.nextInt(20);
            case 2 -> 3_600;
            default -> ConnectProperties.NEVER;
        };
    }

    private void misbehave(Link current) {
        switch (random.nextInt(6)) {
            case 0, 1 -> {
                simulation.trace("%s drops", current);
                abandon(current);
                if (random.nextBoolean()) {
                    current.toServer.clear();
                }
                link = null;
            }
            case 2 -> {
                simulation.trace("%s is abandoned", current);
                abandon(current);
                link = null;
                connect(random.nextInt(4) == 0, expiry(), 40);
            }
            case 3 -> {
                boolean mayChange = v5 && current.connect.properties().sessionExpiry() > 0;
                current.toServer.add(
                        new Disconnect(
                                v5 && random.nextInt(3) == 0
                                        ? ReasonCode.DISCONNECT_WITH_WILL_MESSAGE
                                        : ReasonCode.SUCCESS,
                                mayChange && random.nextBoolean() ? expiry() : -1,
                                Details.NONE,
                                null));
                link = null;
                abandon(current);
            }
            case 4 -> simulation.kick(id);
            default -> {
                if (online) {
                    unsubscribe(current);
                }
            }
        }
    }

    private void behave(Link current) {
        int roll = random.nextInt(20);
        if (roll < 4) {
            subscribe(current, simulation.someFilter());
        } else if (roll == 4) {
            unsubscribe(current);
        } else {
            publish(current);
        }
    }

    void subscribe(Link current, String text) {
        SubscriptionFilter filter = Objects.requireNonNull(SubscriptionFilter.parse(text));
        SubscribeRequest request =
                new SubscribeRequest(
                        text,
                        text.equals("#") || text.equals("w/#") ? 0 : random.nextInt(3),
                        !filter.isShared() && random.nextInt(5) == 0 && v5,
                        v5 && !text.equals("#") && !text.equals("w/#") && random.nextInt(5) == 0,
                        text.equals("#") ? 0 : random.nextInt(3));
        current.toServer.add(
                new Subscribe(
                        packetId(),
                        simulation.nextNumber(),
                        List.of(request),
                        filter.isShared() ? keyFilters() : List.of()));
    }

    private List<UserProperty> keyFilters() {
        List<UserProperty> chosen = new ArrayList<>();
        while (v5 && random.nextInt(100) < simulation.scenario.keyFilters()) {
            String glob = GLOBS.get(random.nextInt(GLOBS.size()));
            chosen.add(new UserProperty("key-filter", glob));
        }
        return chosen;
    }

    private void unsubscribe(Link current) {
        current.toServer.add(
                new Unsubscribe(packetId(), List.of(simulation.someFilter()), List.of()));
    }

    private void publish(Link current) {
        if (outgoing.size() >= simulation.scenario.core().protocol().receiveMaximum()) {
            return;
        }
        int qos = random.nextInt(3);
        boolean retain = random.nextInt(12) == 0;
        int size = retain && random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(40);
        boolean expires = random.nextInt(100) < simulation.scenario.expiring();
        Published message =
                new Published(
                        simulation.nextNumber(),
                        id,
                        simulation.someTopic(),
                        qos,
                        retain,
                        expires ? random.nextInt(6) : -1,
                        new byte[size],
                        random.nextInt(5) == 0 ? "" : "k" + random.nextInt(3));
        simulation.ledger.add(message);
        int packetId = qos == 0 ? 0 : packetId();
        if (qos > 0) {
            outgoing.put(packetId, new Outgoing(message));
        }
        current.toServer.add(message.packet(packetId, false));
    }

    private int packetId() {
        do {
            lastPacketId = lastPacketId % 65_535 + 1;
        } while (outgoing.containsKey(lastPacketId));
        return lastPacketId;
    }

    /** Something arrived. */
    void handle(Link from, Object packet) {
        switch (packet) {
            case Delivery delivery -> delivered(from, delivery);
            case Connack connack -> connected(from, connack);
            case Puback puback -> outgoing.remove(puback.packetId());
            case Pubrec pubrec -> received(from, pubrec);
            case Pubcomp pubcomp -> outgoing.remove(pubcomp.packetId());
            case Pubrel pubrel ->
                    answer(from, new Pubcomp(pubrel.packetId(), ReasonCode.SUCCESS, Details.NONE));
            default -> {}
        }
    }

    private void connected(Link from, Connack connack) {
        simulation.check(connack.reasonCode() == ReasonCode.SUCCESS, "refused: %s", connack);
        online = true;
        if (!connack.sessionPresent()) {
            outgoing.clear();
            remembered.clear();
            return;
        }
        // Before they are sent again.
        from.deferred.addAll(remembered);
        remembered.clear();
        outgoing.forEach(
                (packetId, out) ->
                        from.toServer.add(
                                out.released
                                        ? new Pubrel(packetId, ReasonCode.SUCCESS, Details.NONE)
                                        : out.message.packet(packetId, true)));
    }

    private void received(Link from, Pubrec pubrec) {
        Outgoing out = outgoing.get(pubrec.packetId());
        if (pubrec.reasonCode().isError()) {
            outgoing.remove(pubrec.packetId());
        } else {
            if (out != null) {
                out.released = true;
            }
            answer(from, new Pubrel(pubrec.packetId(), ReasonCode.SUCCESS, Details.NONE));
        }
    }

    private void delivered(Link from, Delivery delivery) {
        boolean negative =
                v5
                        && simulation.scenario.negatives()
                        && !simulation.settling
                        && random.nextInt(8) == 0;
        ReasonCode code = negative ? ReasonCode.UNSPECIFIED_ERROR : ReasonCode.SUCCESS;
        if (delivery.qos() == 1) {
            answer(from, new Puback(delivery.packetId(), code, Details.NONE));
        } else if (delivery.qos() == 2) {
            answer(from, new Pubrec(delivery.packetId(), code, Details.NONE));
        }
    }

    private void answer(Link from, Packet packet) {
        if (!simulation.settling && random.nextInt(100) < lazy) {
            from.deferred.add(packet);
        } else {
            from.toServer.add(packet);
        }
    }

    /** The broker sent something other than PUBLISH. */
    void sent(Link on, Packet packet) {
        switch (packet) {
            case Connack connack -> simulation.entered(on, connack);
            case Puback puback -> acknowledged(on, "PUBACK " + puback.packetId());
            case Pubrec pubrec -> acknowledged(on, "PUBREC " + pubrec.packetId());
            case Suback suback -> on.granted = suback.reasonCodes().getFirst();
            case Disconnect disconnect -> disconnected(on, disconnect.reasonCode());
            default -> {}
        }
    }

    private void disconnected(Link on, ReasonCode code) {
        switch (code) {
            case SESSION_TAKEN_OVER, ADMINISTRATIVE_ACTION, SERVER_SHUTTING_DOWN -> {}
            case KEEP_ALIVE_TIMEOUT ->
                    simulation.check(
                            keepAlive > 0 && simulation.now - on.lastReceived >= keepAlive * 1_500L,
                            "not silent for long: %s",
                            on);
            default -> simulation.check(false, "disconnected: %s", code);
        }
    }

    private void acknowledged(Link on, String what) {
        String due = on.due.poll();
        simulation.check(what.equals(due), "%s instead of %s on %s", what, due, on);
    }

    /** The client sees that its connection is gone. */
    void lost(Link gone) {
        remember(gone);
        if (link == gone) {
            link = null;
            online = false;
        }
    }

    private void abandon(Link gone) {
        gone.cut = true;
        gone.toClient.clear();
        remember(gone);
    }

    private void remember(Link gone) {
        if (random.nextInt(2) == 0) {
            remembered.addAll(gone.deferred);
        }
        gone.deferred.clear();
    }

    static ModelSubscription subscription(Subscribe subscribe) {
        SubscribeRequest request = subscribe.requests().getFirst();
        return new ModelSubscription(
                subscribe.subscriptionId(),
                Objects.requireNonNull(SubscriptionFilter.parse(request.filter())),
                request.qos(),
                request.noLocal(),
                request.retainAsPublished(),
                subscribe.userProperties().stream().map(UserProperty::value).toList(),
                new HashMap<>());
    }

    @Override
    public String toString() {
        return id;
    }
}
