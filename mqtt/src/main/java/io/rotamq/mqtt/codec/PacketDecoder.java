package io.rotamq.mqtt.codec;

import io.netty.buffer.ByteBuf;
import io.rotamq.mqtt.Auth;
import io.rotamq.mqtt.BadConnectException;
import io.rotamq.mqtt.Connect;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.Pingreq;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.UnsupportedVersionException;
import io.rotamq.mqtt.topic.TopicNames;
import org.jspecify.annotations.Nullable;

/**
 * Decodes what one client sends, in the version that its CONNECT names. One per connection, owned
 * by its event loop.
 *
 * <p>Type, flags and length are checked as soon as they are there; no byte is consumed and nothing
 * is allocated before the whole packet has arrived, so that an announced length costs nothing
 * (CVE-2023-0809). What comes out has been checked completely, filters of SUBSCRIBE and UNSUBSCRIBE
 * excepted, which fail one by one. After an exception the stream means nothing any more and nothing
 * further may be decoded from it.
 */
public final class PacketDecoder {
    private final DecoderLimits limits;
    private final PublishDecoder publishes;
    private @Nullable ProtocolVersion version;
    private boolean connected;
    private boolean authenticates;

    /**
     * A decoder for a new connection.
     *
     * @param topics of the connection's event loop
     */
    public PacketDecoder(DecoderLimits limits, TopicNames topics) {
        this.limits = limits;
        this.publishes = new PublishDecoder(topics, limits.topicAliasMaximum());
    }

    /**
     * The version of the client: known once its CONNECT has named one that is supported, even if
     * the rest of that packet was refused; until then null, and nothing can be answered.
     */
    public @Nullable ProtocolVersion version() {
        return version;
    }

    /**
     * Decodes the next packet and consumes it.
     *
     * @return null if it has not arrived completely; then nothing was consumed
     * @throws MqttException if it can be told, from as much as is there, that the packet is bad; an
     *     {@link UnsupportedVersionException} if the protocol is another one
     */
    public @Nullable Packet decode(ByteBuf in) throws MqttException {
        int start = in.readerIndex();
        int end = in.writerIndex();
        if (start == end) {
            return null;
        }
        int first = in.getUnsignedByte(start);
        ProtocolVersion established = connected ? version : null;
        PacketType.check(first >> 4, first & 0xF, established);
        long read = VariableByteInteger.read(in, start + 1, end);
        if (read == VariableByteInteger.INCOMPLETE) {
            return null;
        }
        int body = start + 1 + VariableByteInteger.sizeOf(read);
        int length = VariableByteInteger.valueOf(read);
        checkSize(body - start + length);
        PacketType.checkLength(first >> 4, length, established);
        if (end - body < length) {
            return null;
        }
        in.readerIndex(body + length);
        return established == null
                ? connect(Frame.of(in, body, length))
                : decode(established, first, in, body, length);
    }

    /** The connection is gone: nothing is kept for it any more. */
    public void close() {
        publishes.close();
    }

    private void checkSize(int size) throws MqttException {
        if (size > (connected ? limits.maximumPacketSize() : limits.maximumConnectSize())) {
            throw MqttException.tooLarge("packet is larger than allowed"); // [MQTT-3.2.2-15]
        }
    }

    private Connect connect(Frame frame) throws MqttException {
        ProtocolVersion named = ConnectDecoder.version(frame);
        version = named;
        Connect connect = connect(named, frame);
        authenticates = connect.properties().authenticationMethod() != null;
        connected = true;
        return connect;
    }

    private static Connect connect(ProtocolVersion named, Frame frame) throws BadConnectException {
        try {
            return ConnectDecoder.decode(named, frame);
        } catch (MqttException bad) {
            throw new BadConnectException(named, bad);
        }
    }

    private Packet decode(ProtocolVersion known, int first, ByteBuf in, int body, int length)
            throws MqttException {
        int type = first >> 4;
        return switch (type) {
            case PacketType.PUBLISH ->
                    publishes.decode(known, first & 0xF, in, body, body + length);
            case PacketType.PUBACK, PacketType.PUBREC, PacketType.PUBREL, PacketType.PUBCOMP ->
                    AcknowledgementDecoder.decode(type, in, body, length);
            case PacketType.SUBSCRIBE ->
                    SubscriptionDecoder.subscribe(known, Frame.of(in, body, length));
            case PacketType.UNSUBSCRIBE ->
                    SubscriptionDecoder.unsubscribe(known, Frame.of(in, body, length));
            case PacketType.PINGREQ -> Pingreq.INSTANCE;
            case PacketType.DISCONNECT -> DisconnectDecoder.decode(Frame.of(in, body, length));
            default -> auth(Frame.of(in, body, length));
        };
    }

    private Auth auth(Frame frame) throws MqttException {
        if (!authenticates) {
            throw MqttException.protocolError(
                    "AUTH without a method in CONNECT"); // [MQTT-4.12.0-7]
        }
        return AuthDecoder.decode(frame);
    }
}
