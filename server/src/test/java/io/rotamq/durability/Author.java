package io.rotamq.durability;

import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.Type;

/**
 * A publisher with a session that numbers its messages, one after the other, and goes on with an
 * exchange that a crash interrupted as the standard wants it.
 */
final class Author {
    private static final int PACKET_ID = 7;

    private final String name;
    private final int qos;
    private final Ledger ledger;
    private int number;

    /** Sent and not acknowledged. */
    private boolean pending;

    /** Its PUBREC came. */
    private boolean recorded;

    Author(String name, int qos, Ledger ledger) {
        this.name = name;
        this.qos = qos;
        this.ledger = ledger;
    }

    /** Until the connection breaks. */
    void publish(int port) {
        try (RawClient client = RawClient.connect(port)) {
            client.tryConnect(ConnectPacket.v5(name).lasting(100_000));
            while (true) {
                exchange(client);
            }
        } catch (AssertionError | RuntimeException e) {
            Crash.mustBeTheEndOfTheConnection(e);
        }
    }

    private void exchange(RawClient client) {
        PublishPacket packet = PublishPacket.of("t/" + name, message()).qos(qos, PACKET_ID);
        if (!recorded) {
            client.send(pending ? packet.dup() : packet);
            pending = true;
            Received ack = client.await(qos == 1 ? Type.PUBACK : Type.PUBREC, PACKET_ID);
            if (ack.code() >= 0x80) {
                throw new IllegalStateException("refused: " + ack);
            }
        }
        if (qos == 2) {
            recorded = true;
            ledger.acknowledged(message()); // with PUBREC it is the broker's
            client.send(AckPacket.pubrel(PACKET_ID));
            client.await(Type.PUBCOMP, PACKET_ID);
        }
        ledger.acknowledged(message());
        number++;
        pending = false;
        recorded = false;
    }

    private String message() {
        return qos + "/" + name + "/" + number;
    }
}
