package io.rotamq.core.strategy;

/**
 * What a delivery owes to the subscriptions that explain it: one subscription, or the overlapping
 * plain ones of a client merged into one copy.
 *
 * @param qos highest granted QoS
 * @param noLocal whether a subscription among them excludes the client's own messages
 * @param identifiers subscription identifiers, repeats preserved; empty for none
 * @param generations of the subscriptions, in the order of their filters
 */
public record Grant(
        int qos,
        boolean noLocal,
        boolean retainAsPublished,
        int[] identifiers,
        long[] generations) {
    private static final int[] NO_IDENTIFIERS = {};

    /** QoS of a delivery under this grant [MQTT-4.8.2-3]. */
    public int qosOf(Message message) {
        return Math.min(message.qos(), qos);
    }

    /** The grant of one subscription; {@code identifier} 0 for none. */
    public static Grant of(
            int qos, boolean noLocal, boolean retainAsPublished, int identifier, long generation) {
        int[] identifiers = identifier == 0 ? NO_IDENTIFIERS : new int[] {identifier};
        return new Grant(qos, noLocal, retainAsPublished, identifiers, new long[] {generation});
    }
}
