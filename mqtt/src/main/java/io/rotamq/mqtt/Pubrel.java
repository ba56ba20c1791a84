package io.rotamq.mqtt;

/** The sender lets go of the identifier of a QoS 2 message. */
public record Pubrel(int packetId, ReasonCode reasonCode, Details details)
        implements Acknowledgement {}
