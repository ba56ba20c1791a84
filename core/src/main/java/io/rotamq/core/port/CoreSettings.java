package io.rotamq.core.port;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Everything an operator can choose about the core. */
public record CoreSettings(
        int shards, Protocol protocol, Limits limits, Sessions sessions, SharingSettings sharing) {

    /** Modest limits and the documented defaults, on so many shards. */
    public static CoreSettings defaults(int shards) {
        return new CoreSettings(
                shards,
                Protocol.DEFAULTS,
                Limits.DEFAULTS,
                Sessions.DEFAULTS,
                SharingSettings.DEFAULTS);
    }

    /**
     * What the broker tells clients about itself.
     *
     * @param serverKeepAlive seconds that replace the client's value; 0 leaves it
     * @param maximumKeepAlive longest keep alive accepted, in seconds; 0 for no limit
     * @param clientIdPattern client identifiers that are accepted; null for all
     * @param mergeOverlaps one copy for all matching subscriptions of a client, or one for each
     */
    public record Protocol(
            int receiveMaximum,
            int maximumPacketSize,
            int topicAliasMaximum,
            int outboundTopicAliasMaximum,
            int maximumQos,
            boolean retainAvailable,
            boolean wildcardsAvailable,
            boolean identifiersAvailable,
            int serverKeepAlive,
            int maximumKeepAlive,
            @Nullable String responseInformation,
            @Nullable Pattern clientIdPattern,
            boolean mergeOverlaps) {
        public static final Protocol DEFAULTS =
                new Protocol(100, 1 << 20, 32, 16, 2, true, true, true, 0, 0, null, null, true);
    }

    /**
     * Bounds of the whole node.
     *
     * @param memory bytes of messages that may wait in queues and backlogs
     * @param mailbox messages that may wait for another shard before reading pauses
     * @param connectTimeout milliseconds until a CONNECT must have arrived
     * @param maximumSubscriptions of one session, shared ones included
     * @param maximumClientIdLength in bytes
     * @param sysInterval milliseconds between two publications of {@code $SYS}; 0 for none
     */
    public record Limits(
            long memory,
            int mailbox,
            long connectTimeout,
            int maximumSubscriptions,
            int maximumClientIdLength,
            int retainedMessages,
            long retainedBytes,
            long sysInterval) {
        public static final Limits DEFAULTS =
                new Limits(
                        512L << 20, 65_536, 10_000, 10_000, 65_535, 1_000_000, 512L << 20, 10_000);
    }

    /**
     * Bounds of each session.
     *
     * @param maximumExpiry longest session expiry granted, in seconds; 0xFFFFFFFF for never
     * @param maximumInflight deliveries in flight, whatever Receive Maximum the client announces
     * @param dropOldest whether the oldest or the newest message goes when a queue is full
     * @param memory bytes of all sessions together, their messages aside
     */
    public record Sessions(
            long maximumExpiry,
            int maximumInflight,
            int maximumQueued,
            long maximumQueuedBytes,
            boolean dropOldest,
            long memory) {
        public static final Sessions DEFAULTS =
                new Sessions(0xFFFF_FFFFL, 100, 1_000, 64L << 20, true, 256L << 20);
    }
}
