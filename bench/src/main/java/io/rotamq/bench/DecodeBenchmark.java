package io.rotamq.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.codec.DecoderLimits;
import io.rotamq.mqtt.codec.PacketDecoder;
import io.rotamq.mqtt.topic.TopicNames;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Decoding a PUBLISH of QoS 1 with 128 bytes of payload, from a pooled direct buffer as a socket
 * fills it, and the PUBACK that answers one.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class DecodeBenchmark {
    private static final String CONNECT_V3 = "100e00044d5154540402003c00026b31";
    private static final String CONNECT_V5 = "100f00044d5154540502003c0000026b31";

    /** Content type, response topic and two user properties: forwarded as they are. */
    private static final String FORWARDED =
            "030010"
                    + hex("application/json")
                    + "080007"
                    + hex("reply/7")
                    + "260006"
                    + hex("device")
                    + "0001"
                    + hex("7")
                    + "260004"
                    + hex("site")
                    + "0003"
                    + hex("abc");

    private static final String EXPIRY = "020000003c";
    private static final String ALIAS = "230001";

    /** What the PUBLISH carries. */
    public enum Kind {
        /** MQTT 3.1.1. */
        V3,
        /** No properties. */
        V5,
        /** Four properties to forward. */
        V5_PROPERTIES,
        /** The same, and a message expiry among them. */
        V5_EXPIRY,
        /** Topic alias instead of a topic. */
        V5_ALIAS,
        /** No PUBLISH, but the shortest PUBACK. */
        PUBACK
    }

    @Param Kind kind = Kind.V5;

    private final PacketDecoder v3 = decoder(CONNECT_V3);
    private final PacketDecoder v5 = decoder(CONNECT_V5);
    private final ByteBuf in = PooledByteBufAllocator.DEFAULT.directBuffer(1024);
    private PacketDecoder decoder = v5;

    private static PacketDecoder decoder(String connect) {
        DecoderLimits limits = new DecoderLimits(1_000, 1_000_000, 10);
        PacketDecoder decoder = new PacketDecoder(limits, new TopicNames());
        decode(decoder, PooledByteBufAllocator.DEFAULT.directBuffer().writeBytes(bytes(connect)));
        return decoder;
    }

    private static void decode(PacketDecoder decoder, ByteBuf in) {
        try {
            decoder.decode(in);
        } catch (MqttException refused) {
            throw new IllegalStateException(refused);
        } finally {
            in.release();
        }
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Lays the packet into the buffer. */
    @Setup
    public void lay() {
        decoder = kind == Kind.V3 ? v3 : v5;
        String topic = "site/7/device/8/telemetry";
        switch (kind) {
            case V3 -> in.writeBytes(publish(topic, null));
            case V5 -> in.writeBytes(publish(topic, ""));
            case V5_PROPERTIES -> in.writeBytes(publish(topic, FORWARDED));
            case V5_EXPIRY -> in.writeBytes(publish(topic, EXPIRY + FORWARDED));
            case V5_ALIAS -> {
                decode(v5, Unpooled.wrappedBuffer(publish(topic, ALIAS)));
                in.writeBytes(publish("", ALIAS));
            }
            case PUBACK -> in.writeBytes(bytes("40020001"));
        }
    }

    private static byte[] publish(String topic, @Nullable String properties) {
        ByteBuf body = Unpooled.buffer();
        body.writeShort(topic.length()).writeBytes(topic.getBytes(StandardCharsets.UTF_8));
        body.writeShort(1);
        if (properties != null) {
            body.writeByte(properties.length() / 2).writeBytes(bytes(properties));
        }
        body.writeZero(128);
        int length = body.readableBytes();
        ByteBuf packet = Unpooled.buffer().writeByte(0x32);
        packet.writeByte(length & 0x7F | 0x80).writeByte(length >> 7).writeBytes(body);
        return ByteBufUtil.getBytes(packet);
    }

    /** Gives the buffer back. */
    @TearDown
    public void release() {
        in.release();
    }

    /** One packet. */
    @Benchmark
    public @Nullable Packet decode() throws MqttException {
        in.readerIndex(0);
        return decoder.decode(in);
    }
}
