package io.rotamq.mqtt;

import io.netty.buffer.ByteBuf;

/** Declared ahead of its body, so that callers compile. */
public final class PacketEncoder {
  public PacketEncoder(
      ProtocolVersion version,
      long maximumPacketSize,
      int topicAliasMaximum,
      boolean problemInformation) {}

  public boolean encode(Packet packet, ByteBuf out) {
    throw new UnsupportedOperationException();
  }

  public boolean fits(Publish publish, long messageExpiry, int[] subscriptionIds) {
    throw new UnsupportedOperationException();
  }

  public void publish(
      ByteBuf out,
      Publish publish,
      int packetId,
      int qos,
      boolean dup,
      boolean retain,
      long messageExpiry,
      int[] subscriptionIds) {
    throw new UnsupportedOperationException();
  }
}
