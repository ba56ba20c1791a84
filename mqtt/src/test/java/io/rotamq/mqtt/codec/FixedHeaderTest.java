package io.rotamq.mqtt.codec;

import static io.rotamq.mqtt.codec.Connections.refusalCode;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.topic.TopicNames;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FixedHeaderTest {
    @ParameterizedTest
    @ValueSource(strings = {"c0", "30", "82", "f0", "00", "e0", "20", "47", "62", "40"})
    @Tag("mqtt5")
    @Tag("MQTT-3.1.0-1")
    void refusesAnyOtherFirstPacketByItsFirstByte(String firstByte) {
        assertThat(refusalCode(Connections.fresh(), firstByte)).isEqualTo(0x82);
    }

    @ParameterizedTest
    @ValueSource(strings = {Connections.CONNECT_V5, Connections.CONNECT_V3, "10"})
    @Tag("mqtt5")
    @Tag("MQTT-3.1.0-2")
    void refusesASecondConnect(String connect) {
        assertThat(refusalCode(Connections.v5(), connect)).isEqualTo(0x82);
    }

    @ParameterizedTest
    @ValueSource(strings = {"41", "51", "60", "63", "71", "80", "a0", "c1", "e1", "f1", "83", "4f"})
    @Tag("mqtt5")
    @Tag("MQTT-2.1.3-1")
    void refusesReservedFlagsByTheFirstByte(String firstByte) {
        assertThat(refusalCode(Connections.v5(), firstByte)).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"41", "51", "60", "71", "80", "a0", "c1", "e1", "36", "3e", "f0"})
    @Tag("mqtt311")
    @Tag("MQTT-2.2.2-2")
    void refusesReservedFlagsInMqtt3(String firstByte) {
        assertThat(refusalCode(Connections.v3(), firstByte)).isEqualTo(0x81);
    }

    @Test
    void refusesReservedFlagsOfConnect() {
        assertThat(refusalCode(Connections.fresh(), "1f0e00044d5154540402003c00026b31"))
                .isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"36", "37", "3e", "3f"})
    @Tag("mqtt5")
    @Tag("MQTT-3.3.1-4")
    void refusesQos3(String firstByte) {
        assertThat(refusalCode(Connections.v5(), firstByte)).isEqualTo(0x81);
    }

    @ParameterizedTest
    @CsvSource({"2003000000, 0x82", "9004000100 00, 0x82", "b00400010000, 0x82", "d000, 0x82"})
    @Tag("mqtt5")
    @Tag("X5-2.1.2-a")
    void refusesPacketsThatServersSend(String packet, int code) {
        assertThat(refusalCode(Connections.v5(), packet)).isEqualTo(code);
    }

    @Test
    @Tag("mqtt5")
    @Tag("X5-2.1.2-a")
    void refusesTypeZero() {
        assertThat(refusalCode(Connections.v5(), "0000")).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"30ffffffff", "30ffffffff01", "30ffffffff7f", "e0 80808080"})
    @Tag("mqtt5")
    @Tag("X5-1.5.5-a")
    void refusesALengthOfFiveBytesBeforeAnyBody(String header) {
        assertThat(refusalCode(Connections.v5(), header)).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"30ffffffff01", "3080808080"})
    @Tag("mqtt311")
    @Tag("X3-2.2.3-a")
    void refusesALengthOfFiveBytesInMqtt3(String header) {
        assertThat(refusalCode(Connections.v3(), header)).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"c08000", "c0808000", "c080808000", "308300", "e0 8000"})
    @Tag("mqtt5")
    @Tag("MQTT-1.5.5-1")
    void refusesALengthThatIsNotInItsShortestForm(String header) {
        assertThat(refusalCode(Connections.v5(), header)).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"c001", "c00100", "c0ffff03"})
    void refusesAPingWithABodyByItsLength(String packet) {
        assertThat(refusalCode(Connections.v5(), packet)).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"4003", "5004", "6200", "7001", "e001"})
    void refusesMqtt3PacketsWithTheLengthOfMqtt5ByTheirLength(String packet) {
        assertThat(refusalCode(Connections.v3(), packet)).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"6a020001", "8a0600010001 6100", "aa050001000161"})
    void acceptsTheRepetitionFlagOfMqtt31(String packet) throws MqttException {
        assertThat(Connections.v31().decode(Wire.fromHex(packet))).isNotNull();
        assertThat(refusalCode(Connections.v3(), packet)).isEqualTo(0x81);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.2.2-15")
    void refusesAPacketAboveTheMaximumByItsLengthAlone() throws MqttException {
        DecoderLimits limits = new DecoderLimits(100, 1_000, 0);
        byte[] fits = new byte[1_000 - 3 - 4];
        ByteBuf largest = Wire.packet(0x30).string("t").u8(0).raw(fits).buffer();
        assertThat(largest.readableBytes()).isEqualTo(1_000);

        PacketDecoder decoder = Connections.connected(limits, Connections.CONNECT_V5);
        assertThat(decoder.decode(largest)).isInstanceOf(Publish.class);

        ByteBuf header = Wire.packet(0x30).raw(new byte[998]).buffer().slice(0, 3);
        assertThat(refusalCode(decoder, header)).isEqualTo(0x95);
    }

    @Test
    void countsTheLengthBytesIntoThePacketSize() throws MqttException {
        DecoderLimits limits = new DecoderLimits(17, 131, 0);
        PacketDecoder decoder = Connections.connected(limits, Connections.CONNECT_V5);
        // 1 + 2 + 128 = 131: the limit; one more is above it.
        assertThat(decoder.decode(Wire.packet(0x30).raw(new byte[128]).buffer().slice(0, 3)))
                .isNull();
        assertThat(refusalCode(decoder, Wire.packet(0x30).raw(new byte[129]).buffer().slice(0, 3)))
                .isEqualTo(0x95);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10ffffff7f", "10ffffff7f00044d5154540502003c", "108101"})
    void refusesALargeConnectByItsLengthAlone(String start) {
        PacketDecoder decoder =
                new PacketDecoder(new DecoderLimits(128, 1_000_000, 0), new TopicNames());
        assertThat(refusalCode(decoder, start)).isEqualTo(0x95);
    }

    @Test
    void consumesNothingUntilThePacketIsComplete() throws MqttException {
        ByteBuf in = Unpooled.buffer().writeBytes(Wire.fromHex("30ffff3f"));
        assertThat(Connections.v5().decode(Unpooled.EMPTY_BUFFER)).isNull();
        PacketDecoder decoder =
                Connections.connected(new DecoderLimits(100, 2_000_000, 0), Connections.CONNECT_V5);
        assertThat(decoder.decode(in)).isNull();
        assertThat(in.readerIndex()).isZero();
        assertThat(in.capacity()).isLessThan(1_000);
    }
}
