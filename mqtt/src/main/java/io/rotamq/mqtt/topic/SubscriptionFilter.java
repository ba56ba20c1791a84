package io.rotamq.mqtt.topic;

import org.jspecify.annotations.Nullable;

/**
 * What a SUBSCRIBE names: a topic filter, and the group if the subscription is shared.
 *
 * <p>{@code $share/<name>/<filter>} and {@code $queue/<filter>}, which is the group named {@code
 * $queue} on that filter and identical with {@code $share/$queue/<filter>} [MQTT-4.8.2-1]
 * [MQTT-4.8.2-2].
 *
 * @param shareName null for a subscription that is not shared
 */
public record SubscriptionFilter(@Nullable String shareName, TopicFilter filter) {
    private static final String SHARE = "$share";
    private static final String QUEUE = "$queue";

    /** The subscription filter of a text, null if it is not a valid one. */
    public static @Nullable SubscriptionFilter parse(String text) {
        if (isReserved(text, QUEUE)) {
            return shared(QUEUE, after(text, QUEUE.length()));
        }
        if (!isReserved(text, SHARE)) {
            TopicFilter plain = TopicFilter.parse(text);
            return plain == null ? null : new SubscriptionFilter(null, plain);
        }
        String rest = after(text, SHARE.length());
        int slash = rest.indexOf('/');
        return slash < 0 ? null : shared(rest.substring(0, slash), rest.substring(slash + 1));
    }

    private static @Nullable SubscriptionFilter shared(String name, String text) {
        boolean badName = name.isEmpty() || name.indexOf('+') >= 0 || name.indexOf('#') >= 0;
        if (badName
                || name.indexOf('\0') >= 0
                || isReserved(text, SHARE)
                || isReserved(text, QUEUE)) {
            return null;
        }
        TopicFilter filter = TopicFilter.parse(text);
        return filter == null ? null : new SubscriptionFilter(name, filter);
    }

    /** Whether the first level is that word, with or without anything after it. */
    private static boolean isReserved(String text, String word) {
        return text.startsWith(word)
                && (text.length() == word.length() || text.charAt(word.length()) == '/');
    }

    private static String after(String text, int length) {
        return text.length() > length ? text.substring(length + 1) : "";
    }

    /** Whether it belongs to a group. */
    public boolean isShared() {
        return shareName != null;
    }

    /** The one text of this subscription, with the prefix {@code $share} if it is shared. */
    @Override
    public String toString() {
        return shareName == null ? filter.toString() : SHARE + '/' + shareName + '/' + filter;
    }
}
