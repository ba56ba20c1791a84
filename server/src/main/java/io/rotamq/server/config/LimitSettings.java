package io.rotamq.server.config;

import static io.rotamq.server.config.Quantities.GIB;
import static io.rotamq.server.config.Quantities.KIB;
import static io.rotamq.server.config.Quantities.MIB;

import java.time.Duration;
import java.util.List;

/**
 * Bounds that keep one client, or all of them together, from exhausting the broker.
 *
 * @param maxConnections of all listeners together
 * @param connectTimeout from accepting a connection to its complete CONNECT
 * @param maxPacketSize of any packet, in bytes
 * @param maxConnectSize of a CONNECT, in bytes: it comes from somebody not yet known
 * @param maxSubscriptionsPerSession shared ones included
 * @param maxClientIdLength in bytes
 * @param memory bytes of messages held in all queues, backlogs and windows together
 * @param outboundBuffer bytes waiting to be written to one connection, above which it gets no more
 * @param mailbox messages waiting for one shard
 */
public record LimitSettings(
        int maxConnections,
        Duration connectTimeout,
        int maxPacketSize,
        int maxConnectSize,
        int maxSubscriptionsPerSession,
        int maxClientIdLength,
        long memory,
        int outboundBuffer,
        int mailbox) {

    /** The largest value that the Remaining Length of a packet can have. */
    private static final long LARGEST_PACKET = 268_435_455;

    static final Setting<Integer> MAX_CONNECTIONS =
            Setting.of(
                    "limits.max-connections",
                    Quantities.whole(1, 10_000_000),
                    "100000",
                    "Connections on all listeners together; further ones are closed at once.");
    static final Setting<Duration> CONNECT_TIMEOUT =
            Setting.of(
                    "limits.connect-timeout",
                    Quantities.span(Duration.ofMillis(100), Duration.ofMinutes(5)),
                    "10s",
                    "How long a new connection may take to send its whole CONNECT.");
    static final Setting<Long> MAX_PACKET_SIZE =
            Setting.of(
                    "limits.max-packet-size",
                    Quantities.size(KIB, LARGEST_PACKET),
                    "1MiB",
                    "The largest packet that is accepted. MQTT 5 clients are told.");
    static final Setting<Long> MAX_CONNECT_SIZE =
            Setting.of(
                    "limits.max-connect-size",
                    Quantities.size(256, LARGEST_PACKET),
                    "256KiB",
                    "The largest CONNECT, its will included, and never more than"
                            + " `limits.max-packet-size`.");
    static final Setting<Integer> MAX_SUBSCRIPTIONS_PER_SESSION =
            Setting.of(
                    "limits.max-subscriptions-per-session",
                    Quantities.whole(1, 1_000_000),
                    "10000",
                    "The most subscriptions of one session, shared ones included; further ones are"
                            + " refused (0x97). Filters of more than 256 bytes may have 2 MiB"
                            + " together.");
    static final Setting<Integer> MAX_CLIENT_ID_LENGTH =
            Setting.of(
                    "limits.max-client-id-length",
                    Quantities.whole(23, 65_535),
                    "65535",
                    "The longest client identifier in bytes; longer ones are refused (0x85). The"
                            + " standard wants at least 23.");
    static final Setting<Long> MEMORY =
            Setting.of(
                    "limits.memory",
                    Quantities.sizeOrShareOfHeap(MIB, 1024 * GIB),
                    "40%",
                    "Messages held in all queues, backlogs and windows together."
                            + " When it is nearly used up, publishes of QoS 1 and 2 that a"
                            + " share group would have to hold are refused and counted (MQTT 5"
                            + " publishers see 0x97); when it is, queues take no more.");
    static final Setting<Long> OUTBOUND_BUFFER =
            Setting.of(
                    "limits.outbound-buffer",
                    Quantities.size(4 * KIB, 256 * MIB),
                    "256KiB",
                    "Bytes waiting to be written to one connection. A client that reads too slowly"
                            + " gets no more above it until it has caught up.");
    static final Setting<Integer> MAILBOX =
            Setting.of(
                    "limits.mailbox",
                    Quantities.whole(1024, 16_777_216),
                    "65536",
                    "Messages on their way to one shard from the others; publishers wait while it"
                            + " is full.");

    static final Section SECTION =
            new Section(
                    "Limits",
                    "",
                    List.of(
                            MAX_CONNECTIONS,
                            CONNECT_TIMEOUT,
                            MAX_PACKET_SIZE,
                            MAX_CONNECT_SIZE,
                            MAX_SUBSCRIPTIONS_PER_SESSION,
                            MAX_CLIENT_ID_LENGTH,
                            MEMORY,
                            OUTBOUND_BUFFER,
                            MAILBOX));

    static LimitSettings of(Values values) {
        int maxPacketSize = values.get(MAX_PACKET_SIZE).intValue();
        return new LimitSettings(
                values.get(MAX_CONNECTIONS),
                values.get(CONNECT_TIMEOUT),
                maxPacketSize,
                Math.min(values.get(MAX_CONNECT_SIZE).intValue(), maxPacketSize),
                values.get(MAX_SUBSCRIPTIONS_PER_SESSION),
                values.get(MAX_CLIENT_ID_LENGTH),
                values.get(MEMORY),
                values.get(OUTBOUND_BUFFER).intValue(),
                values.get(MAILBOX));
    }
}
