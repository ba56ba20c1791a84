package io.rotamq.mqtt.codec;

import static io.rotamq.mqtt.codec.Connections.refusalCode;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.topic.TopicName;
import io.rotamq.mqtt.topic.TopicNames;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublishDecoderTest {
    private final PacketDecoder v5 = Connections.v5();
    private final PacketDecoder v3 = Connections.v3();

    private static Publish decode(PacketDecoder decoder, Wire packet) throws MqttException {
        return (Publish) Wire.decodeWhole(decoder, packet.buffer());
    }

    private static Wire withProperties(Wire properties) {
        return Wire.packet(0x30).string("t").properties(properties).string("x");
    }

    private int codeOfProperties(String hex) {
        return refusalCode(v5, withProperties(Wire.part().hex(hex)).buffer());
    }

    private static Wire aliased(String topic, int alias) {
        return Wire.packet(0x30)
                .string(topic)
                .properties(Wire.part().u8(Property.TOPIC_ALIAS).u16(alias))
                .u8('x');
    }

    @ParameterizedTest
    @CsvSource({
        "0x30, 0, false, false",
        "0x31, 0, true, false",
        "0x32, 1, false, false",
        "0x3b, 1, true, true",
        "0x34, 2, false, false",
        "0x3c, 2, false, true"
    })
    void readsTheFlags(int first, int qos, boolean retain, boolean dup) throws MqttException {
        Wire packet = Wire.packet(first).string("a/b");
        if (qos > 0) {
            packet.u16(513);
        }
        Publish publish = decode(v5, packet.u8(0).raw("hello".getBytes(UTF_8)));

        assertThat(publish.topic()).isEqualTo(TopicName.of("a/b"));
        assertThat(publish.qos()).isEqualTo(qos);
        assertThat(publish.retain()).isEqualTo(retain);
        assertThat(publish.dup()).isEqualTo(dup);
        assertThat(publish.packetId()).isEqualTo(qos == 0 ? 0 : 513);
        assertThat(publish.payload()).asString(UTF_8).isEqualTo("hello");
        assertThat(publish.messageExpiry()).isEqualTo(-1);
        assertThat(publish.properties()).isSameAs(Publish.NO_PROPERTIES);
    }

    @Test
    void ignoresTheDupFlagOfQos0() throws MqttException {
        assertThat(decode(v5, Wire.packet(0x38).string("t").u8(0)).dup()).isFalse();
    }

    @Test
    void readsMqtt3() throws MqttException {
        Publish publish = decode(v3, Wire.packet(0x32).string("t").u16(7).u8(0).u8(1));
        assertThat(publish.packetId()).isEqualTo(7);
        assertThat(publish.payload()).containsExactly(0, 1);
        assertThat(publish.messageExpiry()).isEqualTo(-1);
        assertThat(publish.properties()).isSameAs(Publish.NO_PROPERTIES);
    }

    @Test
    void keepsPropertiesAsTheyCame() throws MqttException {
        Wire properties =
                Wire.part()
                        .u8(0x26)
                        .string("b")
                        .string("1")
                        .hex("01 01")
                        .u8(0x03)
                        .string("text/plain")
                        .u8(0x26)
                        .string("a")
                        .string("")
                        .u8(0x08)
                        .string("r/1")
                        .hex("09 0003 00ff10")
                        .u8(0x26)
                        .string("b")
                        .string("1");
        Publish publish = decode(v5, withProperties(properties));
        assertThat(publish.properties()).isEqualTo(properties.bytes());
    }

    @ParameterizedTest
    @CsvSource({
        "02 0000003c, 60, ''",
        "02 ffffffff, 4294967295, ''",
        "02 00000000, 0, ''",
        "01 00 02 0000003c, 60, 01 00",
        "02 0000003c 01 00, 60, 01 00",
        "23 0001 01 01 02 00000005 26 0001 61 0001 62, 5, 01 01 26 0001 61 0001 62",
        "01 01 23 0001 09 0000 02 00000005 03 0001 61, 5, 01 01 09 0000 03 0001 61",
        "26 0000 0000 23 0001 26 0000 0000, -1, 26 0000 0000 26 0000 0000"
    })
    void keepsExpiryAndAliasOutOfTheForwardedProperties(
            String properties, long expiry, String forwarded) throws MqttException {
        Publish publish = decode(v5, withProperties(Wire.part().hex(properties)));
        assertThat(publish.messageExpiry()).isEqualTo(expiry);
        assertThat(publish.properties()).isEqualTo(Wire.part().hex(forwarded).bytes());
    }

    @Test
    void forgetsThePropertiesOfThePublishBefore() throws MqttException {
        decode(v5, withProperties(Wire.part().hex("02 00000005 01 01 23 0001")));
        Publish next = decode(v5, Wire.packet(0x30).string("u").u8(0));
        assertThat(next.messageExpiry()).isEqualTo(-1);
        assertThat(next.properties()).isSameAs(Publish.NO_PROPERTIES);
        assertThat(next.topic()).isEqualTo(TopicName.of("u"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"04 61eda080", "02 c0af", "01 ff", "02 c328", "03 f08080"})
    @Tag("mqtt5")
    @Tag("MQTT-1.5.4-1")
    @Tag("MQTT-3.3.2-1")
    void refusesATopicThatIsNotUtf8(String topic) {
        assertThat(refusalCode(v5, Wire.packet(0x30).hex("00" + topic).u8(0).buffer()))
                .isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"04 61eda080", "02 c0af", "01 ff"})
    @Tag("mqtt311")
    @Tag("MQTT-1.5.3-1")
    void refusesATopicThatIsNotUtf8InMqtt3(String topic) {
        assertThat(refusalCode(v3, Wire.packet(0x30).hex("00" + topic).buffer())).isEqualTo(0x81);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-1.5.4-2")
    void refusesNulInATopic() {
        assertThat(refusalCode(v5, "300700036100620078")).isEqualTo(0x81);
    }

    @Test
    @Tag("mqtt311")
    @Tag("MQTT-1.5.3-2")
    void refusesNulInATopicOfMqtt3() {
        assertThat(refusalCode(v3, "300600036100 6278")).isEqualTo(0x81);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-1.5.4-3")
    void keepsAByteOrderMarkAsACharacter() throws MqttException {
        TopicName marked = decode(v5, Wire.packet(0x30).hex("0004efbbbf74 00")).topic();
        assertThat(marked).isNotEqualTo(TopicName.of("t")).isEqualTo(TopicName.of("\uFEFFt"));
        assertThat(marked.toUtf8()).containsExactly(0xEF, 0xBB, 0xBF, 't');
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/+", "a/#", "a+b", "#", "+", "a#"})
    @Tag("mqtt5")
    @Tag("MQTT-3.3.2-2")
    void refusesWildcardsInATopic(String topic) {
        assertThat(refusalCode(v5, Wire.packet(0x30).string(topic).u8(0).buffer())).isEqualTo(0x90);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/+", "#"})
    @Tag("mqtt311")
    @Tag("MQTT-3.3.2-2")
    void refusesWildcardsInATopicOfMqtt3(String topic) {
        assertThat(refusalCode(v3, Wire.packet(0x30).string(topic).buffer())).isEqualTo(0x90);
    }

    @Test
    @Tag("mqtt5")
    @Tag("X5-3.3.2.1-a")
    void refusesAnEmptyTopicWithoutAnAlias() {
        assertThat(refusalCode(v5, "300400000078")).isEqualTo(0x82);
    }

    @Test
    @Tag("mqtt311")
    @Tag("MQTT-4.7.3-1")
    void refusesAnEmptyTopicInMqtt3() {
        assertThat(refusalCode(v3, "3003000078")).isEqualTo(0x82);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "3000",
                "300100",
                "3002 0001",
                "30 03 ffff 74",
                "3203000174",
                "320400017400"
            })
    void refusesPacketsCutShort(String packet) {
        assertThat(refusalCode(v5, packet)).isEqualTo(0x81);
        assertThat(refusalCode(v3, packet)).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"300800017468656c6c6f", "3003 000174", "3203000174", "32050001740001"})
    @Tag("mqtt5")
    @Tag("X5-2.2.2-c")
    void refusesPropertiesLongerThanThePacket(String packet) {
        assertThat(refusalCode(v5, packet)).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"32", "34", "3a", "3d"})
    @Tag("mqtt5")
    @Tag("MQTT-2.2.1-3")
    void refusesPacketIdentifierZero(String first) {
        assertThat(refusalCode(v5, first + "06 000174 0000 00")).isEqualTo(0x82);
    }

    @Test
    @Tag("mqtt311")
    @Tag("MQTT-2.3.1-1")
    void refusesPacketIdentifierZeroInMqtt3() {
        assertThat(refusalCode(v3, "3205 000174 0000")).isEqualTo(0x82);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"11 00000001", "7f", "7f00", "18 00000001", "00", "2b", "c101", "66 00"})
    @Tag("mqtt5")
    @Tag("X5-2.2.2-a")
    void refusesPropertiesOutOfPlace(String properties) {
        assertThat(codeOfProperties(properties)).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "03 0001 61 03 0001 61",
                "01 01 01 01",
                "02 00000001 02 00000001",
                "08 0001 61 08 0001 61",
                "09 0000 09 0000",
                "23 0001 23 0001"
            })
    @Tag("mqtt5")
    @Tag("X5-2.2.2-b")
    void refusesPropertiesThatRepeat(String properties) {
        assertThat(codeOfProperties(properties)).isEqualTo(0x82);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "01",
                "02 0000",
                "03 0002 61",
                "09 0001",
                "26 0001 61",
                "26 0001 61 00",
                "23 00"
            })
    @Tag("mqtt5")
    @Tag("X5-2.2.2-c")
    void refusesPropertiesCutShort(String properties) {
        assertThat(codeOfProperties(properties)).isEqualTo(0x81);
    }

    @Test
    void refusesAPropertyLengthNotInItsShortestForm() {
        assertThat(refusalCode(v5, "3005 000174 8000")).isEqualTo(0x81);
        assertThat(refusalCode(v5, "3006 000174 828000")).isEqualTo(0x81);
    }

    @Test
    void refusesAFormatIndicatorThatIsNeither0Nor1() {
        assertThat(codeOfProperties("01 02")).isEqualTo(0x82);
    }

    @Test
    void passesOnAPayloadThatIsNotTheUtf8ItPromises() throws MqttException {
        Publish publish =
                decode(
                        v5,
                        Wire.packet(0x30).string("t").properties(Wire.part().hex("0101")).u8(0xFF));
        assertThat(publish.payload()).containsExactly(0xFF);
    }

    @ParameterizedTest
    @ValueSource(strings = {"26 0001 61 0002 c328", "26 0001 ff 0000", "26 0001 00 0001 61"})
    @Tag("mqtt5")
    @Tag("MQTT-1.5.7-1")
    void refusesAUserPropertyThatIsNotUtf8(String properties) {
        assertThat(codeOfProperties(properties)).isEqualTo(0x81);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.3.2-13")
    void refusesAResponseTopicThatIsNotUtf8() {
        assertThat(codeOfProperties("08 0001 ff")).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"08 0003 722f23", "08 0001 2b"})
    @Tag("mqtt5")
    @Tag("MQTT-3.3.2-14")
    void refusesAResponseTopicWithAWildcard(String properties) {
        assertThat(codeOfProperties(properties)).isEqualTo(0x82);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.3.2-19")
    void refusesAContentTypeThatIsNotUtf8() {
        assertThat(codeOfProperties("03 0001 ff")).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0b 05", "0b 00", "0b ffffff7f"})
    @Tag("mqtt5")
    @Tag("MQTT-3.3.4-6")
    void refusesASubscriptionIdentifierFromAClient(String properties) {
        assertThat(codeOfProperties(properties)).isEqualTo(0x82);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.3.2-8")
    void refusesAliasZero() {
        assertThat(refusalCode(v5, aliased("t", 0).buffer())).isEqualTo(0x94);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.3.2-9")
    @Tag("MQTT-3.2.2-17")
    void refusesAnAliasAboveTheMaximum() {
        assertThat(refusalCode(v5, aliased("t", 11).buffer())).isEqualTo(0x94);
        assertThat(refusalCode(v5, aliased("", 65_535).buffer())).isEqualTo(0x94);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.2.2-18")
    void refusesEveryAliasWhenNoneIsAllowed() {
        DecoderLimits limits = new DecoderLimits(1_000, 1_000, 0);
        PacketDecoder decoder = Connections.connected(limits, Connections.CONNECT_V5);
        assertThat(refusalCode(decoder, aliased("t", 1).buffer())).isEqualTo(0x94);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.3.2-12")
    void acceptsEveryAliasUpToTheMaximum() throws MqttException {
        for (int alias = 10; alias >= 1; alias--) {
            decode(v5, aliased("t/" + alias, alias));
        }
        for (int alias = 1; alias <= 10; alias++) {
            assertThat(decode(v5, aliased("", alias)).topic())
                    .isEqualTo(TopicName.of("t/" + alias));
        }
    }

    @Test
    void acceptsTheLargestAliasThereIs() throws MqttException {
        DecoderLimits limits = new DecoderLimits(1_000, 1_000, 65_535);
        PacketDecoder decoder = Connections.connected(limits, Connections.CONNECT_V5);
        decode(decoder, aliased("t", 65_535));
        assertThat(decode(decoder, aliased("", 65_535)).topic()).isEqualTo(TopicName.of("t"));
    }

    @Test
    @Tag("mqtt5")
    @Tag("X5-3.3.2.3.4-a")
    void letsAnAliasBeReplaced() throws MqttException {
        decode(v5, aliased("a", 1));
        decode(v5, aliased("b", 1));
        assertThat(decode(v5, aliased("", 1)).topic()).isEqualTo(TopicName.of("b"));
    }

    @Test
    @Tag("mqtt5")
    @Tag("X5-3.3.4-a")
    void refusesAnAliasThatWasNeverSet() throws MqttException {
        decode(v5, aliased("a", 5));
        assertThat(refusalCode(v5, aliased("", 3).buffer())).isEqualTo(0x82);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.3.2-7")
    void forgetsAliasesWithTheConnection() throws MqttException {
        TopicNames shared = new TopicNames();
        PacketDecoder first = new PacketDecoder(Connections.LIMITS, shared);
        first.decode(Wire.fromHex(Connections.CONNECT_V5));
        decode(first, aliased("a", 1));

        PacketDecoder second = new PacketDecoder(Connections.LIMITS, shared);
        second.decode(Wire.fromHex(Connections.CONNECT_V5));
        assertThat(refusalCode(second, aliased("", 1).buffer())).isEqualTo(0x82);
    }

    @Test
    void boundsTheLongTopicsKeptByAliasesOnALoopAndFreesThoseOfAClosedConnection()
            throws MqttException {
        TopicNames shared = new TopicNames();
        List<PacketDecoder> full = new ArrayList<>();
        int refused = 0;
        while (refused == 0) {
            assertThat(full.size()).isLessThan(1_000);
            PacketDecoder next = new PacketDecoder(Connections.LIMITS, shared);
            next.decode(Wire.fromHex(Connections.CONNECT_V5));
            refused = keepsLongTopic(next, full.size());
            full.add(next);
        }
        assertThat(refused).isEqualTo(0x97);
        assertThat(full.size()).isGreaterThan(400);
        full.getFirst().close();
        PacketDecoder another = new PacketDecoder(Connections.LIMITS, shared);
        another.decode(Wire.fromHex(Connections.CONNECT_V5));
        assertThat(keepsLongTopic(another, 7)).isZero();
    }

    private static int keepsLongTopic(PacketDecoder decoder, int number) {
        try {
            decode(decoder, aliased(number + "x".repeat(60_000), 1));
            return 0;
        } catch (MqttException e) {
            return e.reasonCode().code();
        }
    }

    @Test
    void takesTheLongestAndTheDeepestTopic() throws MqttException {
        String deepest = "/".repeat(65_535);
        Publish publish = decode(v5, Wire.packet(0x30).string(deepest).u8(0));
        assertThat(publish.topic().length()).isEqualTo(65_535);
        assertThat(publish.topic()).hasToString(deepest);
    }

    @Test
    void givesAHotTopicTheSameName() throws MqttException {
        TopicName first = decode(v5, Wire.packet(0x30).string("hot/topic").u8(0)).topic();
        assertThat(decode(v5, Wire.packet(0x30).string("hot/topic").u8(0)).topic()).isSameAs(first);
    }
}
