package io.rotamq.mqtt.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.topic.TopicName;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublishEncoderTest {
    private static final int[] NO_IDS = {};
    private static final byte[] PROPERTIES = Wire.part().hex("0101 26 0001 61 0001 31").bytes();

    private static Publish message(String topic, byte[] properties, String payload) {
        byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
        return new Publish(TopicName.of(topic), bytes, 2, true, true, 99, 77, properties);
    }

    private static final Publish PLAIN = message("t", Publish.NO_PROPERTIES, "x");

    private static PacketEncoder v5(long maximum, int aliases) {
        return new PacketEncoder(ProtocolVersion.MQTT_5, maximum, aliases, true);
    }

    private static PacketEncoder v3() {
        return new PacketEncoder(ProtocolVersion.MQTT_3_1_1, Long.MAX_VALUE, 10, true);
    }

    private static String qos0(PacketEncoder encoder, Publish message) {
        ByteBuf out = Unpooled.buffer();
        encoder.publish(out, message, 0, 0, false, false, -1, NO_IDS);
        return Wire.hexOf(out);
    }

    private static String qos0(PacketEncoder encoder, String topic) {
        return qos0(encoder, message(topic, Publish.NO_PROPERTIES, "x"));
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-2.2.1-2")
    void writesNoIdentifierWithQos0() {
        assertThat(qos0(v5(100, 0), PLAIN)).isEqualTo("3005000174" + "00" + "78");
        assertThat(qos0(v3(), PLAIN)).isEqualTo("300400017478");
    }

    @ParameterizedTest
    @CsvSource({
        "1, false, false, 32",
        "1, true, true, 3b",
        "2, false, true, 35",
        "2, true, false, 3c"
    })
    void takesTheFlagsOfTheDelivery(int qos, boolean dup, boolean retain, String first) {
        ByteBuf out = Unpooled.buffer();
        v5(100, 0).publish(out, PLAIN, 513, qos, dup, retain, -1, NO_IDS);
        assertThat(Wire.hexOf(out)).isEqualTo(first + "07000174" + "0201" + "00" + "78");
    }

    @Test
    void writesExpiryAndIdentifiersBeforeTheForwardedProperties() {
        ByteBuf out = Unpooled.buffer();
        int[] ids = {1, 128, 1, 268_435_455};
        v5(1_000, 0).publish(out, message("t", PROPERTIES, "x"), 1, 1, false, false, 60, ids);
        assertThat(Wire.hexOf(out))
                .isEqualTo(
                        "3221000174000"
                                + "1"
                                + "1a"
                                + "020000003c"
                                + "0b01"
                                + "0b8001"
                                + "0b01"
                                + "0bffffff7f"
                                + "010126000161000131"
                                + "78");
    }

    @Test
    void writesTheLargestExpiry() {
        ByteBuf out = Unpooled.buffer();
        v5(1_000, 0).publish(out, PLAIN, 0, 0, false, false, 0xFFFF_FFFFL, NO_IDS);
        assertThat(Wire.hexOf(out)).isEqualTo("300a000174" + "0502ffffffff" + "78");
    }

    @Test
    @Tag("mqtt311")
    @Tag("X3-3.3-a")
    void writesNoPropertiesToMqtt3() {
        ByteBuf out = Unpooled.buffer();
        int[] ids = {1};
        v3().publish(out, message("t", PROPERTIES, "x"), 1, 1, false, false, 60, ids);
        assertThat(Wire.hexOf(out)).isEqualTo("3206000174000178");
        assertThat(v3().fits(PLAIN, 60, ids)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 123, 124, 125, 16_379, 16_380, 2_097_150, 2_097_160})
    @Tag("mqtt5")
    @Tag("MQTT-1.5.5-1")
    void writesLengthsInTheirShortestForm(int payload) throws MqttException {
        Publish message = message("t", PROPERTIES, "x".repeat(payload));
        ByteBuf out = Unpooled.buffer();
        v5(Long.MAX_VALUE, 0).publish(out, message, 0, 0, false, false, -1, NO_IDS);
        PacketDecoder decoder =
                Connections.connected(new DecoderLimits(100, 3_000_000, 0), Connections.CONNECT_V5);
        Publish read = (Publish) Wire.decodeWhole(decoder, out);
        assertThat(read.payload()).isEqualTo(message.payload());
        assertThat(read.properties()).isEqualTo(PROPERTIES);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.1.2-24")
    void knowsExactlyWhatFits() {
        int[] ids = {5, 300};
        Publish message = message("a/b", PROPERTIES, "x".repeat(200));
        ByteBuf out = Unpooled.buffer();
        v5(Long.MAX_VALUE, 0).publish(out, message, 1, 2, false, false, 60, ids);
        int size = out.readableBytes();

        assertThat(v5(size, 0).fits(message, 60, ids)).isTrue();
        assertThat(v5(size - 1, 0).fits(message, 60, ids)).isFalse();
        ByteBuf refused = Unpooled.buffer();
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                v5(size - 1, 0)
                                        .publish(refused, message, 1, 2, false, false, 60, ids));
        assertThat(refused.isReadable()).isFalse();
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.1.2-27")
    void usesNoAliasWhenTheClientAllowsNone() {
        PacketEncoder encoder = v5(100, 0);
        assertThat(qos0(encoder, PLAIN))
                .isEqualTo(qos0(encoder, PLAIN))
                .isEqualTo("300500017400" + "78");
    }

    @Test
    void namesTheTopicOnlyOnTheFirstUseOfAnAlias() {
        PacketEncoder encoder = v5(100, 2);
        assertThat(qos0(encoder, "a/b")).isEqualTo("300a0003612f62" + "03230001" + "78");
        assertThat(qos0(encoder, "a/b")).isEqualTo("30070000" + "03230001" + "78");
        assertThat(qos0(encoder, "c/d")).isEqualTo("300a0003632f64" + "03230002" + "78");
        assertThat(qos0(encoder, "a/b")).isEqualTo("30070000" + "03230001" + "78");
    }

    @Test
    void givesTheAliasUsedLongestAgoToTheNextTopic() {
        PacketEncoder encoder = v5(100, 2);
        qos0(encoder, "a");
        qos0(encoder, "b");
        qos0(encoder, "a");
        assertThat(qos0(encoder, "c")).isEqualTo("3008000163" + "03230002" + "78");
        assertThat(qos0(encoder, "a")).isEqualTo("30070000" + "03230001" + "78");
        assertThat(qos0(encoder, "b")).isEqualTo("3008000162" + "03230002" + "78");
    }

    @Test
    void keepsTheOtherPropertiesBesideAnAlias() {
        PacketEncoder encoder = v5(1_000, 1);
        Publish message = message("t", PROPERTIES, "x");
        String forwarded = "010126000161000131";
        assertThat(qos0(encoder, message)).isEqualTo("3011000174" + "0c230001" + forwarded + "78");
        assertThat(qos0(encoder, message)).isEqualTo("30100000" + "0c230001" + forwarded + "78");
    }

    @Test
    void leavesTheAliasOutWhereOnlyTheTopicFits() {
        String plain = "300700036162630078";
        PacketEncoder encoder = v5(plain.length() / 2, 5);
        assertThat(qos0(encoder, "abc")).isEqualTo(plain);
        assertThat(qos0(encoder, "abc")).isEqualTo(plain);
    }

    @Test
    void leavesAKnownAliasOutWhereOnlyTheTopicFits() {
        String plain = "300500017400" + "78";
        PacketEncoder encoder = v5(10, 5);
        assertThat(qos0(encoder, "t")).isEqualTo("3008000174" + "03230001" + "78");
        Publish larger = message("t", Publish.NO_PROPERTIES, "xyzw");
        assertThat(qos0(encoder, larger)).isEqualTo("3008000174" + "00" + "78797a77");
        assertThat(qos0(encoder, "t"))
                .isEqualTo("30070000" + "03230001" + "78")
                .isNotEqualTo(plain);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.1.2-26")
    @Tag("MQTT-3.3.2-11")
    void staysWithinTheClientsMaximumAndIsUnderstood() throws MqttException {
        for (int maximum : new int[] {1, 2, 7, 8, 9, 100, 65_535}) {
            PacketEncoder encoder = v5(Long.MAX_VALUE, maximum);
            PacketDecoder client =
                    Connections.connected(
                            new DecoderLimits(100, 10_000, maximum), Connections.CONNECT_V5);
            for (int round = 0; round < 3_000; round++) {
                // Hot and cold topics, so that aliases are kept, found and replaced.
                String topic = "t/" + (round % 3 == 0 ? round : round % 5);
                ByteBuf out = Unpooled.buffer();
                encoder.publish(
                        out, message(topic, PROPERTIES, "x"), 0, 0, false, false, -1, NO_IDS);
                Publish read = (Publish) Wire.decodeWhole(client, out);
                assertThat(read.topic()).isEqualTo(TopicName.of(topic));
                assertThat(read.properties()).isEqualTo(PROPERTIES);
            }
        }
    }

    @Test
    void usesFewAliasesHoweverManyTheClientAllows() {
        PacketEncoder encoder = v5(1_000, 65_535);
        for (int topic = 0; topic < 1_000; topic++) {
            qos0(encoder, "t/" + topic);
        }
        assertThat(qos0(encoder, "t/999")).isEqualTo("30070000" + "032300e8" + "78");
        assertThat(qos0(encoder, "new")).contains("230" + "0e9");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 16})
    void allocatesNothing(int aliases) {
        PacketEncoder encoder = v5(1_000, aliases);
        Publish[] messages = new Publish[32];
        for (int at = 0; at < messages.length; at++) {
            messages[at] = message("topic/" + at, PROPERTIES, "payload");
        }
        ByteBuf out = PooledByteBufAllocator.DEFAULT.directBuffer(64 * 1024);
        int[] ids = {1, 300};
        encodeAll(encoder, messages, ids, out);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            encodeAll(encoder, messages, ids, out);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        out.release();
        // The measurement itself may cost a little; a single object for each message does not pass.
        assertThat(least).isLessThan(16L * messages.length);
    }

    private static void encodeAll(
            PacketEncoder encoder, Publish[] messages, int[] ids, ByteBuf out) {
        for (Publish message : messages) {
            out.clear();
            if (encoder.fits(message, 60, ids)) {
                encoder.publish(out, message, 1, 1, false, false, 60, ids);
            }
        }
    }
}
