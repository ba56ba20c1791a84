package io.rotamq.mqtt.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rotamq.mqtt.Connack;
import io.rotamq.mqtt.ConnackProperties;
import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.UserProperty;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ConnackEncoderTest {
    private static final ConnackProperties NONE = ConnackProperties.NONE;

    private static String encode(ProtocolVersion version, long maximum, Connack connack) {
        ByteBuf out = Unpooled.buffer();
        boolean written = new PacketEncoder(version, maximum, 0, false).encode(connack, out);
        assertThat(written).isEqualTo(out.isReadable());
        return Wire.hexOf(out);
    }

    private static String v5(Connack connack) {
        return encode(ProtocolVersion.MQTT_5, Long.MAX_VALUE, connack);
    }

    private static String v3(Connack connack) {
        return encode(ProtocolVersion.MQTT_3_1_1, Long.MAX_VALUE, connack);
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.2.2-1")
    void saysWhetherThereWasASession() {
        assertThat(v5(new Connack(false, ReasonCode.SUCCESS, NONE))).isEqualTo("2003000000");
        assertThat(v5(new Connack(true, ReasonCode.SUCCESS, NONE))).isEqualTo("2003010000");
    }

    @ParameterizedTest
    @EnumSource(ReasonCode.class)
    @Tag("mqtt5")
    @Tag("MQTT-3.2.2-6")
    void neverSaysSoWithAnError(ReasonCode code) {
        String encoded = v5(new Connack(true, code, NONE));
        assertThat(encoded.substring(4, 6)).isEqualTo(code.isError() ? "00" : "01");
        assertThat(encoded.substring(6, 8)).isEqualTo(String.format("%02x", code.code()));
    }

    @Test
    void writesEveryProperty() {
        ConnackProperties all =
                ConnackProperties.builder()
                        .sessionExpiry(0xFFFF_FFFFL)
                        .receiveMaximum(10)
                        .maximumQos(1)
                        .retainAvailable(false)
                        .maximumPacketSize(65_536)
                        .assignedClientId("id")
                        .topicAliasMaximum(5)
                        .wildcardSubscriptionAvailable(true)
                        .subscriptionIdsAvailable(false)
                        .sharedSubscriptionAvailable(false)
                        .serverKeepAlive(30)
                        .responseInformation("r")
                        .serverReference("s")
                        .authentication("m", new byte[] {1})
                        .details(new Details("no", List.of(new UserProperty("a", "1"))))
                        .build();
        String properties =
                "11ffffffff 21000a 2700010000 220005 13001e 2401 2500 2801 2900 2a001200026964"
                        + " 1a000172 1c000173 1500016d 16000101 1f00026e6f 26000161000131";
        assertThat(v5(new Connack(false, ReasonCode.SUCCESS, all)))
                .isEqualTo("20410000" + "3e" + properties.replace(" ", ""));
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.2.2-19")
    @Tag("MQTT-3.2.2-20")
    void dropsUserPropertiesThenTheReasonToStayWithinTheMaximum() {
        ConnackProperties properties =
                ConnackProperties.builder()
                        .serverKeepAlive(30)
                        .details(new Details("no", List.of(new UserProperty("a", "1"))))
                        .build();
        Connack connack = new Connack(false, ReasonCode.NOT_AUTHORIZED, properties);
        Map<Long, String> byMaximum =
                Map.of(
                        20L, "201200870f" + "13001e" + "1f00026e6f" + "26000161000131",
                        19L, "200b008708" + "13001e" + "1f00026e6f",
                        13L, "200b008708" + "13001e" + "1f00026e6f",
                        12L, "2006008703" + "13001e",
                        8L, "2006008703" + "13001e",
                        7L, "");
        byMaximum.forEach(
                (maximum, expected) ->
                        assertThat(encode(ProtocolVersion.MQTT_5, maximum, connack))
                                .as("maximum %d", maximum)
                                .isEqualTo(expected));
    }

    @ParameterizedTest
    @CsvSource({
        "SUCCESS, 20020100",
        "UNSUPPORTED_PROTOCOL_VERSION, 20020001",
        "CLIENT_IDENTIFIER_NOT_VALID, 20020002",
        "SERVER_UNAVAILABLE, 20020003",
        "BAD_USER_NAME_OR_PASSWORD, 20020004",
        "NOT_AUTHORIZED, 20020005"
    })
    void saysInMqtt3WhatItCan(ReasonCode code, String expected) {
        assertThat(v3(new Connack(true, code, NONE))).isEqualTo(expected);
        assertThat(code.hasV3ReturnCode()).isTrue();
    }

    @Test
    @Tag("mqtt311")
    @Tag("MQTT-3.2.2-6")
    void writesNothingInMqtt3WhenNoCodeFits() {
        for (ReasonCode code : ReasonCode.values()) {
            String encoded = v3(new Connack(false, code, ConnackProperties.reason("why")));
            assertThat(encoded.isEmpty()).as("%s", code).isNotEqualTo(code.hasV3ReturnCode());
        }
    }
}
