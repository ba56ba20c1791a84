package io.rotamq.mqtt;

/**
 * An MQTT control packet, of any version.
 *
 * <p>Packets are immutable. Those that hold arrays compare them by identity and do not copy them:
 * whoever has a packet leaves its arrays and lists alone.
 */
public sealed interface Packet
        permits Connect,
                Connack,
                Publish,
                Acknowledgement,
                Subscribe,
                Suback,
                Unsubscribe,
                Unsuback,
                Pingreq,
                Pingresp,
                Disconnect,
                Auth {}
