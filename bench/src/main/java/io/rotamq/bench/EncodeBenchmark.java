package io.rotamq.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.Puback;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.codec.PacketEncoder;
import io.rotamq.mqtt.topic.TopicName;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Encoding a delivery of QoS 1 with 128 bytes of payload into a pooled direct buffer, which is
 * emptied each time.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class EncodeBenchmark {
    private static final int TOPICS = 64;
    private static final int[] NO_IDS = {};
    private static final int[] IDS = {7, 300};

    /** Payload format and a user property. */
    private static final byte[] PROPERTIES =
            HexFormat.of().parseHex("0101" + "26" + "0006646576696365" + "000137");

    private final PacketEncoder v3 = encoder(ProtocolVersion.MQTT_3_1_1, 0);
    private final PacketEncoder v5 = encoder(ProtocolVersion.MQTT_5, 0);
    private final PacketEncoder knowing = encoder(ProtocolVersion.MQTT_5, TOPICS);
    private final PacketEncoder replacing = encoder(ProtocolVersion.MQTT_5, TOPICS / 2);
    private final ByteBuf out = PooledByteBufAllocator.DEFAULT.directBuffer(1024);
    private final Publish[] messages = new Publish[TOPICS];
    private final Puback puback = new Puback(1, ReasonCode.SUCCESS, Details.NONE);
    private int next;

    /** Makes a message for each topic. */
    public EncodeBenchmark() {
        for (int i = 0; i < TOPICS; i++) {
            TopicName topic = TopicName.of("site/7/device/" + i + "/telemetry");
            messages[i] = new Publish(topic, new byte[128], 1, false, false, 1, -1, PROPERTIES);
        }
    }

    private static PacketEncoder encoder(ProtocolVersion version, int aliases) {
        return new PacketEncoder(version, Long.MAX_VALUE, aliases, true);
    }

    /** Gives the buffer back. */
    @TearDown
    public void release() {
        out.release();
    }

    private Publish message() {
        return messages[next++ & TOPICS - 1];
    }

    private int publish(PacketEncoder encoder, long expiry, int[] ids) {
        out.clear();
        encoder.publish(out, message(), 1, 1, false, false, expiry, ids);
        return out.writerIndex();
    }

    /** To an MQTT 3.1.1 client. */
    @Benchmark
    public int v3() {
        return publish(v3, -1, NO_IDS);
    }

    /** With the forwarded properties only. */
    @Benchmark
    public int v5() {
        return publish(v5, -1, NO_IDS);
    }

    /** With expiry and two subscription identifiers, asked first whether it fits. */
    @Benchmark
    public int v5WithExpiryAndIds() {
        Publish message = message();
        out.clear();
        if (v5.fits(message, 60, IDS)) {
            v5.publish(out, message, 1, 1, false, false, 60, IDS);
        }
        return out.writerIndex();
    }

    /** With an alias that the client knows. */
    @Benchmark
    public int v5WithKnownAlias() {
        return publish(knowing, -1, NO_IDS);
    }

    /** With an alias that is taken from another topic each time. */
    @Benchmark
    public int v5WithReplacedAlias() {
        return publish(replacing, -1, NO_IDS);
    }

    /** The answer to a PUBLISH. */
    @Benchmark
    public int puback() {
        out.clear();
        v5.encode(puback, out);
        return out.writerIndex();
    }
}
