package io.rotamq.mqtt.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.topic.TopicNames;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Packets arrive in pieces of any size, in buffers of either kind [MQTT-4.2-1]. */
class SplitPacketsTest {
    private static final DecoderLimits LIMITS = new DecoderLimits(100_000, 1_000_000, 10);

    private final SplittableRandom random = new SplittableRandom(42);

    @ParameterizedTest
    @EnumSource(names = {"MQTT_3_1_1", "MQTT_5"})
    @Tag("mqtt5")
    @Tag("MQTT-4.2-1")
    void waitsAtEveryByteAndThenYieldsTheSamePacket(ProtocolVersion version) throws MqttException {
        for (int round = 0; round < 60; round++) {
            ClientPackets packets = new ClientPackets(random, version);
            byte[] connect = packets.connect().bytes();
            boolean first = round % 10 == 0;
            byte[] before = first ? new byte[0] : connect;
            byte[] packet = first ? connect : packets.next().bytes();
            String whole = decodeBehind(before, packet, packet.length);
            for (int cut = 1; cut < packet.length; cut++) {
                assertThat(decodeBehind(before, packet, cut)).isEqualTo(whole);
            }
        }
    }

    /** Decodes a packet that arrives in two pieces, on a new connection. */
    private static String decodeBehind(byte[] before, byte[] packet, int cut) throws MqttException {
        PacketDecoder decoder = new PacketDecoder(LIMITS, new TopicNames(64));
        decoder.decode(Unpooled.wrappedBuffer(before));
        ByteBuf in = Unpooled.directBuffer().writeBytes(packet, 0, cut);
        if (cut < packet.length) {
            assertThat(decoder.decode(in)).as("before the last byte").isNull();
            assertThat(in.readerIndex()).isZero();
            in.writeBytes(packet, cut, packet.length - cut);
        }
        String contents = Contents.of(decoder.decode(in));
        assertThat(in.isReadable()).isFalse();
        in.release();
        return contents;
    }

    @ParameterizedTest
    @EnumSource(names = {"MQTT_3_1_1", "MQTT_5"})
    void readsAStreamTheSameWayInBuffersOfEitherKind(ProtocolVersion version) throws MqttException {
        ClientPackets packets = new ClientPackets(random, version);
        ByteBuf stream = Unpooled.buffer().writeBytes(packets.connect().bytes());
        for (int count = 0; count < 2_000; count++) {
            stream.writeBytes(packets.next().bytes());
        }
        ByteBuf direct =
                Unpooled.directBuffer().writeByte(0).writeBytes(stream, 0, stream.writerIndex());
        direct.readByte();

        List<String> read = readAll(stream);
        assertThat(read).hasSize(2_001);
        assertThat(readAll(direct)).isEqualTo(read);
        direct.release();
    }

    private static List<String> readAll(ByteBuf stream) throws MqttException {
        PacketDecoder decoder = new PacketDecoder(LIMITS, new TopicNames());
        List<String> read = new ArrayList<>();
        for (Packet next = decoder.decode(stream); next != null; next = decoder.decode(stream)) {
            read.add(Contents.of(next));
        }
        assertThat(stream.isReadable()).isFalse();
        return read;
    }
}
