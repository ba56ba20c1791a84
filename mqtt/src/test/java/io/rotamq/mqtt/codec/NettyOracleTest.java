package io.rotamq.mqtt.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.mqtt.MqttDecoder;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.util.ReferenceCountUtil;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.topic.TopicNames;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Netty's MQTT codec, written by others, understands valid packets as we do. */
class NettyOracleTest {
    private static final int ROUNDS = 500;
    private static final DecoderLimits LIMITS = new DecoderLimits(100_000, 1_000_000, 10);

    private final SplittableRandom random = new SplittableRandom(7);

    private static MqttMessage readWithNetty(EmbeddedChannel channel, byte[] bytes) {
        channel.writeInbound(Unpooled.wrappedBuffer(bytes));
        MqttMessage message = channel.readInbound();
        assertThat(message).isNotNull();
        assertThat(message.decoderResult().cause()).isNull();
        return message;
    }

    /** The content of what Netty reads, whose buffers are given back. */
    private static String contents(MqttMessage message) {
        String contents = Contents.of(NettyPackets.toPacket(message));
        ReferenceCountUtil.release(message);
        return contents;
    }

    private static EmbeddedChannel netty(String connect) {
        EmbeddedChannel channel = new EmbeddedChannel(new MqttDecoder(1_000_000, 100_000));
        readWithNetty(channel, Wire.part().hex(connect).bytes());
        return channel;
    }

    @ParameterizedTest
    @EnumSource(names = {"MQTT_3_1_1", "MQTT_5"})
    void readsWhatClientsSendAsWeDo(ProtocolVersion version) throws MqttException {
        ClientPackets packets = new ClientPackets(random, version);
        for (int round = 0; round < ROUNDS; round++) {
            EmbeddedChannel channel = new EmbeddedChannel(new MqttDecoder(1_000_000, 100_000));
            PacketDecoder decoder = new PacketDecoder(LIMITS, new TopicNames(64));
            byte[] connect = packets.connect().bytes();
            byte[] next = packets.next().bytes();
            for (byte[] bytes : new byte[][] {connect, next}) {
                Packet read = Wire.decodeWhole(decoder, Unpooled.wrappedBuffer(bytes));
                assertThat(Contents.of(Canonical.of(read)))
                        .isEqualTo(contents(readWithNetty(channel, bytes)));
            }
            channel.finishAndReleaseAll();
        }
    }

    @Test
    void readsWhatWeSend() {
        EmbeddedChannel channel = netty(Connections.CONNECT_V5);
        PacketEncoder encoder = new PacketEncoder(ProtocolVersion.MQTT_5, Long.MAX_VALUE, 0, true);
        ServerPackets packets = new ServerPackets(random);
        for (int round = 0; round < ROUNDS; round++) {
            Packet packet = round % 5 == 0 ? packets.connack() : packets.next();
            ByteBuf out = Unpooled.buffer();
            assertThat(encoder.encode(packet, out)).isTrue();
            byte[] bytes = Wire.part().hex(Wire.hexOf(out)).bytes();
            assertThat(contents(readWithNetty(channel, bytes))).isEqualTo(Contents.of(packet));
        }
        channel.finishAndReleaseAll();
    }

    @ParameterizedTest
    @EnumSource(names = {"MQTT_3_1_1", "MQTT_5"})
    void readsOurDeliveries(ProtocolVersion version) throws MqttException {
        boolean v5 = version.isV5();
        EmbeddedChannel channel = netty(v5 ? Connections.CONNECT_V5 : Connections.CONNECT_V3);
        PacketEncoder encoder = new PacketEncoder(version, Long.MAX_VALUE, 0, true);
        ClientPackets packets = new ClientPackets(random, version);
        PacketDecoder decoder = v5 ? Connections.v5() : Connections.v3();
        for (int round = 0; round < ROUNDS; round++) {
            Publish from = (Publish) Wire.decodeWhole(decoder, packets.publish().buffer());
            int[] ids = random.ints(random.nextInt(4), 1, 268_435_456).toArray();
            ByteBuf out = Unpooled.buffer();
            encoder.publish(
                    out,
                    from,
                    from.packetId(),
                    from.qos(),
                    from.dup(),
                    from.retain(),
                    from.messageExpiry(),
                    ids);
            MqttMessage read = readWithNetty(channel, Wire.part().hex(Wire.hexOf(out)).bytes());
            if (v5) {
                assertThat(NettyPackets.subscriptionIds(read))
                        .containsExactlyElementsOf(Arrays.stream(ids).boxed().toList());
            }
            assertThat(contents(read)).isEqualTo(Contents.of(Canonical.of(from)));
        }
        channel.finishAndReleaseAll();
    }
}
