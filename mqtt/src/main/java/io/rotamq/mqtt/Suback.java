package io.rotamq.mqtt;

import java.util.List;

/** The answer to a SUBSCRIBE, a reason code for each of its filters in their order. */
public record Suback(int packetId, List<ReasonCode> reasonCodes, Details details)
        implements Packet {}
