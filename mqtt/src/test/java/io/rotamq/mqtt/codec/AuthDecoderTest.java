package io.rotamq.mqtt.codec;

import static io.rotamq.mqtt.codec.Connections.refusalCode;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.mqtt.Auth;
import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.ReasonCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuthDecoderTest {
    private static final String METHOD = "15 0005 534352414d";

    private final PacketDecoder decoder = Connections.authenticating();

    @ParameterizedTest
    @CsvSource({"18, CONTINUE_AUTHENTICATION", "19, REAUTHENTICATE"})
    void readsWhatClientsSend(String code, ReasonCode reasonCode) throws MqttException {
        Wire packet =
                Wire.packet(0xF0)
                        .hex(code)
                        .properties(Wire.part().hex(METHOD + "16 0002 ff00 1f 0001 61"));
        Auth auth = (Auth) Wire.decodeWhole(decoder, packet.buffer());
        assertThat(auth.reasonCode()).isEqualTo(reasonCode);
        assertThat(auth.method()).isEqualTo("SCRAM");
        assertThat(auth.data()).containsExactly(0xFF, 0);
        assertThat(auth.details()).isEqualTo(Details.reason("a"));
    }

    @ParameterizedTest
    @CsvSource({"00, 0x82", "55, 0x81", "1a, 0x81", "87, 0x81"})
    @Tag("mqtt5")
    @Tag("MQTT-3.15.2-1")
    void refusesCodesThatClientsDoNotSend(String code, int refused) {
        Wire packet = Wire.packet(0xF0).hex(code).properties(Wire.part().hex(METHOD));
        assertThat(refusalCode(decoder, packet.buffer())).isEqualTo(refused);
    }

    @ParameterizedTest
    @ValueSource(strings = {"f000", "f00118", "f0021800", "f007 18 05 16 0002 6162"})
    @Tag("mqtt5")
    @Tag("X5-3.15.2-a")
    void refusesAuthWithoutAMethod(String packet) {
        assertThat(refusalCode(decoder, packet)).isEqualTo(0x82);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-4.12.0-7")
    void refusesAuthWhenConnectHadNoMethod() {
        Wire packet = Wire.packet(0xF0).u8(0x19).properties(Wire.part().hex(METHOD));
        assertThat(refusalCode(Connections.v5(), packet.buffer())).isEqualTo(0x82);
    }

    @ParameterizedTest
    @CsvSource({
        "15 0001 61 15 0001 61, 0x82",
        "15 0001 ff, 0x81",
        "11 00000001, 0x81",
        "15 0005 61, 0x81"
    })
    void refusesBadProperties(String properties, int code) {
        Wire packet = Wire.packet(0xF0).u8(0x18).properties(Wire.part().hex(properties));
        assertThat(refusalCode(decoder, packet.buffer())).isEqualTo(code);
    }

    @Test
    void refusesBytesBehindTheProperties() {
        Wire packet = Wire.packet(0xF0).u8(0x18).properties(Wire.part().hex(METHOD)).u8(0);
        assertThat(refusalCode(decoder, packet.buffer())).isEqualTo(0x81);
    }
}
