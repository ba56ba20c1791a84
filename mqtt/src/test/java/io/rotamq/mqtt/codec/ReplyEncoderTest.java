package io.rotamq.mqtt.codec;

import static io.rotamq.mqtt.ReasonCode.GRANTED_QOS_1;
import static io.rotamq.mqtt.ReasonCode.GRANTED_QOS_2;
import static io.rotamq.mqtt.ReasonCode.NOT_AUTHORIZED;
import static io.rotamq.mqtt.ReasonCode.PACKET_IDENTIFIER_NOT_FOUND;
import static io.rotamq.mqtt.ReasonCode.SUCCESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rotamq.mqtt.Auth;
import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.Disconnect;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.Pingreq;
import io.rotamq.mqtt.Pingresp;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.Puback;
import io.rotamq.mqtt.Pubcomp;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.Pubrec;
import io.rotamq.mqtt.Pubrel;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.Suback;
import io.rotamq.mqtt.Unsuback;
import io.rotamq.mqtt.Unsubscribe;
import io.rotamq.mqtt.UserProperty;
import io.rotamq.mqtt.topic.TopicName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReplyEncoderTest {
    private static final long NO_MAXIMUM = Long.MAX_VALUE;
    private static final UserProperty PAIR = new UserProperty("a", "1");
    private static final Details BOTH = new Details("no", List.of(PAIR, PAIR));
    private static final String REASON_BYTES = "1f00026e6f";
    private static final String PAIR_BYTES = "26000161000131";

    private static PacketEncoder v5(long maximum, boolean problemInformation) {
        return new PacketEncoder(ProtocolVersion.MQTT_5, maximum, 0, problemInformation);
    }

    private static PacketEncoder v3() {
        return new PacketEncoder(ProtocolVersion.MQTT_3_1_1, NO_MAXIMUM, 0, true);
    }

    private static String encode(PacketEncoder encoder, Packet packet) {
        ByteBuf out = Unpooled.buffer();
        boolean written = encoder.encode(packet, out);
        assertThat(written).isEqualTo(out.isReadable());
        return Wire.hexOf(out);
    }

    private static String encode(Packet packet) {
        return encode(v5(NO_MAXIMUM, true), packet);
    }

    @Test
    void usesTheShortestFormForSuccess() {
        assertThat(encode(new Puback(7, SUCCESS, Details.NONE))).isEqualTo("40020007");
        assertThat(encode(new Pubrec(65_535, SUCCESS, Details.NONE))).isEqualTo("5002ffff");
        assertThat(encode(new Pubrel(7, SUCCESS, Details.NONE))).isEqualTo("62020007");
        assertThat(encode(new Pubcomp(7, SUCCESS, Details.NONE))).isEqualTo("70020007");
    }

    @Test
    void leavesOutThePropertiesThatThereAreNot() {
        assertThat(encode(new Puback(7, NOT_AUTHORIZED, Details.NONE))).isEqualTo("4003000787");
        assertThat(encode(new Pubrel(7, PACKET_IDENTIFIER_NOT_FOUND, Details.NONE)))
                .isEqualTo("6203000792");
    }

    @Test
    void writesDetails() {
        assertThat(encode(new Puback(7, NOT_AUTHORIZED, BOTH)))
                .isEqualTo("4017000787" + "13" + REASON_BYTES + PAIR_BYTES + PAIR_BYTES);
    }

    @Test
    void writesDetailsOfASuccess() {
        assertThat(encode(new Puback(7, SUCCESS, Details.reason("no"))))
                .isEqualTo("4009000700" + "05" + REASON_BYTES);
    }

    @Test
    void answersSubscribeAndUnsubscribe() {
        List<ReasonCode> codes = List.of(GRANTED_QOS_1, NOT_AUTHORIZED, GRANTED_QOS_2, SUCCESS);
        assertThat(encode(new Suback(4660, codes, Details.NONE)))
                .isEqualTo("9007123400" + "01870200");
        List<ReasonCode> left = List.of(SUCCESS, ReasonCode.NO_SUBSCRIPTION_EXISTED);
        assertThat(encode(new Unsuback(300, left, Details.reason("no"))))
                .isEqualTo("b00a012c05" + REASON_BYTES + "0011");
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-2.2.2-1")
    void writesAnEmptyPropertyListAsZero() {
        assertThat(encode(new Suback(1, List.of(SUCCESS), Details.NONE))).isEqualTo("900400010000");
    }

    @Test
    void writesLengthsOfSeveralBytes() {
        List<ReasonCode> codes = Collections.nCopies(200, SUCCESS);
        assertThat(encode(new Suback(1, codes, Details.NONE)))
                .isEqualTo("90cb01000100" + "00".repeat(200));
        assertThat(encode(v3(), new Suback(1, codes, Details.NONE)))
                .isEqualTo("90ca010001" + "00".repeat(200));
    }

    @Test
    void writesDisconnectInItsShortestForm() {
        assertThat(encode(Disconnect.of(SUCCESS, Details.NONE))).isEqualTo("e000");
        assertThat(encode(Disconnect.of(ReasonCode.SESSION_TAKEN_OVER, Details.NONE)))
                .isEqualTo("e0018e");
        assertThat(encode(Disconnect.of(ReasonCode.ADMINISTRATIVE_ACTION, BOTH)))
                .isEqualTo("e0159813" + REASON_BYTES + PAIR_BYTES + PAIR_BYTES);
        assertThat(encode(new Disconnect(ReasonCode.USE_ANOTHER_SERVER, -1, Details.NONE, "b")))
                .isEqualTo("e0069c041c000162");
    }

    @Test
    @Tag("mqtt5")
    @Tag("MQTT-3.14.2-2")
    void neverWritesASessionExpiryIntoDisconnect() {
        assertThat(encode(new Disconnect(SUCCESS, 60, Details.NONE, null))).isEqualTo("e000");
    }

    @Test
    void writesAuth() {
        assertThat(
                        encode(
                                new Auth(
                                        ReasonCode.CONTINUE_AUTHENTICATION,
                                        "m",
                                        new byte[] {1, 2},
                                        Details.reason("no"))))
                .isEqualTo("f010180e" + "1500016d" + "1600020102" + REASON_BYTES);
    }

    @Test
    void writesPingresp() {
        assertThat(encode(Pingresp.INSTANCE)).isEqualTo("d000");
        assertThat(encode(v3(), Pingresp.INSTANCE)).isEqualTo("d000");
    }

    @Test
    void writesMqtt3WithoutCodesAndDetails() {
        assertThat(encode(v3(), new Puback(7, NOT_AUTHORIZED, BOTH))).isEqualTo("40020007");
        assertThat(encode(v3(), new Pubrec(7, NOT_AUTHORIZED, BOTH))).isEqualTo("50020007");
        assertThat(encode(v3(), new Pubrel(7, PACKET_IDENTIFIER_NOT_FOUND, BOTH)))
                .isEqualTo("62020007");
        assertThat(encode(v3(), new Pubcomp(7, SUCCESS, BOTH))).isEqualTo("70020007");
        assertThat(encode(v3(), new Unsuback(300, List.of(SUCCESS, NOT_AUTHORIZED), BOTH)))
                .isEqualTo("b002012c");
    }

    @Test
    @Tag("mqtt311")
    @Tag("MQTT-3.9.3-2")
    void writesEveryFailureOfAMqtt3SubscribeAs80() {
        List<ReasonCode> codes = new ArrayList<>(List.of(SUCCESS, GRANTED_QOS_1, GRANTED_QOS_2));
        Stream.of(ReasonCode.values()).filter(ReasonCode::isError).forEach(codes::add);
        String encoded = encode(v3(), new Suback(1, codes, BOTH));
        assertThat(encoded).isEqualTo("90280001" + "000102" + "80".repeat(codes.size() - 3));
    }

    @Test
    @Tag("mqtt311")
    @Tag("X3-3.14-a")
    void writesNoDisconnectAndNoAuthToMqtt3() {
        assertThat(encode(v3(), Disconnect.of(ReasonCode.SERVER_SHUTTING_DOWN, BOTH))).isEmpty();
        assertThat(encode(v3(), new Auth(SUCCESS, "m", null, Details.NONE))).isEmpty();
    }

    /**
     * Every packet that has details: its kind, its bytes without them, and the ids it stands for.
     */
    static Stream<Arguments> packetsWithDetails() {
        return Stream.of(
                Arguments.of(new Puback(7, NOT_AUTHORIZED, BOTH), "4003000787"),
                Arguments.of(new Pubrec(7, NOT_AUTHORIZED, BOTH), "5003000787"),
                Arguments.of(new Pubrel(7, PACKET_IDENTIFIER_NOT_FOUND, BOTH), "6203000792"),
                Arguments.of(new Pubcomp(7, PACKET_IDENTIFIER_NOT_FOUND, BOTH), "7003000792"),
                Arguments.of(new Suback(7, List.of(NOT_AUTHORIZED), BOTH), "900400070087"),
                Arguments.of(new Unsuback(7, List.of(NOT_AUTHORIZED), BOTH), "b00400070087"),
                Arguments.of(Disconnect.of(ReasonCode.QUOTA_EXCEEDED, BOTH), "e00197"),
                Arguments.of(
                        new Auth(ReasonCode.CONTINUE_AUTHENTICATION, "m", null, BOTH),
                        "f00618041500016d"));
    }

    @ParameterizedTest
    @MethodSource("packetsWithDetails")
    @Tag("mqtt5")
    @Tag("MQTT-3.4.2-2")
    @Tag("MQTT-3.4.2-3")
    @Tag("MQTT-3.5.2-2")
    @Tag("MQTT-3.5.2-3")
    @Tag("MQTT-3.6.2-2")
    @Tag("MQTT-3.6.2-3")
    @Tag("MQTT-3.7.2-2")
    @Tag("MQTT-3.7.2-3")
    @Tag("MQTT-3.9.2-1")
    @Tag("MQTT-3.9.2-2")
    @Tag("MQTT-3.11.2-1")
    @Tag("MQTT-3.11.2-2")
    @Tag("MQTT-3.14.2-3")
    @Tag("MQTT-3.14.2-4")
    @Tag("MQTT-3.15.2-2")
    @Tag("MQTT-3.15.2-3")
    void dropsUserPropertiesThenTheReasonToStayWithinTheMaximum(Packet packet, String bare) {
        String full = encode(packet);
        int size = full.length() / 2;
        assertThat(full).contains(REASON_BYTES).endsWith(tail(full));
        assertThat(encode(v5(size, true), packet)).isEqualTo(full);

        String withReason = encode(v5(size - 1, true), packet);
        assertThat(withReason).contains(REASON_BYTES).doesNotContain(PAIR_BYTES);
        int smaller = withReason.length() / 2;
        assertThat(encode(v5(smaller, true), packet)).isEqualTo(withReason);

        assertThat(encode(v5(smaller - 1, true), packet)).isEqualTo(bare);
        assertThat(encode(v5(bare.length() / 2, true), packet)).isEqualTo(bare);
        assertThat(encode(v5(bare.length() / 2 - 1, true), packet)).isEmpty();
    }

    private static String tail(String full) {
        return full.contains(PAIR_BYTES + PAIR_BYTES) ? "" : "both pairs are missing";
    }

    @ParameterizedTest
    @MethodSource("packetsWithDetails")
    @Tag("mqtt5")
    @Tag("MQTT-3.1.2-29")
    void keepsDetailsToDisconnectWhenTheClientWantsNoProblemInformation(
            Packet packet, String bare) {
        String encoded = encode(v5(NO_MAXIMUM, false), packet);
        if (packet instanceof Disconnect) {
            assertThat(encoded).contains(REASON_BYTES, PAIR_BYTES);
        } else {
            assertThat(encoded).isEqualTo(bare);
        }
    }

    @Test
    void leavesOutDetailsTooLongForAnyPacket() {
        Details longReason = new Details("x".repeat(65_536), List.of(PAIR));
        assertThat(encode(new Puback(7, NOT_AUTHORIZED, longReason)))
                .isEqualTo("400b0007870" + "7" + PAIR_BYTES);
        Details longValue =
                new Details("no", List.of(PAIR, new UserProperty("a", "\u00e9".repeat(32_768))));
        assertThat(encode(new Puback(7, NOT_AUTHORIZED, longValue)))
                .isEqualTo("400900078705" + REASON_BYTES);
    }

    @Test
    void leavesWhatIsInTheBufferAlone() {
        ByteBuf out = Unpooled.buffer().writeByte(0x55);
        assertThat(v5(3, true).encode(new Puback(1, SUCCESS, Details.NONE), out)).isFalse();
        assertThat(v5(1, true).encode(Pingresp.INSTANCE, out)).isFalse();
        assertThat(v5(4, true).encode(new Puback(1, SUCCESS, Details.NONE), out)).isTrue();
        assertThat(Wire.hexOf(out)).isEqualTo("5540020001");
    }

    @Test
    void refusesPacketsThatServersDoNotSend() {
        Publish publish =
                new Publish(TopicName.of("t"), new byte[0], 0, false, false, 0, -1, new byte[0]);
        for (Packet packet :
                List.of(Pingreq.INSTANCE, publish, new Unsubscribe(1, List.of("a"), List.of()))) {
            assertThatIllegalArgumentException().isThrownBy(() -> encode(packet));
        }
    }
}
