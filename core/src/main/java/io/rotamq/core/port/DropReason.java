package io.rotamq.core.port;

import java.util.Locale;

/** Why a message was discarded. Nothing is dropped without one of these being counted. */
public enum DropReason {
    /** QoS 0 for a subscriber that is not connected. */
    OFFLINE,
    /** QoS 0 for a subscriber that does not read fast enough. */
    SLOW_READER,
    /** The queue of a session is full. */
    QUEUE_FULL,
    /** The message expired before its delivery began. */
    EXPIRED,
    /** Larger than the subscriber's Maximum Packet Size. */
    TOO_LARGE,
    /** QoS 0 for a group of which no member can take it now. */
    NO_MEMBER,
    /** The oldest message of a full backlog made room. */
    BACKLOG_FULL,
    /** The oldest message of a full lane, of one routing key, made room. */
    LANE_FULL,
    /** No member of the group takes messages of this routing key. */
    KEY_FILTERED,
    /** Refused because the backlog is full and the group's policy is reject_new. */
    BACKLOG_REJECTED,
    /** The group ended with its last session. */
    GROUP_ENDED,
    /** A member answered with a reason code of 0x80 or above. */
    NEGATIVE_ACK,
    /** A QoS 2 delivery was in progress when its session ended: nobody else may get it. */
    QOS2_SESSION_ENDED,
    /** Queued or in flight for a plain subscription when the session ended. */
    SESSION_ENDED,
    /** The publisher may not publish to the topic. */
    NOT_AUTHORIZED,
    /** The broker's memory bound is reached. */
    MEMORY,
    /** The publisher was refused because the store is nearly full, or has failed. */
    STORAGE,
    /** A retained message was not stored because the store is full. */
    RETAINED_FULL;

    /** Label value of the metric, in snake case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
