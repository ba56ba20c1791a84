package io.rotamq.server.net;

import java.util.concurrent.atomic.LongAdder;

/**
 * What the transport counts. Added to by every loop, at most once for a read or a flush, never for
 * a message; read by anybody.
 */
public final class TransportCounters {
    final LongAdder accepted = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder bytesReceived = new LongAdder();
    final LongAdder bytesSent = new LongAdder();
    final LongAdder forcedCloses = new LongAdder();
    final LongAdder containedFailures = new LongAdder();
    final LongAdder failedHandshakes = new LongAdder();
    final LongAdder refusedUpgrades = new LongAdder();
    final LongAdder brokenFrames = new LongAdder();
    final LongAdder moves = new LongAdder();
    final LongAdder congestionPauses = new LongAdder();
    final LongAdder tlsReloads = new LongAdder();
    final LongAdder failedTlsReloads = new LongAdder();

    /** Connections accepted. */
    public long accepted() {
        return accepted.sum();
    }

    /** Connections closed at once because there were too many. */
    public long refused() {
        return refused.sum();
    }

    /** Bytes read, without TLS and WebSocket framing. */
    public long bytesReceived() {
        return bytesReceived.sum();
    }

    /** Bytes written, without TLS and WebSocket framing. */
    public long bytesSent() {
        return bytesSent.sum();
    }

    /** Connections cut off because the peer did not read its last packets. */
    public long forcedCloses() {
        return forcedCloses.sum();
    }

    /** Programming errors that cost one connection, see the log. */
    public long containedFailures() {
        return containedFailures.sum();
    }

    /** TLS handshakes that failed. */
    public long failedHandshakes() {
        return failedHandshakes.sum();
    }

    /** HTTP requests that did not open a WebSocket. */
    public long refusedUpgrades() {
        return refusedUpgrades.sum();
    }

    /** WebSockets closed for a frame that is not allowed. */
    public long brokenFrames() {
        return brokenFrames.sum();
    }

    /** Connections handed to the loop that owns their session. */
    public long moves() {
        return moves.sum();
    }

    /** Times that a connection was not read because another shard had too much to do. */
    public long congestionPauses() {
        return congestionPauses.sum();
    }

    /** Times that changed certificate files were taken over. */
    public long tlsReloads() {
        return tlsReloads.sum();
    }

    /** Times that changed certificate files were found unusable. */
    public long failedTlsReloads() {
        return failedTlsReloads.sum();
    }
}
