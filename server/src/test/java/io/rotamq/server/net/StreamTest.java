package io.rotamq.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rotamq.core.port.Counter;
import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Outgoing;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.Type;
import io.rotamq.testkit.WillMessage;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** MQTT as a stream of bytes over TCP: where it is cut says nothing. */
class StreamTest {
    @AutoClose private static final Rig rig = Rig.start();

    @Test
    void understandsPacketsCutAtAnyByte() {
        byte[] stream = conversation(Fresh.id(), Fresh.topic());
        for (int cut = 1; cut < stream.length; cut++) {
            RawClient client = rig.open().level(5);
            long before = rig.counters().bytesReceived();
            client.send(Arrays.copyOf(stream, cut));
            long arrived = before + cut;
            await().pollInterval(Duration.ofMillis(1))
                    .until(() -> rig.counters().bytesReceived() >= arrived);
            client.send(Arrays.copyOfRange(stream, cut, stream.length));
            expectAnswers(client);
            client.close();
        }
    }

    @Test
    void understandsBytesThatComeOneByOne() {
        RawClient client = rig.open().level(5);
        for (byte each : conversation(Fresh.id(), Fresh.topic())) {
            client.send(new byte[] {each});
        }
        expectAnswers(client);
    }

    @Test
    void understandsAllPacketsInOneWrite() {
        RawClient client = rig.open().level(5);
        client.send(conversation(Fresh.id(), Fresh.topic()));
        expectAnswers(client);
    }

    /** CONNECT, SUBSCRIBE, two PUBLISH, PINGREQ, one behind the other. */
    private static byte[] conversation(String id, String topic) {
        byte[] payload = new byte[150]; // a length of two bytes
        return new Bytes()
                .raw(ConnectPacket.v5(id).encode())
                .raw(SubscribePacket.id(7).filter(topic, 1).encode(5))
                .raw(PublishPacket.of(topic, "first").qos(1, 8).encode(5))
                .raw(PublishPacket.of(topic, "").payload(payload).encode(5))
                .raw("C0 00")
                .toArray();
    }

    private static void expectAnswers(RawClient client) {
        assertThat(client.expect(Type.CONNACK).code()).isZero();
        client.expect(Type.SUBACK, 7);
        List<Received> rest = List.of(client.read(), client.read(), client.read(), client.read());
        assertThat(rest)
                .extracting(Received::type)
                .containsExactlyInAnyOrder(Type.PUBACK, Type.PUBLISH, Type.PUBLISH, Type.PINGRESP);
    }

    @Test
    void takesAHundredPacketsInOneWrite() {
        String topic = Fresh.topic();
        RawClient client = rig.client();
        client.subscribe(topic, 0);
        Outgoing[] packets = new Outgoing[100];
        for (int i = 0; i < packets.length; i++) {
            packets[i] = PublishPacket.of(topic, "message " + i);
        }
        client.send(packets);
        for (int i = 0; i < packets.length; i++) {
            assertThat(client.delivery().text()).isEqualTo("message " + i);
        }
    }

    @Test
    void carriesPacketsLargerThanAnyBuffer() {
        String topic = Fresh.topic();
        byte[] payload = new byte[1_500_000];
        new Random(1).nextBytes(payload);
        RawClient client = rig.client();
        client.subscribe(topic, 0);
        client.send(PublishPacket.of(topic, "").payload(payload));
        assertThat(client.delivery().payload()).isEqualTo(payload);
        client.ping();
    }

    @Test
    void sharesALargePayloadAmongItsReceiversInOrder() {
        String topic = Fresh.topic();
        byte[] large = new byte[40_000];
        new Random(2).nextBytes(large);
        List<RawClient> receivers = new ArrayList<>();
        for (int i = 0; i < 2 * Rig.LOOPS; i++) {
            receivers.add(rig.client());
            receivers.getLast().subscribe(topic, 1);
        }
        RawClient publisher = rig.client();
        publisher.send(
                PublishPacket.of(topic, "before").qos(1, 1),
                PublishPacket.of(topic, "").payload(large).qos(1, 2),
                PublishPacket.of(topic, "").payload(large).qos(1, 3),
                PublishPacket.of(topic, "behind").qos(1, 4));
        for (RawClient receiver : receivers) {
            assertThat(receiver.receive().text()).isEqualTo("before");
            assertThat(receiver.receive().payload()).isEqualTo(large);
            assertThat(receiver.receive().payload()).isEqualTo(large);
            assertThat(receiver.receive().text()).isEqualTo("behind");
        }
    }

    @Test
    void answersWhatCameBeforeTheEndOfInput() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), rig.port("mqtt"))) {
            RawClient client = RawClient.on(socket).level(5);
            client.send(ConnectPacket.v5(Fresh.id()).encode()).send("C0 00");
            socket.shutdownOutput();
            assertThat(client.readUntilClosed(RawClient.PATIENCE))
                    .extracting(Received::type)
                    .containsExactly(Type.CONNACK, Type.PINGRESP);
        }
    }

    @Test
    void letsThePeerReadTheReasonBehindWhichItSentALot() {
        for (int i = 0; i < 20; i++) {
            RawClient client = rig.client();
            byte[] flood = new byte[300_000];
            client.send(new Bytes().raw("F0 01 00").raw(flood).toArray());
            client.expectDisconnect(0x81, 0x82);
        }
    }

    @Test
    void countsAResetConnectionAsLostOnce() {
        String topic = Fresh.topic();
        RawClient watcher = rig.client();
        watcher.subscribe(topic, 0);
        long closed = rig.node.total(Counter.CONNECTIONS_CLOSED);
        RawClient client =
                rig.client(ConnectPacket.v5(Fresh.id()).will(WillMessage.of(topic, "gone")));
        client.reset();
        assertThat(watcher.delivery().text()).isEqualTo("gone");
        watcher.ping();
        await().until(() -> rig.node.total(Counter.CONNECTIONS_CLOSED) >= closed + 1);
        watcher.expectNothingFrom(watcher);
    }

    @Test
    void servesOthersWhileSomebodySendsGarbage() {
        RawClient canary = rig.client();
        Random random = new Random(42);
        for (int i = 0; i < 50; i++) {
            byte[] garbage = new byte[1 + random.nextInt(2_000)];
            random.nextBytes(garbage);
            try (RawClient stranger = RawClient.connect(rig.port("mqtt"))) {
                stranger.send(garbage);
            }
            byte[] request = "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
            try (RawClient browser = RawClient.connect(rig.port("mqtt"))) {
                browser.send(request).expectClosed();
            }
        }
        canary.ping();
        assertThat(rig.counters().containedFailures()).isZero();
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.14.4-2")
    void dropsWhatComesBehindDisconnect() {
        String topic = Fresh.topic();
        RawClient watcher = rig.client();
        watcher.subscribe(topic, 0);
        RawClient client = rig.client();
        client.send(AckPacket.disconnect(), PublishPacket.of(topic, "too late"));
        client.expectClosed();
        watcher.expectNothingFrom(rig.client());
    }
}
