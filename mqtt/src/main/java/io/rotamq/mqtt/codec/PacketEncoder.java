package io.rotamq.mqtt.codec;

import io.netty.buffer.ByteBuf;
import io.rotamq.mqtt.Acknowledgement;
import io.rotamq.mqtt.Auth;
import io.rotamq.mqtt.Connack;
import io.rotamq.mqtt.Connect;
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
import io.rotamq.mqtt.Subscribe;
import io.rotamq.mqtt.Unsuback;
import io.rotamq.mqtt.Unsubscribe;

/**
 * Encodes what the server sends to one client, in its version and within its limits. One per
 * connection, owned by its event loop.
 *
 * <p>Nothing is ever written that the client's version cannot express or its Maximum Packet Size
 * does not allow [MQTT-3.1.2-24]; then the bytes that are already in the buffer stay as they are.
 */
public final class PacketEncoder {
    private final ProtocolVersion version;
    private final long maximumPacketSize;
    private final ReplyEncoder replies;
    private final PublishEncoder publishes;

    /**
     * An encoder for a connection whose CONNECT has been read.
     *
     * @param maximumPacketSize the client's, in bytes; {@link Long#MAX_VALUE} if it set none
     * @param topicAliasMaximum the client's; 0 for no aliases
     * @param problemInformation the client's Request Problem Information
     */
    public PacketEncoder(
            ProtocolVersion version,
            long maximumPacketSize,
            int topicAliasMaximum,
            boolean problemInformation) {
        this.version = version;
        this.maximumPacketSize = maximumPacketSize;
        this.replies = new ReplyEncoder(maximumPacketSize, problemInformation);
        this.publishes = new PublishEncoder(version, maximumPacketSize, topicAliasMaximum);
    }

    /**
     * Appends a packet other than PUBLISH. User properties, then the reason string, are left out
     * when the packet would be too big with them, or when the client does not want them.
     *
     * @return false if nothing was written: the packet is too big even so, or an MQTT 3 client
     *     cannot be told (DISCONNECT, AUTH, and a CONNACK for which {@link
     *     ReasonCode#hasV3ReturnCode} is false). Closing the connection is then all that is left
     * @throws IllegalArgumentException if servers do not send such packets, or if it is a PUBLISH
     */
    public boolean encode(Packet packet, ByteBuf out) {
        return switch (packet) {
            case Puback puback -> acknowledge(PacketType.PUBACK << 4, puback, out);
            case Pubrec pubrec -> acknowledge(PacketType.PUBREC << 4, pubrec, out);
            case Pubrel pubrel -> acknowledge(PacketType.PUBREL << 4 | 2, pubrel, out);
            case Pubcomp pubcomp -> acknowledge(PacketType.PUBCOMP << 4, pubcomp, out);
            case Suback suback -> suback(suback, out);
            case Unsuback unsuback -> unsuback(unsuback, out);
            case Pingresp _ -> pingresp(out);
            case Connack connack ->
                    version.isV5()
                            ? ConnackEncoder.encodeV5(connack, maximumPacketSize, out)
                            : ConnackEncoder.encodeV3(version, connack, out);
            case Disconnect disconnect -> version.isV5() && replies.disconnect(disconnect, out);
            case Auth auth -> version.isV5() && replies.auth(auth, out);
            case Publish _ -> throw new IllegalArgumentException("PUBLISH has its own method");
            case Connect _, Subscribe _, Unsubscribe _, Pingreq _ ->
                    throw new IllegalArgumentException("servers do not send " + packet);
        };
    }

    private boolean acknowledge(int header, Acknowledgement packet, ByteBuf out) {
        if (version.isV5()) {
            return replies.acknowledgement(header, packet, out);
        }
        out.writeByte(header).writeByte(2).writeShort(packet.packetId());
        return true;
    }

    private boolean suback(Suback packet, ByteBuf out) {
        int header = PacketType.SUBACK << 4;
        if (version.isV5()) {
            return replies.codes(
                    header, packet.packetId(), packet.reasonCodes(), packet.details(), out);
        }
        out.writeByte(header);
        VariableByteInteger.write(2 + packet.reasonCodes().size(), out);
        out.writeShort(packet.packetId());
        for (ReasonCode code : packet.reasonCodes()) {
            out.writeByte(code.isError() ? 0x80 : code.code());
        }
        return true;
    }

    private boolean unsuback(Unsuback packet, ByteBuf out) {
        int header = PacketType.UNSUBACK << 4;
        if (version.isV5()) {
            return replies.codes(
                    header, packet.packetId(), packet.reasonCodes(), packet.details(), out);
        }
        out.writeByte(header).writeByte(2).writeShort(packet.packetId());
        return true;
    }

    private boolean pingresp(ByteBuf out) {
        if (maximumPacketSize < 2) {
            return false;
        }
        out.writeByte(PacketType.PINGRESP << 4).writeByte(0);
        return true;
    }

    /**
     * Whether a delivery is within the client's Maximum Packet Size, judged without a topic alias
     * and with a packet identifier if the message's own QoS has one. Otherwise it is not to be
     * sent, and counts as delivered [MQTT-3.1.2-25].
     *
     * @param messageExpiry as in {@link #publish}
     */
    public boolean fits(Publish publish, long messageExpiry, int[] subscriptionIds) {
        return publishes.fits(publish, messageExpiry, subscriptionIds);
    }

    /**
     * Appends a delivery, which must {@link #fits fit}. Assigns and uses topic aliases. Allocates
     * nothing, except while the table of aliases still grows.
     *
     * @param packetId 1 to 65,535; 0 with QoS 0
     * @param qos of this delivery
     * @param dup whether this delivery is repeated, whatever the message's own flag
     * @param messageExpiry seconds that are left, -1 for none
     * @param subscriptionIds repeats included, in the order to be sent; for MQTT 3 ignored
     * @throws IllegalArgumentException if it does not fit
     */
    public void publish(
            ByteBuf out,
            Publish publish,
            int packetId,
            int qos,
            boolean dup,
            boolean retain,
            long messageExpiry,
            int[] subscriptionIds) {
        publishHead(out, publish, packetId, qos, dup, retain, messageExpiry, subscriptionIds);
        out.writeBytes(publish.payload());
    }

    /**
     * Appends a delivery without its payload, which the caller sends right behind it: so that many
     * receivers can share a large one.
     *
     * @throws IllegalArgumentException if it does not fit; then nothing was appended
     */
    public void publishHead(
            ByteBuf out,
            Publish publish,
            int packetId,
            int qos,
            boolean dup,
            boolean retain,
            long messageExpiry,
            int[] subscriptionIds) {
        int header = PacketType.PUBLISH << 4 | (dup ? 8 : 0) | qos << 1 | (retain ? 1 : 0);
        publishes.encodeHead(out, header, publish, packetId, messageExpiry, subscriptionIds);
    }
}
