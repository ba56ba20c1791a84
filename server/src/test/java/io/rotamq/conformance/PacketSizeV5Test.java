package io.rotamq.conformance;

import static io.rotamq.testkit.Property.REASON_STRING;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.rotamq.mqtt.Auth;
import io.rotamq.mqtt.Connack;
import io.rotamq.mqtt.ConnackProperties;
import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.Disconnect;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.Puback;
import io.rotamq.mqtt.Pubcomp;
import io.rotamq.mqtt.Pubrec;
import io.rotamq.mqtt.Pubrel;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.Suback;
import io.rotamq.mqtt.Unsuback;
import io.rotamq.mqtt.UserProperty;
import io.rotamq.mqtt.codec.PacketEncoder;
import io.rotamq.testkit.Props;
import io.rotamq.testkit.Received;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What the encoder leaves out when a packet would exceed the client's Maximum Packet Size. The
 * broker puts user properties into none of these packets today, so this is tried at the encoder.
 */
@Tag("mqtt5")
class PacketSizeV5Test {
    private static final Details LONG =
            new Details(
                    "because ".repeat(25), List.of(new UserProperty("name", "value ".repeat(35))));

    private static Received encode(Packet packet, long maximumPacketSize) {
        PacketEncoder encoder =
                new PacketEncoder(ProtocolVersion.MQTT_5, maximumPacketSize, 0, true);
        ByteBuf out = Unpooled.buffer();
        assertThat(encoder.encode(packet, out)).isTrue();
        return Received.decode(5, ByteBufUtil.getBytes(out));
    }

    /** With room both are there, with less the reason only, with 64 bytes neither. */
    private static void expectLessAndLess(Packet packet) {
        Props all = encode(packet, Long.MAX_VALUE).properties();
        assertThat(all.has(REASON_STRING)).isTrue();
        assertThat(all.users()).hasSize(1);
        Received some = encode(packet, 300);
        assertThat(some.raw()).hasSizeLessThanOrEqualTo(300);
        assertThat(some.properties().has(REASON_STRING)).isTrue();
        assertThat(some.properties().users()).isEmpty();
        Received none = encode(packet, 64);
        assertThat(none.raw()).hasSizeLessThanOrEqualTo(64);
        assertThat(none.properties().has(REASON_STRING)).isFalse();
        assertThat(none.properties().users()).isEmpty();
    }

    @Test
    @Tag("MQTT-3.2.2-19")
    @Tag("MQTT-3.2.2-20")
    void connackFits() {
        ConnackProperties properties = ConnackProperties.builder().details(LONG).build();
        expectLessAndLess(new Connack(false, ReasonCode.NOT_AUTHORIZED, properties));
    }

    @Test
    @Tag("MQTT-3.4.2-2")
    @Tag("MQTT-3.4.2-3")
    void pubackFits() {
        expectLessAndLess(new Puback(1, ReasonCode.NOT_AUTHORIZED, LONG));
    }

    @Test
    @Tag("MQTT-3.5.2-2")
    @Tag("MQTT-3.5.2-3")
    void pubrecFits() {
        expectLessAndLess(new Pubrec(1, ReasonCode.NOT_AUTHORIZED, LONG));
    }

    @Test
    @Tag("MQTT-3.6.2-2")
    @Tag("MQTT-3.6.2-3")
    void pubrelFits() {
        expectLessAndLess(new Pubrel(1, ReasonCode.PACKET_IDENTIFIER_NOT_FOUND, LONG));
    }

    @Test
    @Tag("MQTT-3.7.2-2")
    @Tag("MQTT-3.7.2-3")
    void pubcompFits() {
        expectLessAndLess(new Pubcomp(1, ReasonCode.PACKET_IDENTIFIER_NOT_FOUND, LONG));
    }

    @Test
    @Tag("MQTT-3.9.2-1")
    @Tag("MQTT-3.9.2-2")
    void subackFits() {
        expectLessAndLess(new Suback(1, List.of(ReasonCode.NOT_AUTHORIZED), LONG));
    }

    @Test
    @Tag("MQTT-3.11.2-1")
    @Tag("MQTT-3.11.2-2")
    void unsubackFits() {
        expectLessAndLess(new Unsuback(1, List.of(ReasonCode.NO_SUBSCRIPTION_EXISTED), LONG));
    }

    @Test
    @Tag("MQTT-3.14.2-3")
    @Tag("MQTT-3.14.2-4")
    void disconnectFits() {
        expectLessAndLess(new Disconnect(ReasonCode.ADMINISTRATIVE_ACTION, -1, LONG, null));
    }

    @Test
    @Tag("MQTT-3.15.2-2")
    @Tag("MQTT-3.15.2-3")
    void authFits() {
        byte[] data = {1};
        expectLessAndLess(new Auth(ReasonCode.CONTINUE_AUTHENTICATION, "METHOD", data, LONG));
    }
}
