package io.rotamq.mqtt;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Declared ahead of its body, so that callers compile. */
public final class PacketDecoder {
  public PacketDecoder(DecoderLimits limits, TopicNames topics) {}

  public @Nullable Packet decode(ByteBuf in) throws MqttException {
    throw new UnsupportedOperationException();
  }

  public @Nullable ProtocolVersion version() {
    return null;
  }
}
