package io.rotamq.mqtt.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.Packet;
import java.nio.charset.StandardCharsets;

/** Bytes of packets, laid field by field as a test wants them, right or wrong. */
final class Wire {
    private final ByteBuf body = Unpooled.buffer();
    private final int first;

    private Wire(int first) {
        this.first = first;
    }

    /** A packet that begins with that byte; its remaining length is found at the end. */
    static Wire packet(int first) {
        return new Wire(first);
    }

    /** Bytes without a fixed header, for lists of properties. */
    static Wire part() {
        return new Wire(-1);
    }

    Wire u8(int value) {
        body.writeByte(value);
        return this;
    }

    Wire u16(int value) {
        body.writeShort(value);
        return this;
    }

    Wire u32(long value) {
        body.writeInt((int) value);
        return this;
    }

    Wire vbi(int value) {
        VariableByteInteger.write(value, body);
        return this;
    }

    Wire string(String text) {
        return binary(text.getBytes(StandardCharsets.UTF_8));
    }

    Wire binary(byte[] bytes) {
        body.writeShort(bytes.length).writeBytes(bytes);
        return this;
    }

    Wire raw(byte... bytes) {
        body.writeBytes(bytes);
        return this;
    }

    Wire hex(String hex) {
        return raw(ByteBufUtil.decodeHexDump(hex.replace(" ", "")));
    }

    /** The length and the bytes of a property list. */
    Wire properties(Wire properties) {
        byte[] bytes = ByteBufUtil.getBytes(properties.body);
        return vbi(bytes.length).raw(bytes);
    }

    ByteBuf buffer() {
        if (first < 0) {
            return body;
        }
        ByteBuf packet = Unpooled.buffer().writeByte(first);
        VariableByteInteger.write(body.readableBytes(), packet);
        return packet.writeBytes(body);
    }

    byte[] bytes() {
        return ByteBufUtil.getBytes(buffer());
    }

    static ByteBuf fromHex(String hex) {
        return Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex.replace(" ", "")));
    }

    /** What an encoder wrote, in hexadecimal. */
    static String hexOf(ByteBuf buffer) {
        return ByteBufUtil.hexDump(buffer);
    }

    /** Decodes a buffer that holds exactly one packet. */
    static Packet decodeWhole(PacketDecoder decoder, ByteBuf in) throws MqttException {
        Packet packet = decoder.decode(in);
        assertThat(packet).as("one complete packet").isNotNull();
        assertThat(in.readableBytes()).as("bytes left").isZero();
        return packet;
    }
}
