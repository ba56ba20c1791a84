package io.rotamq.mqtt;

/** The end of a QoS 2 delivery. */
public record Pubcomp(int packetId, ReasonCode reasonCode, Details details)
        implements Acknowledgement {}
