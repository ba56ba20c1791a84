package io.rotamq.server.config;

import static io.rotamq.server.config.Quantities.GIB;
import static io.rotamq.server.config.Quantities.MIB;

import java.time.Duration;
import java.util.List;

/**
 * Sessions and their queues.
 *
 * @param maxExpiry the longest that a session outlives its connection; {@link #NEVER}: for ever
 * @param maxInflight the largest window of unacknowledged deliveries to one client
 * @param maxQueuedMessages waiting in one session
 * @param maxQueuedBytes waiting in one session
 * @param queueOverflow what happens at those two bounds
 * @param memory bytes of all sessions together, their messages aside
 */
public record SessionSettings(
        Duration maxExpiry,
        int maxInflight,
        int maxQueuedMessages,
        long maxQueuedBytes,
        QueueOverflow queueOverflow,
        long memory) {

    /** The Session Expiry Interval that means "does not expire". */
    public static final Duration NEVER = Duration.ofSeconds(0xFFFF_FFFFL);

    /** Which message is lost when a session's queue is full. */
    public enum QueueOverflow {
        DROP_OLDEST,
        DROP_NEWEST
    }

    static final Setting<Duration> MAX_EXPIRY =
            Setting.of(
                    "session.max-expiry",
                    Quantities.span(Duration.ZERO, NEVER),
                    "4294967295",
                    "The longest that a session outlives its connection. MQTT 5 clients that ask"
                            + " for more are told; MQTT 3 sessions without clean session get this."
                            + " 4294967295 (seconds): for ever.");
    static final Setting<Integer> MAX_INFLIGHT =
            Setting.of(
                    "session.max-inflight",
                    Quantities.whole(1, 65_535),
                    "100",
                    "The most deliveries of QoS 1 and 2 to one client that are unacknowledged, if"
                        + " its Receive Maximum is not less. It also bounds what one member of a"
                        + " share group can hold.");
    static final Setting<Integer> MAX_QUEUED_MESSAGES =
            Setting.of(
                    "session.max-queued-messages",
                    Quantities.whole(0, 100_000_000),
                    "1000",
                    "The most messages that wait in one session for its client.");
    static final Setting<Long> MAX_QUEUED_BYTES =
            Setting.of(
                    "session.max-queued-bytes",
                    Quantities.size(0, 1024 * GIB),
                    "16MiB",
                    "The most bytes of messages that wait in one session for its client.");
    static final Setting<QueueOverflow> QUEUE_OVERFLOW =
            Setting.of(
                    "session.queue-overflow",
                    Kinds.choice(QueueOverflow.class),
                    "drop_oldest",
                    "Which message is dropped, and counted, when a session's queue is full.");
    static final Setting<Long> MEMORY =
            Setting.of(
                    "session.memory",
                    Quantities.sizeOrShareOfHeap(MIB, 1024 * GIB),
                    "20%",
                    "Identifiers, subscriptions and wills of all sessions together, at 2 KiB and"
                            + " more for each session. When it is used up, new sessions and"
                            + " subscriptions are refused (0x97).");
    static final Section SECTION =
            new Section(
                    "Sessions",
                    "",
                    List.of(
                            MAX_EXPIRY,
                            MAX_INFLIGHT,
                            MAX_QUEUED_MESSAGES,
                            MAX_QUEUED_BYTES,
                            QUEUE_OVERFLOW,
                            MEMORY));

    static SessionSettings of(Values values) {
        return new SessionSettings(
                values.get(MAX_EXPIRY),
                values.get(MAX_INFLIGHT),
                values.get(MAX_QUEUED_MESSAGES),
                values.get(MAX_QUEUED_BYTES),
                values.get(QUEUE_OVERFLOW),
                values.get(MEMORY));
    }
}
