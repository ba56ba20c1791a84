package io.rotamq.server.net;

import io.rotamq.mqtt.codec.DecoderLimits;
import java.time.Duration;

/**
 * Bounds of connections.
 *
 * @param maxConnections of all listeners together; further ones are closed at once
 * @param outboundBuffer bytes waiting for one peer, above which the core is told not to send more;
 *     above twice that, nothing is read from the peer either
 * @param closeTimeout how long a peer may take to read its last packets before it is cut off
 * @param decoder sizes of packets
 */
public record TransportLimits(
        int maxConnections, int outboundBuffer, Duration closeTimeout, DecoderLimits decoder) {

    /** How much must be written before a connection that was above its bound is writable again. */
    int lowWaterMark() {
        return outboundBuffer / 2;
    }

    /** Where a peer that does not read is no longer read from. */
    long deafMark() {
        return 2L * outboundBuffer;
    }
}
