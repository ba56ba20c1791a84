package io.rotamq.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rotamq.core.port.DropReason;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A peer that does not read costs only itself. */
class SlowReaderTest {
    private static final int SMALL = 4 * 1024;

    @Test
    void dropsForTheReaderThatStoppedAndServesTheOther() throws Exception {
        try (Rig rig = Rig.start()) {
            String topic = Fresh.topic();
            RawClient deaf = smallSocket(rig);
            deaf.connect(ConnectPacket.v5(Fresh.id()));
            deaf.subscribe(topic, 0);
            RawClient reader = rig.client();
            reader.subscribe(topic, 0);
            RawClient publisher = rig.client();
            byte[] payload = new byte[10_000];
            int sent = 0;
            while (rig.node.dropped(DropReason.SLOW_READER) == 0) {
                publisher.send(PublishPacket.of(topic, "").payload(payload));
                assertThat(reader.delivery().payload()).hasSize(payload.length);
                assertThat(++sent).isLessThan(10_000);
            }
            assertThat(deaf.delivery().payload()).hasSize(payload.length);
        }
    }

    @Test
    void keepsLittleForEachReaderWhileVeryManyDoNotReadAndDeliversAgainAfterwards()
            throws Exception {
        try (Rig rig = Rig.start()) {
            WaitingBytes all = rig.loops.waitingBytes();
            long others = Long.MAX_VALUE / 2;
            all.change(others);
            String topic = Fresh.topic();
            RawClient deaf = smallSocket(rig);
            deaf.connect(ConnectPacket.v5(Fresh.id()));
            deaf.subscribe(topic, 0);
            RawClient publisher = rig.client();
            byte[] payload = new byte[1_000];
            while (all.used() == others || rig.node.dropped(DropReason.SLOW_READER) == 0) {
                publisher.send(PublishPacket.of(topic, "").payload(payload)).ping();
            }
            assertThat(all.used() - others).isLessThan(Rig.OUTBOUND_BUFFER / 2);
            // The others have read, and so does this one: all that waits for it is gone.
            all.change(-others);
            while (all.used() > 0) {
                deaf.poll(Duration.ofMillis(100));
            }
            publisher.send(PublishPacket.of(topic, "last"));
            String text = deaf.delivery().text();
            while (!text.equals("last")) {
                text = deaf.delivery().text();
            }
        }
    }

    @Test
    void deliversAgainWhenTheReaderHasCaughtUp() throws Exception {
        try (Rig rig = Rig.start()) {
            String topic = Fresh.topic();
            RawClient slow = smallSocket(rig);
            slow.connect(ConnectPacket.v5(Fresh.id()));
            slow.subscribe(topic, 1);
            RawClient publisher = rig.client();
            byte[] payload = new byte[10_000];
            for (int i = 1; i <= 90; i++) { // within the client's window, beyond the buffers
                publisher.publish(PublishPacket.of(topic, "").payload(payload).qos(1, i));
            }
            for (int i = 1; i <= 90; i++) {
                assertThat(slow.receive().payload()).hasSize(payload.length);
            }
        }
    }

    @Test
    void stopsReadingFromAPeerThatDoesNotRead() throws Exception {
        try (Rig rig = Rig.start();
                SocketChannel channel = SocketChannel.open()) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, SMALL);
            channel.connect(address(rig));
            write(channel, ConnectPacket.v5(Fresh.id()).encode());
            ByteBuffer pings = ByteBuffer.allocate(64 * 1024);
            while (pings.hasRemaining()) {
                pings.putShort((short) 0xC000);
            }
            channel.configureBlocking(false);
            long sent = floodUntilBlocked(channel, pings);
            long received = rig.counters().bytesReceived();
            channel.configureBlocking(true);
            // Now it reads: CONNACK and an answer to every ping that was read, and to the rest,
            // too.
            readFully(channel, sent);
            await().until(() -> rig.counters().bytesReceived() >= received);
        }
    }

    private static long floodUntilBlocked(SocketChannel channel, ByteBuffer pings)
            throws IOException {
        long sent = 0;
        int idle = 0;
        while (idle < 50) {
            pings.clear();
            pings.position((int) (sent % 2));
            int n = channel.write(pings);
            sent += n;
            idle = n == 0 ? idle + 1 : 0;
            if (n == 0) {
                await().pollDelay(Duration.ofMillis(10)).until(() -> true);
            }
            assertThat(sent).as("bytes taken unread").isLessThan(100L << 20);
        }
        return sent;
    }

    private static void readFully(SocketChannel channel, long atLeast) throws IOException {
        ByteBuffer sink = ByteBuffer.allocate(64 * 1024);
        for (long read = 0; read < atLeast; ) {
            sink.clear();
            int n = channel.read(sink);
            assertThat(n).isPositive();
            read += n;
        }
    }

    @Test
    void cutsOffThePeerThatDoesNotReadItsLastPackets() throws Exception {
        try (Rig rig = Rig.start()) {
            String topic = Fresh.topic();
            String id = Fresh.id();
            RawClient deaf = smallSocket(rig);
            deaf.connect(ConnectPacket.v5(id));
            deaf.subscribe(topic, 0);
            RawClient publisher = rig.client();
            byte[] payload = new byte[10_000];
            while (rig.node.dropped(DropReason.SLOW_READER)
                    < 500) { // the system's buffers are full
                publisher.send(PublishPacket.of(topic, "").payload(payload));
                publisher.ping();
            }
            assertThat(rig.node.kick(id)).isTrue();
            await().atMost(Rig.CLOSE_TIMEOUT.plusSeconds(2))
                    .until(() -> rig.counters().forcedCloses() == 1);
            await().until(() -> rig.endpoints.open() == 1);
        }
    }

    private static RawClient smallSocket(Rig rig) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(SMALL);
        socket.connect(address(rig));
        return rig.closing(RawClient.on(socket));
    }

    private static InetSocketAddress address(Rig rig) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), rig.port("mqtt"));
    }

    private static void write(SocketChannel channel, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }
}
