package io.rotamq.mqtt.codec;

import static io.rotamq.mqtt.codec.Connections.refusalCode;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.Disconnect;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.UserProperty;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DisconnectDecoderTest {
    private static final String OF_CLIENTS = "00 04 80 81 82 83 90 93 94 95 96 97 98 99";

    private final PacketDecoder v5 = Connections.v5();

    @ParameterizedTest
    @ValueSource(strings = {"e000", "e00100", "e0020000"})
    @Tag("mqtt5")
    @Tag("X5-3.14.2.1-c")
    void readsEveryFormOfANormalDisconnect(String packet) throws MqttException {
        assertThat(Wire.decodeWhole(v5, Wire.fromHex(packet)))
                .isEqualTo(new Disconnect(ReasonCode.SUCCESS, -1, Details.NONE, null));
    }

    @Test
    void readsMqtt3() throws MqttException {
        assertThat(Connections.v3().decode(Wire.fromHex("e000")))
                .isEqualTo(new Disconnect(ReasonCode.SUCCESS, -1, Details.NONE, null));
    }

    @ParameterizedTest
    @CsvSource({"00000000, 0", "0000003c, 60", "ffffffff, 4294967295"})
    void readsTheSessionExpiry(String seconds, long expiry) throws MqttException {
        Packet packet = v5.decode(Wire.fromHex("e007 00 05 11" + seconds));
        assertThat(packet)
                .isEqualTo(new Disconnect(ReasonCode.SUCCESS, expiry, Details.NONE, null));
    }

    @Test
    void readsDetails() throws MqttException {
        Wire properties = Wire.part().u8(0x1F).string("bye").u8(0x26).string("a").string("1");
        Packet packet =
                Wire.decodeWhole(v5, Wire.packet(0xE0).u8(4).properties(properties).buffer());
        assertThat(packet)
                .isEqualTo(
                        new Disconnect(
                                ReasonCode.DISCONNECT_WITH_WILL_MESSAGE,
                                -1,
                                new Details("bye", List.of(new UserProperty("a", "1"))),
                                null));
    }

    @Test
    void takesTheCodesOfClientsAndNoOther() throws MqttException {
        for (int code = 0; code < 256; code++) {
            String hex = String.format("%02x", code);
            if (OF_CLIENTS.contains(hex)) {
                Disconnect read = (Disconnect) v5.decode(Wire.fromHex("e001" + hex));
                assertThat(read.reasonCode().code()).isEqualTo(code);
            } else {
                assertThat(refusalCode(Connections.v5(), "e001" + hex)).isEqualTo(0x81);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "e00c 00 0a 1100000001 1100000001, 0x82",
        "e006 00 04 1c 0001 61, 0x82",
        "e004 00 02 0b01, 0x81",
        "e006 00 04 11 000000, 0x81",
        "e003 00 00 00, 0x81",
        "e002 00 01, 0x81",
        "e003 00 8000, 0x81",
        "e006 00 04 1f 0001 00, 0x81"
    })
    void refusesBadProperties(String packet, int code) {
        assertThat(refusalCode(v5, packet)).isEqualTo(code);
    }
}
