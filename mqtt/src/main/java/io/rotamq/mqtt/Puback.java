package io.rotamq.mqtt;

/** The end of a QoS 1 delivery. */
public record Puback(int packetId, ReasonCode reasonCode, Details details)
        implements Acknowledgement {}
