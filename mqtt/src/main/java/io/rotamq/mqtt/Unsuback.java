package io.rotamq.mqtt;

import java.util.List;

/** The answer to an UNSUBSCRIBE, a reason code for each of its filters in their order. */
public record Unsuback(int packetId, List<ReasonCode> reasonCodes, Details details)
        implements Packet {}
