package io.rotamq.mqtt.codec;

/**
 * What a connection accepts; sizes are of whole packets, fixed header included.
 *
 * @param maximumConnectSize bytes of a CONNECT, all that a stranger can make the broker hold
 * @param maximumPacketSize bytes of every later packet, as announced in CONNACK
 * @param topicAliasMaximum highest topic alias from the client, as announced in CONNACK
 */
public record DecoderLimits(int maximumConnectSize, int maximumPacketSize, int topicAliasMaximum) {}
