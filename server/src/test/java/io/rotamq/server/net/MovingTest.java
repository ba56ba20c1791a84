package io.rotamq.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rotamq.core.port.Counter;
import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.Type;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** A connection moves to the loop that owns its session, and nothing of it is lost. */
class MovingTest {
    private static final int MESSAGES = 200;

    @Test
    void keepsEverythingThatCameBehindConnectInOrder() throws Exception {
        try (Rig rig = Rig.start()) {
            String id = Fresh.id();
            for (int round = 0; round < 4 * Rig.LOOPS; round++) {
                RawClient client = rig.open().level(5);
                client.send(conversation(id));
                expectAnswers(client);
            }
            assertThat(rig.counters().moves()).isGreaterThanOrEqualTo(2 * Rig.LOOPS);
            await().until(
                            () ->
                                    rig.node.total(Counter.CONNECTIONS_OPENED)
                                                    - rig.node.total(Counter.CONNECTIONS_CLOSED)
                                            == 1);
            assertThat(rig.counters().containedFailures()).isZero();
        }
    }

    @Test
    void keepsAPacketThatIsCutWhileMoving() throws Exception {
        try (Rig rig = Rig.start()) {
            String id = Fresh.id();
            byte[] stream = conversation(id);
            for (int cut = 12; cut < 400; cut += 7) {
                RawClient client = rig.open().level(5);
                client.send(Arrays.copyOf(stream, cut));
                client.send(Arrays.copyOfRange(stream, cut, stream.length));
                expectAnswers(client);
            }
            assertThat(rig.counters().moves()).isPositive();
        }
    }

    @Test
    void survivesPeersThatVanishOnTheWay() throws Exception {
        try (Rig rig = Rig.start()) {
            String id = Fresh.id();
            byte[] stream = conversation(id);
            RawClient first = rig.client(ConnectPacket.v5(id));
            for (int i = 0; i < 100; i++) {
                rig.open().send(stream).reset();
            }
            first.readUntilClosed(RawClient.PATIENCE);
            first.close();
            await().until(() -> rig.endpoints.open() == 0);
            rig.client(ConnectPacket.v5(id)).ping();
            assertThat(rig.counters().containedFailures()).isZero();
        }
    }

    private static byte[] conversation(String id) {
        String topic = "moving/" + id;
        Bytes stream =
                new Bytes()
                        .raw(ConnectPacket.v5(id).encode())
                        .raw(SubscribePacket.id(1).filter(topic, 0).encode(5));
        for (int i = 0; i < MESSAGES; i++) {
            stream.raw(PublishPacket.of(topic, "message " + i).encode(5));
        }
        return stream.toArray();
    }

    private static void expectAnswers(RawClient client) {
        assertThat(client.expect(Type.CONNACK).code()).isZero();
        client.expect(Type.SUBACK, 1);
        for (int i = 0; i < MESSAGES; i++) {
            assertThat(client.delivery().text()).isEqualTo("message " + i);
        }
    }
}
