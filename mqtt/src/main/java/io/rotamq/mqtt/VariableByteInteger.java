package io.rotamq.mqtt;

import io.netty.buffer.ByteBuf;

/** MQTT's integers of one to four bytes, seven bits in each [MQTT-1.5.5-1]. */
final class VariableByteInteger {
  static final int MAX = 268_435_455;

  private VariableByteInteger() {}

  /** How many bytes the shortest form of the value takes. */
  static int size(int value) {
    if (value < 1 << 7) {
      return 1;
    }
    if (value < 1 << 14) {
      return 2;
    }
    return value < 1 << 21 ? 3 : 4;
  }

  static void write(int value, ByteBuf out) {
    int left = value;
    while (left > 0x7F) {
      out.writeByte(left & 0x7F | 0x80);
      left >>>= 7;
    }
    out.writeByte(left);
  }
}
