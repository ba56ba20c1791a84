package io.rotamq.mqtt.codec;

import static io.rotamq.mqtt.codec.Connections.refusal;
import static io.rotamq.mqtt.codec.Connections.refusalCode;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.rotamq.mqtt.BadConnectException;
import io.rotamq.mqtt.Connect;
import io.rotamq.mqtt.ConnectProperties;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.UnsupportedVersionException;
import io.rotamq.mqtt.UserProperty;
import io.rotamq.mqtt.Will;
import io.rotamq.mqtt.topic.TopicName;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectDecoderTest {
    private static Wire v5(int flags, Wire properties) {
        return Wire.packet(0x10).string("MQTT").u8(5).u8(flags).u16(60).properties(properties);
    }

    private static Wire v3(int flags) {
        return Wire.packet(0x10).string("MQTT").u8(4).u8(flags).u16(60);
    }

    private static Connect decode(Wire packet) throws MqttException {
        return (Connect) Wire.decodeWhole(Connections.fresh(), packet.buffer());
    }

    private static int code(Wire packet) {
        return refusalCode(Connections.fresh(), packet.buffer());
    }

    private static int codeOfProperties(String hex) {
        return code(v5(2, Wire.part().hex(hex)).string("k1"));
    }

    @Test
    void fillsInTheDefaultsOfMqtt5() throws MqttException {
        Connect connect = decode(v5(2, Wire.part()).string("k1"));

        assertThat(connect.version()).isEqualTo(ProtocolVersion.MQTT_5);
        assertThat(connect.clientId()).isEqualTo("k1");
        assertThat(connect.cleanStart()).isTrue();
        assertThat(connect.keepAlive()).isEqualTo(60);
        assertThat(connect.will()).isNull();
        assertThat(connect.username()).isNull();
        assertThat(connect.password()).isNull();
        assertThat(connect.properties()).isEqualTo(ConnectProperties.defaults(0));
    }

    @ParameterizedTest
    @CsvSource({"2, 0", "0, 4294967295"})
    void givesMqtt3SessionsTheirExpiryByCleanSession(int flags, long expiry) throws MqttException {
        Connect connect = decode(v3(flags).string("k1"));

        assertThat(connect.version()).isEqualTo(ProtocolVersion.MQTT_3_1_1);
        assertThat(connect.properties()).isEqualTo(ConnectProperties.defaults(expiry));
    }

    @Test
    void speaksMqtt31() throws MqttException {
        Connect connect =
                (Connect)
                        Wire.decodeWhole(
                                Connections.fresh(), Wire.fromHex(Connections.CONNECT_V31));
        assertThat(connect.version()).isEqualTo(ProtocolVersion.MQTT_3_1);
    }

    @Test
    void readsEveryProperty() throws MqttException {
        Wire properties =
                Wire.part()
                        .hex("11 ffffffff 21 000a 27 00010000 22 0005 19 01 17 00")
                        .u8(0x26)
                        .string("b")
                        .string("1")
                        .u8(0x15)
                        .string("SCRAM")
                        .hex("16 0002 ff00")
                        .u8(0x26)
                        .string("a")
                        .string("");
        ConnectProperties read = decode(v5(0, properties).string("")).properties();

        assertThat(read.sessionExpiry()).isEqualTo(ConnectProperties.NEVER);
        assertThat(read.receiveMaximum()).isEqualTo(10);
        assertThat(read.maximumPacketSize()).isEqualTo(65_536);
        assertThat(read.topicAliasMaximum()).isEqualTo(5);
        assertThat(read.requestResponseInformation()).isTrue();
        assertThat(read.requestProblemInformation()).isFalse();
        assertThat(read.authenticationMethod()).isEqualTo("SCRAM");
        assertThat(read.authenticationData()).containsExactly(0xFF, 0);
        assertThat(read.userProperties())
                .containsExactly(new UserProperty("b", "1"), new UserProperty("a", ""));
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.1.3-1")
    @Tag("MQTT-3.1.3-10")
    void readsTheWillBetweenClientIdAndCredentials() throws MqttException {
        Wire will =
                Wire.part()
                        .hex("02 00000014")
                        .u8(0x26)
                        .string("a")
                        .string("1")
                        .hex("18 00000003 01 01")
                        .u8(0x26)
                        .string("b")
                        .string("2");
        Connect connect =
                decode(
                        v5(0xEE, Wire.part())
                                .string("k1")
                                .properties(will)
                                .string("w/t")
                                .string("gone")
                                .string("user")
                                .hex("0002 ff00"));

        assertThat(connect.username()).isEqualTo("user");
        assertThat(connect.password()).containsExactly(0xFF, 0);
        Will read = connect.will();
        assertThat(read).isNotNull();
        assertThat(read.topic()).isEqualTo(TopicName.of("w/t"));
        assertThat(read.payload()).asString(UTF_8).isEqualTo("gone");
        assertThat(read.qos()).isEqualTo(1);
        assertThat(read.retain()).isTrue();
        assertThat(read.delay()).isEqualTo(3);
        assertThat(read.messageExpiry()).isEqualTo(20);
        Wire forwarded =
                Wire.part()
                        .u8(0x26)
                        .string("a")
                        .string("1")
                        .hex("01 01")
                        .u8(0x26)
                        .string("b")
                        .string("2");
        assertThat(read.properties()).isEqualTo(forwarded.bytes());
    }

    @Test
    @Tag("mqtt311")
    @Tag("MQTT-3.1.3-1")
    void readsTheMqtt3WillBetweenClientIdAndCredentials() throws MqttException {
        Connect connect =
                decode(v3(0xD6).string("k").string("w").string("x").string("user").string("pw"));

        Will will = connect.will();
        assertThat(will).isNotNull();
        assertThat(will.topic()).isEqualTo(TopicName.of("w"));
        assertThat(will.qos()).isEqualTo(2);
        assertThat(will.delay()).isZero();
        assertThat(will.messageExpiry()).isEqualTo(-1);
        assertThat(will.properties()).isSameAs(Publish.NO_PROPERTIES);
        assertThat(connect.username()).isEqualTo("user");
        assertThat(connect.password()).asString(UTF_8).isEqualTo("pw");
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.1.2-3")
    void refusesTheReservedFlag() {
        assertThat(code(v5(3, Wire.part()).string("k1"))).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x0A, 0x12})
    @Tag("mqtt5")
    @Tag("MQTT-3.1.2-11")
    void refusesAWillQosWithoutAWill(int flags) {
        assertThat(code(v5(flags, Wire.part()).string("k1"))).isEqualTo(0x81);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.1.2-13")
    void refusesAWillRetainWithoutAWill() {
        assertThat(code(v5(0x22, Wire.part()).string("k1"))).isEqualTo(0x81);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.1.2-12")
    void refusesWillQos3() {
        Wire packet = v5(0x1E, Wire.part()).string("k1").u8(0).string("w").string("x");
        assertThat(code(packet)).isEqualTo(0x81);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.1.2-9")
    void refusesAWillFlagWithoutWillFields() {
        assertThat(code(v5(6, Wire.part()).string("k1"))).isEqualTo(0x81);
        assertThat(code(v5(6, Wire.part()).string("k1").u8(0).string("w"))).isEqualTo(0x81);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.1.2-16")
    @Tag("MQTT-3.1.4-1")
    void refusesBytesBehindTheLastField() {
        assertThat(code(v5(2, Wire.part()).string("k1").string("user"))).isEqualTo(0x81);
        assertThat(code(v5(2, Wire.part()).string("k1").u8(0))).isEqualTo(0x81);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.1.2-17")
    void refusesAUserNameFlagWithoutAUserName() {
        assertThat(code(v5(0x82, Wire.part()).string("k1"))).isEqualTo(0x81);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.1.2-18")
    void refusesAPasswordWithoutItsFlag() {
        assertThat(code(v5(0x82, Wire.part()).string("k1").string("user").string("pw")))
                .isEqualTo(0x81);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.1.2-19")
    void refusesAPasswordFlagWithoutAPassword() {
        assertThat(code(v5(0xC2, Wire.part()).string("k1").string("user"))).isEqualTo(0x81);
    }

    @Test
    @Tag("mqtt5")
    @Tag("X5-3.1.2.9-a")
    void acceptsAPasswordWithoutAUserNameInMqtt5() throws MqttException {
        Connect connect = decode(v5(0x42, Wire.part()).string("k1").string("pw"));
        assertThat(connect.username()).isNull();
        assertThat(connect.password()).asString(UTF_8).isEqualTo("pw");
    }

    @Test
    @Tag("mqtt311")
    @Tag("MQTT-3.1.2-22")
    void refusesAPasswordWithoutAUserNameInMqtt3() {
        assertThat(code(v3(0x42).string("k1").string("pw"))).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x03, 0x06, 0x0A, 0x12, 0x1E, 0x22, 0x2A, 0x82, 0xC2})
    void refusesContradictoryFlagsInMqtt3(int flags) {
        assertThat(code(v3(flags).string("k1"))).isEqualTo(0x81);
    }

    @Test
    @Tag("mqtt311")
    @Tag("MQTT-3.1.4-1")
    void refusesBytesBehindTheLastFieldInMqtt3() {
        assertThat(code(v3(2).string("k1").string("user"))).isEqualTo(0x81);
        assertThat(code(v3(0x82).string("k1").string("user").string("pw"))).isEqualTo(0x81);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.1.3-3")
    void refusesAPayloadWithoutAClientId() {
        assertThat(code(v5(2, Wire.part()))).isEqualTo(0x81);
    }

    @Test
    @Tag("mqtt311")
    @Tag("MQTT-3.1.3-3")
    void refusesAMqtt3PayloadWithoutAClientId() {
        assertThat(code(v3(2))).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0002 fffe", "0003 610062", "0004 61eda080", "0002 c0af", "0003 6162"})
    @Tag("mqtt5")
    @Tag("MQTT-3.1.3-4")
    void refusesAClientIdThatIsNotUtf8(String clientId) {
        assertThat(code(v5(2, Wire.part()).hex(clientId))).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0001 ff", "0001 00"})
    @Tag("mqtt5")
    @Tag("MQTT-3.1.3-12")
    void refusesAUserNameThatIsNotUtf8(String userName) {
        assertThat(code(v5(0x82, Wire.part()).string("k1").hex(userName))).isEqualTo(0x81);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.1.3-11")
    void refusesAWillTopicThatIsNotUtf8() {
        Wire packet = v5(6, Wire.part()).string("k1").u8(0).hex("0002 c080").string("x");
        assertThat(code(packet)).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/#", "a/+", "a+b", "#"})
    @Tag("mqtt5")
    @Tag("X5-3.1.3.3-a")
    void refusesAWillTopicThatIsNoTopicName(String topic) {
        Wire packet = v5(6, Wire.part()).string("k1").u8(0).string(topic).string("x");
        assertThat(code(packet)).isEqualTo(0x90);
    }

    @Test
    void refusesAWillResponseTopicWithAWildcard() {
        Wire will = Wire.part().u8(0x08).string("r/#");
        Wire packet = v5(6, Wire.part()).string("k1").properties(will).string("w").string("x");
        assertThat(code(packet)).isEqualTo(0x82);
    }

    @ParameterizedTest
    @CsvSource({"18000000011800000001, 0x82", "23 0001, 0x81", "0b05, 0x81", "11 00000000, 0x81"})
    void refusesWillPropertiesOutOfPlace(String properties, int code) {
        Wire will = Wire.part().hex(properties);
        Wire packet = v5(6, Wire.part()).string("k1").properties(will).string("w").string("x");
        assertThat(code(packet)).isEqualTo(code);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "21000a 210005",
                "27 00001000 27 00001000",
                "11 00000001 11 00000001",
                "22 0001 22 0001",
                "17 01 17 01",
                "19 01 19 01",
                "15 0001 61 15 0001 61",
                "15 0001 61 16 0000 16 0000"
            })
    @Tag("mqtt5")
    @Tag("X5-2.2.2-b")
    void refusesPropertiesThatRepeat(String properties) {
        assertThat(codeOfProperties(properties)).isEqualTo(0x82);
    }

    @Test
    @Tag("mqtt5")
    @Tag("X5-3.1.2.11.3-a")
    void refusesReceiveMaximumZero() {
        assertThat(codeOfProperties("21 0000")).isEqualTo(0x82);
    }

    @Test
    @Tag("mqtt5")
    @Tag("X5-3.1.2.11.4-a")
    void refusesMaximumPacketSizeZero() {
        assertThat(codeOfProperties("27 00000000")).isEqualTo(0x82);
    }

    @ParameterizedTest
    @ValueSource(strings = {"19 02", "17 02", "17 ff"})
    @Tag("mqtt5")
    @Tag("X5-3.1.2.11.6-a")
    void refusesBooleansThatAreNeither0Nor1(String properties) {
        assertThat(codeOfProperties(properties)).isEqualTo(0x82);
    }

    @Test
    @Tag("mqtt5")
    @Tag("X5-3.1.2.11.10-a")
    void refusesAuthenticationDataWithoutAMethod() {
        assertThat(codeOfProperties("16 0001 00")).isEqualTo(0x82);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"7f", "00", "02 00000001", "1f 0001 61", "0b 01", "ff01", "51 00000001"})
    @Tag("mqtt5")
    @Tag("X5-2.2.2-a")
    void refusesPropertiesOutOfPlace(String properties) {
        assertThat(codeOfProperties(properties)).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"21 00", "11 000000", "26 0001 61", "26 0001 61 0002 62", "15 0002 61"})
    @Tag("mqtt5")
    @Tag("X5-2.2.2-c")
    void refusesPropertiesCutShort(String properties) {
        assertThat(codeOfProperties(properties)).isEqualTo(0x81);
    }

    @Test
    @Tag("mqtt5")
    @Tag("X5-2.2.2-c")
    void refusesAPropertyLengthPastTheEnd() {
        Wire packet = Wire.packet(0x10).string("MQTT").u8(5).u8(2).u16(60).vbi(100).string("k1");
        assertThat(code(packet)).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"MQTX", "mqtt", "", "MQISDP", "MQTTMQTT"})
    @Tag("mqtt5")
    @Tag("MQTT-3.1.2-1")
    void givesNoAnswerToAnotherProtocol(String name) {
        PacketDecoder decoder = Connections.fresh();
        Wire packet = Wire.packet(0x10).string(name).u8(5).u8(2).u16(60).u8(0).string("k1");

        MqttException refusal = refusal(decoder, packet.buffer());

        assertThat(refusal.reasonCode()).isEqualTo(ReasonCode.UNSUPPORTED_PROTOCOL_VERSION);
        assertThat(((UnsupportedVersionException) refusal).answerVersion()).isNull();
        assertThat(decoder.version()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "MQTT, 6, MQTT_5",
        "MQTT, 127, MQTT_5",
        "MQTT, 3, MQTT_3_1_1",
        "MQTT, 0, MQTT_3_1_1",
        "MQTT, 132, MQTT_3_1_1",
        "MQIsdp, 4, MQTT_3_1_1",
        "MQIsdp, 131, MQTT_3_1_1"
    })
    void namesTheVersionInWhichAnUnknownLevelIsAnswered(
            String name, int level, ProtocolVersion answer) {
        PacketDecoder decoder = Connections.fresh();
        Wire packet = Wire.packet(0x10).string(name).u8(level).u8(2).u16(60).u8(0).string("k1");

        MqttException refusal = refusal(decoder, packet.buffer());

        assertThat(refusal.reasonCode()).isEqualTo(ReasonCode.UNSUPPORTED_PROTOCOL_VERSION);
        assertThat(refusal).isInstanceOf(UnsupportedVersionException.class);
        assertThat(((UnsupportedVersionException) refusal).answerVersion()).isEqualTo(answer);
        assertThat(((UnsupportedVersionException) refusal).protocolLevel()).isEqualTo(level);
    }

    @Test
    void tellsTheVersionOfAConnectThatItRefusesFurtherOn() {
        PacketDecoder decoder = Connections.fresh();
        MqttException refusal = refusal(decoder, v5(3, Wire.part()).string("k1").buffer());
        assertThat(refusal.reasonCode()).isEqualTo(ReasonCode.MALFORMED_PACKET);
        assertThat(refusal).isInstanceOf(BadConnectException.class).hasMessageContaining("flag");
        assertThat(((BadConnectException) refusal).version()).isEqualTo(ProtocolVersion.MQTT_5);
        assertThat(decoder.version()).isEqualTo(ProtocolVersion.MQTT_5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "00", "0004 4d5154", "0004 4d515454", "ffff 4d515454"})
    void refusesAHeaderCutShort(String body) {
        ByteBuf packet = Wire.packet(0x10).hex(body).buffer();
        assertThat(refusalCode(Connections.fresh(), packet)).isEqualTo(0x81);
    }

    @Test
    void acceptsClientIdsOfEveryKind() throws MqttException {
        for (String id : List.of("", "a/b", "a\nb", "\uD83D\uDE00", "x".repeat(65_535))) {
            assertThat(decode(v5(2, Wire.part()).string(id)).clientId()).isEqualTo(id);
        }
    }

    @Test
    void keepsThePasswordOutOfItsText() throws MqttException {
        Connect connect = decode(v5(0xC2, Wire.part()).string("k1").string("u").string("secret"));
        assertThat(connect.toString()).contains("k1").doesNotContain("secret");
    }
}
