package io.rotamq.core.port;

import io.rotamq.mqtt.Connect;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.Publish;

/**
 * The outbound half of one network connection. Every call is made on the loop of the shard that
 * owns the connection; nothing may be sent after {@link #close()}.
 */
public interface Connection {
    /**
     * Called once, before the CONNACK: from now on packets are encoded for this peer.
     *
     * @param maximumPacketSize in bytes; {@code Long.MAX_VALUE} for none
     * @param topicAliasMaximum how many outbound topic aliases may be used; 0 for none
     * @param problemInformation whether reason strings and user properties are wanted everywhere
     */
    void established(
            ProtocolVersion version,
            long maximumPacketSize,
            int topicAliasMaximum,
            boolean problemInformation);

    /** Encodes a packet other than PUBLISH; flushed once per loop turn. */
    void send(Packet packet);

    /**
     * Whether the delivery stays within the peer's Maximum Packet Size. Pure: the only method that
     * may be called from any shard.
     */
    boolean fits(Publish publish, long messageExpiry, int[] subscriptionIds);

    /**
     * Encodes a PUBLISH; flushed once per loop turn.
     *
     * @param packetId 0 with QoS 0
     * @param messageExpiry in seconds; -1 for none
     */
    void publish(
            Publish publish,
            int packetId,
            int qos,
            boolean dup,
            boolean retain,
            long messageExpiry,
            int[] subscriptionIds);

    /** False while the outbound buffer is above its bound. */
    boolean isWritable();

    /** Back-pressure: stops or resumes reading from the peer. */
    void setReading(boolean reading);

    /** Flushes what was sent, then closes, also when the peer does not read; idempotent. */
    void close();

    /**
     * Hands the network connection to another shard, which accepts it anew, receives {@code
     * connect} and goes on with the bytes that came behind it. This object is dead afterwards.
     */
    void moveTo(int shard, Connect connect);

    /** Where the peer comes from. */
    ConnectionInfo info();
}
