package io.rotamq.mqtt.topic;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A valid topic filter, without any share prefix.
 *
 * <p>Everything here walks over bytes in a loop: a filter may have 65,536 levels, and none of them
 * may cost a stack frame.
 */
public final class TopicFilter {
    private static final byte SLASH = '/';
    private static final byte ONE = '+';
    private static final byte REST = '#';

    private final String text;
    private final byte[] utf8;
    private final boolean wildcard;

    private TopicFilter(String text, byte[] utf8, boolean wildcard) {
        this.text = text;
        this.utf8 = utf8;
        this.wildcard = wildcard;
    }

    /**
     * The filter of a text; null if it is none: empty, longer than 65,535 bytes, with NUL, or with
     * a wildcard out of place [MQTT-4.7.1-1] [MQTT-4.7.1-2] [MQTT-4.7.3-1] [MQTT-4.7.3-2].
     */
    public static @Nullable TopicFilter parse(String text) {
        byte[] utf8 = Utf8.encode(text);
        if (utf8.length == 0) {
            return null;
        }
        boolean wildcard = false;
        for (int at = 0; at < utf8.length; at++) {
            if (utf8[at] == ONE || utf8[at] == REST) {
                if (!standsAlone(utf8, at)) {
                    return null;
                }
                wildcard = true;
            }
        }
        return new TopicFilter(text, utf8, wildcard);
    }

    private static boolean standsAlone(byte[] utf8, int at) {
        boolean last = at == utf8.length - 1;
        boolean begins = at == 0 || utf8[at - 1] == SLASH;
        boolean ends = last || utf8[at] == ONE && utf8[at + 1] == SLASH;
        return begins && ends;
    }

    /** Whether a message of that topic is for a subscription with this filter. */
    public boolean matches(TopicName topic) {
        if (!wildcard) {
            return isSameAs(topic);
        }
        if (topic.startsWithDollar() && (utf8[0] == ONE || utf8[0] == REST)) {
            return false; // [MQTT-4.7.2-1]
        }
        return matchesByLevels(topic);
    }

    private boolean isSameAs(TopicName topic) {
        if (topic.length() != utf8.length) {
            return false;
        }
        for (int at = 0; at < utf8.length; at++) {
            if (utf8[at] != topic.byteAt(at)) {
                return false;
            }
        }
        return true;
    }

    private boolean matchesByLevels(TopicName topic) {
        int at = 0;
        int in = 0;
        while (at < utf8.length) {
            if (utf8[at] == REST) {
                return true;
            }
            if (utf8[at] == ONE) {
                in = endOfLevel(topic, in);
                at++;
            } else if (in < topic.length() && utf8[at] == topic.byteAt(in)) {
                in++;
                at++;
            } else {
                return in == topic.length() && isParentOfRest(at);
            }
        }
        return in == topic.length();
    }

    private static int endOfLevel(TopicName topic, int from) {
        int at = from;
        while (at < topic.length() && topic.byteAt(at) != SLASH) {
            at++;
        }
        return at;
    }

    /** Whether only {@code /#} is left, which matches the parent level too. */
    private boolean isParentOfRest(int at) {
        return at == utf8.length - 2 && utf8[at] == SLASH && utf8[at + 1] == REST;
    }

    /** Whether it has {@code +} or {@code #}. */
    public boolean hasWildcard() {
        return wildcard;
    }

    /** How many bytes it has. */
    public int length() {
        return utf8.length;
    }

    /** The byte at that index of its UTF-8 form. */
    public byte byteAt(int index) {
        return utf8[index];
    }

    /** A copy of its UTF-8 form. */
    public byte[] toUtf8() {
        return utf8.clone();
    }

    /** Its levels in order, made anew on each call; a level may be empty. */
    public List<String> levels() {
        List<String> levels = new ArrayList<>();
        int from = 0;
        for (int slash = text.indexOf('/'); slash >= 0; slash = text.indexOf('/', from)) {
            levels.add(text.substring(from, slash));
            from = slash + 1;
        }
        levels.add(text.substring(from));
        return Collections.unmodifiableList(levels);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof TopicFilter filter && Arrays.equals(utf8, filter.utf8);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
