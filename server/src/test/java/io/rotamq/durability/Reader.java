package io.rotamq.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.Type;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** A subscriber whose session outlives connections; keeps its own part of QoS 2 exchanges. */
final class Reader {
    private final String name;
    private final String receiver;
    private final Ledger ledger;

    /** QoS 2 packets that were received and not released. */
    private final Set<Integer> unreleased = new HashSet<>();

    /** A session of its own, or a member of the group of that name. */
    Reader(String name, String receiver, Ledger ledger) {
        this.name = name;
        this.receiver = receiver;
        this.ledger = ledger;
    }

    /** Makes the session. */
    void subscribe(int port, String filter) {
        try (RawClient client = RawClient.connect(port)) {
            client.connect(connect());
            client.subscribe(filter, 2);
        }
    }

    /** Until the connection breaks. */
    void read(int port) {
        try (RawClient client = open(port)) {
            while (true) {
                take(client, client.read(Duration.ofSeconds(60)));
            }
        } catch (AssertionError | RuntimeException e) {
            Crash.mustBeTheEndOfTheConnection(e);
        }
    }

    /** Until nothing comes for a while. */
    void drain(int port, Duration quiet) {
        try (RawClient client = open(port)) {
            for (Received next; (next = client.poll(quiet)) != null; ) {
                take(client, next);
            }
        }
    }

    private RawClient open(int port) {
        RawClient client = RawClient.connect(port);
        Received connack = client.tryConnect(connect());
        assertThat(connack.sessionPresent()).as("session of " + name).isTrue();
        return client;
    }

    private ConnectPacket connect() {
        return ConnectPacket.v5(name).lasting(100_000);
    }

    private void take(RawClient client, Received packet) {
        int id = packet.packetId();
        if (packet.type() == Type.PUBREL) {
            unreleased.remove(id);
            client.send(AckPacket.pubcomp(id));
        } else if (packet.qos() == 1) {
            note(packet);
            client.send(AckPacket.puback(id));
        } else if (packet.type() == Type.PUBLISH) {
            if (unreleased.add(id)) {
                note(packet);
            }
            client.send(AckPacket.pubrec(id));
        } else {
            throw new IllegalStateException("unexpected: " + packet);
        }
    }

    private void note(Received packet) {
        ledger.received(receiver, new String(packet.payload(), StandardCharsets.UTF_8));
    }
}
