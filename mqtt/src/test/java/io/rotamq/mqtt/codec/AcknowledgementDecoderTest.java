package io.rotamq.mqtt.codec;

import static io.rotamq.mqtt.codec.Connections.refusalCode;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.mqtt.Acknowledgement;
import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.Puback;
import io.rotamq.mqtt.Pubcomp;
import io.rotamq.mqtt.Pubrec;
import io.rotamq.mqtt.Pubrel;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.UserProperty;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AcknowledgementDecoderTest {
    private final PacketDecoder v5 = Connections.v5();
    private final PacketDecoder v3 = Connections.v3();

    @ParameterizedTest
    @ValueSource(strings = {"4002 1234", "4003 1234 00", "4004 1234 00 00"})
    @Tag("mqtt5")
    @Tag("X5-3.4.2.1-a")
    void readsEveryFormOfASuccess(String packet) throws MqttException {
        assertThat(Wire.decodeWhole(v5, Wire.fromHex(packet)))
                .isEqualTo(new Puback(0x1234, ReasonCode.SUCCESS, Details.NONE));
    }

    @Test
    void tellsTheFourApart() throws MqttException {
        for (PacketDecoder decoder : List.of(v5, v3)) {
            assertThat(decoder.decode(Wire.fromHex("40020001")))
                    .isEqualTo(new Puback(1, ReasonCode.SUCCESS, Details.NONE));
            assertThat(decoder.decode(Wire.fromHex("5002ffff")))
                    .isEqualTo(new Pubrec(65_535, ReasonCode.SUCCESS, Details.NONE));
            assertThat(decoder.decode(Wire.fromHex("62020002")))
                    .isEqualTo(new Pubrel(2, ReasonCode.SUCCESS, Details.NONE));
            assertThat(decoder.decode(Wire.fromHex("70020003")))
                    .isEqualTo(new Pubcomp(3, ReasonCode.SUCCESS, Details.NONE));
        }
    }

    @Test
    void readsReasonStringAndUserProperties() throws MqttException {
        Wire properties =
                Wire.part().u8(0x26).string("a").string("1").u8(0x1F).string("no").u8(0x26);
        Packet packet =
                Wire.decodeWhole(
                        v5,
                        Wire.packet(0x50)
                                .u16(9)
                                .u8(0x87)
                                .properties(properties.string("a").string("2"))
                                .buffer());
        Details details =
                new Details("no", List.of(new UserProperty("a", "1"), new UserProperty("a", "2")));
        assertThat(packet).isEqualTo(new Pubrec(9, ReasonCode.NOT_AUTHORIZED, details));
    }

    @ParameterizedTest
    @CsvSource({
        "40, 00 10 80 83 87 90 91 97 99",
        "50, 00 10 80 83 87 90 91 97 99",
        "62, 00 92",
        "70, 00 92"
    })
    void takesTheCodesOfItsTableAndNoOther(String first, String defined) throws MqttException {
        for (int code = 0; code < 256; code++) {
            String hex = String.format("%02x", code);
            String packet = first + "03 0001 " + hex;
            if (defined.contains(hex)) {
                assertThat(((Acknowledgement) v5.decode(Wire.fromHex(packet))).reasonCode().code())
                        .isEqualTo(code);
            } else {
                assertThat(refusalCode(Connections.v5(), packet)).isEqualTo(0x81);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"4000", "400100", "5000", "6200", "7000", "700101"})
    void refusesPacketsWithoutAnIdentifier(String packet) {
        assertThat(refusalCode(v5, packet)).isEqualTo(0x81);
        assertThat(refusalCode(v3, packet)).isEqualTo(0x81);
    }

    @ParameterizedTest
    @ValueSource(strings = {"40020000", "50020000", "62020000", "70020000", "4003000000"})
    void refusesIdentifierZero(String packet) {
        assertThat(refusalCode(v5, packet)).isEqualTo(0x82);
    }

    @ParameterizedTest
    @CsvSource({
        "0001 00 00 00, 0x81",
        "0001 00 01, 0x81",
        "0001 00 8000, 0x81",
        "0001 00 04 1f 0001 61 00, 0x81",
        "0001 00 04 1f 0002 61, 0x81",
        "0001 00 08 1f 0001 61 1f 0001 62, 0x82",
        "0001 00 05 11 00000001, 0x81",
        "0001 00 04 1f 0001 ff, 0x81",
        "0001 00 06 26 0001 61 0001, 0x81"
    })
    void refusesBadProperties(String body, int code) {
        assertThat(refusalCode(v5, Wire.packet(0x40).hex(body).buffer())).isEqualTo(code);
    }
}
