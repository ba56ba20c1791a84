package io.rotamq.core.port;

/** What the core counts, apart from discarded messages ({@link DropReason}). */
public enum Counter {
    CONNECTIONS_OPENED("connections_opened", "Network connections accepted"),
    CONNECTIONS_CLOSED("connections_closed", "Network connections closed"),
    CONNECTS_ACCEPTED("connects_accepted", "CONNECT packets answered with success"),
    CONNECTS_REFUSED("connects_refused", "CONNECT packets refused"),
    PROTOCOL_ERRORS("protocol_errors", "Connections closed for malformed or illegal packets"),
    KEEP_ALIVE_TIMEOUTS("keep_alive_timeouts", "Connections closed because the client was silent"),
    TAKEOVERS("takeovers", "Connections closed because the client connected again"),
    SESSIONS_CREATED("sessions_created", "Sessions created"),
    SESSIONS_ENDED("sessions_ended", "Sessions ended"),
    SESSIONS_RESUMED("sessions_resumed", "Sessions resumed by a reconnect"),
    SUBSCRIBED("subscriptions_added", "Subscriptions added"),
    UNSUBSCRIBED("subscriptions_removed", "Subscriptions removed"),
    PUBLISHES_RECEIVED("publishes_received", "PUBLISH packets received, repeats excluded"),
    PUBLISHES_SENT("publishes_sent", "PUBLISH packets sent, resends included"),
    PUBLISHES_RESENT("publishes_resent", "PUBLISH packets sent again on resume with DUP"),
    BYTES_RECEIVED("payload_bytes_received", "Payload bytes received"),
    BYTES_SENT("payload_bytes_sent", "Payload bytes sent"),
    NOT_MATCHED("publishes_unmatched", "PUBLISH packets that matched no subscription"),
    SHARED_PASSED_OVER("shared_passed_over", "Times a member was passed over"),
    SHARED_BACKLOGGED("shared_backlogged", "Messages that entered a group's backlog"),
    SHARED_REDISPATCHED("shared_redispatched", "Messages given back to their group"),
    SHARED_RECLAIMED("shared_reclaimed", "Offered messages resumed by their first holder"),
    ACKS_WITHHELD("acks_withheld", "Acknowledgements withheld because a group was behind"),
    LATE_ACKS("late_acks", "Acknowledgements for deliveries that are no longer in flight"),
    WILLS_PUBLISHED("wills_published", "Will messages published");

    private final String metric;
    private final String help;

    Counter(String metric, String help) {
        this.metric = metric;
        this.help = help;
    }

    /** Name in snake case, without prefix and without {@code _total}. */
    public String metric() {
        return metric;
    }

    public String help() {
        return help;
    }
}
