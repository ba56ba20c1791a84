package io.rotamq.mqtt;

/** The receiver has taken responsibility for a QoS 2 message, or refused it. */
public record Pubrec(int packetId, ReasonCode reasonCode, Details details)
        implements Acknowledgement {}
