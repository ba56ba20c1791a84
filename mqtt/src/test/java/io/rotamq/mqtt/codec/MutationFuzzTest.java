package io.rotamq.mqtt.codec;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.rotamq.mqtt.Acknowledgement;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.topic.TopicNames;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Damaged packets, made from valid ones: whatever arrives, the decoder answers with a packet, with
 * patience or with an {@link MqttException}, never reads past a packet, and takes no more memory
 * than the packet's size explains.
 *
 * <p>{@code -Drotamq.fuzz.rounds=…} runs longer, {@code -Drotamq.fuzz.seed=…} elsewhere; a failure
 * names the seed of its round, which alone repeats it with one round.
 */
class MutationFuzzTest {
    private static final int ROUNDS = Integer.getInteger("rotamq.fuzz.rounds", 10_000);
    private static final long SEED = Long.getLong("rotamq.fuzz.seed", 1);
    private static final DecoderLimits LIMITS = new DecoderLimits(4_000, 20_000, 10);

    /** What one decoded byte may cost, at worst: a user property of empty strings has five. */
    private static final long BYTES_FOR_EACH = 64;

    /** First use of a class, growth of a cache. */
    private static final long SOME_BYTES = 200_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final TopicNames topics = new TopicNames();
    private int accepted;
    private int refused;

    @Test
    void survivesDamagedPackets() {
        for (int round = 0; round < ROUNDS; round++) {
            long seed = SEED + round;
            try {
                run(new SplittableRandom(seed));
            } catch (Throwable failure) {
                throw new AssertionError(
                        "-Drotamq.fuzz.rounds=1 -Drotamq.fuzz.seed=" + seed, failure);
            }
        }
        if (ROUNDS > 100) {
            check(accepted > ROUNDS / 10 && refused > ROUNDS / 10, accepted + " of " + refused);
        }
    }

    private void run(SplittableRandom random) {
        ProtocolVersion version =
                random.nextInt(3) == 0 ? ProtocolVersion.MQTT_3_1_1 : ProtocolVersion.MQTT_5;
        ClientPackets packets = new ClientPackets(random, version);
        byte[] connect = packets.connect().bytes();
        PacketDecoder decoder = new PacketDecoder(LIMITS, topics);
        ByteBuf stream = random.nextBoolean() ? Unpooled.buffer() : Unpooled.directBuffer();
        stream.writeBytes(random.nextInt(4) == 0 ? damaged(connect, random) : connect);
        for (int count = random.nextInt(4); count >= 0; count--) {
            byte[] packet = packets.next().bytes();
            stream.writeBytes(random.nextInt(3) == 0 ? packet : damaged(packet, random));
        }
        try {
            feed(decoder, stream, random);
        } finally {
            stream.release();
        }
    }

    /** Lets the stream arrive piece by piece, until it is over or refused. */
    private void feed(PacketDecoder decoder, ByteBuf stream, SplittableRandom random) {
        int arrived = stream.writerIndex();
        int shown = 0;
        while (shown < arrived) {
            shown = Math.min(arrived, shown + 1 + random.nextInt(random.nextBoolean() ? 4 : 400));
            stream.writerIndex(shown);
            try {
                while (decodeOne(decoder, stream)) {
                    check(stream.writerIndex() == shown, "writer index moved");
                }
            } catch (MqttException refusal) {
                check(refusal.reasonCode().isError(), "reason code is no error");
                refused++;
                check(refusal.getStackTrace().length == 0, "exception has a stack trace");
                check(stream.readerIndex() <= shown, "reader index beyond what arrived");
                return;
            }
        }
    }

    private boolean decodeOne(PacketDecoder decoder, ByteBuf stream) throws MqttException {
        int start = stream.readerIndex();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        Packet packet = decoder.decode(stream);
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        int consumed = stream.readerIndex() - start;
        check(allocated <= SOME_BYTES + BYTES_FOR_EACH * consumed, "allocated " + allocated);
        if (packet == null) {
            check(consumed == 0, "consumed a part of a packet");
            return false;
        }
        check(consumed == packetSize(stream, start), "consumed another packet's bytes");
        accepted++;
        checkRepeats(decoder, packet);
        return true;
    }

    private static int packetSize(ByteBuf stream, int start) throws MqttException {
        long length = VariableByteInteger.read(stream, start + 1, stream.writerIndex());
        return 1 + VariableByteInteger.sizeOf(length) + VariableByteInteger.valueOf(length);
    }

    /** What was accepted can be sent on, and is accepted again as the same. */
    private static void checkRepeats(PacketDecoder decoder, Packet packet) throws MqttException {
        ProtocolVersion version = decoder.version();
        if (version == null || !version.isV5()) {
            return;
        }
        ByteBuf out = Unpooled.buffer();
        PacketEncoder encoder = new PacketEncoder(version, Long.MAX_VALUE, 0, true);
        switch (packet) {
            case Publish message ->
                    encoder.publish(
                            out,
                            message,
                            message.packetId(),
                            message.qos(),
                            message.dup(),
                            message.retain(),
                            message.messageExpiry(),
                            new int[0]);
            case Acknowledgement acknowledgement -> encoder.encode(acknowledgement, out);
            default -> {
                return;
            }
        }
        String again = Contents.of(decoder.decode(out));
        check(again.equals(Contents.of(packet)), "is another packet after sending it on: " + again);
    }

    private static byte[] damaged(byte[] packet, SplittableRandom random) {
        byte[] bytes = packet;
        for (int count = 1 + random.nextInt(3); count > 0 && bytes.length > 0; count--) {
            bytes = damagedOnce(bytes, random);
        }
        return bytes;
    }

    private static byte[] damagedOnce(byte[] packet, SplittableRandom random) {
        int at = random.nextInt(packet.length);
        byte[] bytes = packet.clone();
        switch (random.nextInt(7)) {
            case 0 -> bytes[at] = (byte) random.nextInt(256);
            case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 2 -> bytes[at] += (byte) (random.nextBoolean() ? 1 : -1);
            case 3 ->
                    bytes[at] =
                            new byte[] {0, 1, 0x7F, (byte) 0x80, (byte) 0xFF}[random.nextInt(5)];
            case 4 -> {
                return withLength(Arrays.copyOf(bytes, at), random);
            }
            case 5 -> {
                byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
                System.arraycopy(bytes, at, longer, at + 1, bytes.length - at);
                return withLength(longer, random);
            }
            default -> {
                int to = random.nextInt(packet.length);
                int count = Math.min(random.nextInt(8), packet.length - Math.max(at, to));
                System.arraycopy(packet, at, bytes, to, count);
            }
        }
        return bytes;
    }

    /** Corrects the remaining length, mostly, so that the damage is met inside the packet. */
    private static byte[] withLength(byte[] packet, SplittableRandom random) {
        boolean shortOne = packet.length >= 2 && packet.length < 130 && packet[1] >= 0;
        if (shortOne && random.nextInt(4) > 0) {
            packet[1] = (byte) (packet.length - 2);
        }
        return packet;
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    @Test
    void survivesRandomBytes() {
        for (int round = 0; round < ROUNDS / 4; round++) {
            SplittableRandom random = new SplittableRandom(SEED + round);
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            PacketDecoder decoder = random.nextBoolean() ? Connections.v5() : Connections.v3();
            ByteBuf stream = Unpooled.wrappedBuffer(bytes);
            try {
                feed(decoder, stream, random);
            } catch (Throwable failure) {
                throw new AssertionError(ByteBufUtil.hexDump(bytes), failure);
            }
        }
    }
}
