package io.rotamq.mqtt.codec;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.netty.buffer.ByteBuf;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.topic.TopicNames;

/** Decoders of connections, before and after CONNECT, and what they refuse. */
final class Connections {
    static final String CONNECT_V5 = "100f00044d5154540502003c0000026b31";
    static final String CONNECT_V3 = "100e00044d5154540402003c00026b31";
    static final String CONNECT_V31 = "100f00064d51497364700302003c00016b";
    static final DecoderLimits LIMITS = new DecoderLimits(100_000, 1_000_000, 10);

    private Connections() {}

    static PacketDecoder fresh() {
        return new PacketDecoder(LIMITS, new TopicNames());
    }

    static PacketDecoder connected(DecoderLimits limits, String connect) {
        PacketDecoder decoder = new PacketDecoder(limits, new TopicNames());
        try {
            Wire.decodeWhole(decoder, Wire.fromHex(connect));
        } catch (MqttException refused) {
            throw new AssertionError(refused);
        }
        return decoder;
    }

    static PacketDecoder v5() {
        return connected(LIMITS, CONNECT_V5);
    }

    static PacketDecoder v3() {
        return connected(LIMITS, CONNECT_V3);
    }

    static PacketDecoder v31() {
        return connected(LIMITS, CONNECT_V31);
    }

    /** A connection on which AUTH may be used. */
    static PacketDecoder authenticating() {
        Wire properties = Wire.part().u8(Property.AUTHENTICATION_METHOD).string("SCRAM");
        ByteBuf connect =
                Wire.packet(0x10)
                        .string("MQTT")
                        .u8(5)
                        .u8(2)
                        .u16(60)
                        .properties(properties)
                        .string("k1")
                        .buffer();
        return connected(LIMITS, Wire.hexOf(connect));
    }

    /** The exception with which the decoder refuses these bytes; fails if it does not. */
    static MqttException refusal(PacketDecoder decoder, ByteBuf in) {
        MqttException refusal = catchThrowableOfType(MqttException.class, () -> decoder.decode(in));
        if (refusal == null) {
            throw new AssertionError("accepted: " + Wire.hexOf(in));
        }
        return refusal;
    }

    /** The code with which the decoder refuses these bytes; fails if it does not. */
    static int refusalCode(PacketDecoder decoder, ByteBuf in) {
        return refusal(decoder, in).reasonCode().code();
    }

    static int refusalCode(PacketDecoder decoder, String hex) {
        return refusalCode(decoder, Wire.fromHex(hex));
    }
}
