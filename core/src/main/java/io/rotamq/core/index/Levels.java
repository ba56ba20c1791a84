package io.rotamq.core.index;

import io.rotamq.mqtt.topic.TopicName;

/**
 * The levels of topics and filters as they lie in UTF-8 bytes, never split into strings. A
 * <em>position</em> is the index of the first byte of a level; the position behind the last level
 * is {@code length + 1}, as though one more slash followed. So every text with n slashes has n + 1
 * levels, empty ones included, and a text is exhausted when its position is greater than its
 * length.
 */
final class Levels {
    static final byte SLASH = '/';
    static final byte PLUS = '+';
    static final byte MANY = '#';
    static final byte DOLLAR = '$';

    private Levels() {}

    /** Index behind the last byte of the level that begins at {@code position}. */
    static int end(byte[] text, int position) {
        int end = position;
        while (end < text.length && text[end] != SLASH) {
            end++;
        }
        return end;
    }

    /** Index behind the last byte of the level that begins at {@code position}. */
    static int end(TopicName topic, int position) {
        int length = topic.length();
        int end = position;
        while (end < length && topic.byteAt(end) != SLASH) {
            end++;
        }
        return end;
    }

    /**
     * Whether the level at {@code position} is the given wildcard; a valid filter has it only alone
     * in a level.
     */
    static boolean is(byte wildcard, byte[] filter, int position) {
        return position < filter.length && filter[position] == wildcard;
    }

    /**
     * Position in {@code label} of its first level that differs from {@code key}, whose levels are
     * compared from {@code position} on; {@code label.length + 1} when the whole label is there.
     */
    static int shared(byte[] label, byte[] key, int position) {
        int shared = 0;
        while (shared <= label.length && position + shared <= key.length) {
            int end = end(label, shared);
            if (!sameLevel(label, shared, end, key, position + shared)) {
                return shared;
            }
            shared = end + 1;
        }
        return shared;
    }

    /**
     * Whether the level {@code [from, to)} of {@code label} is, byte for byte, the one at {@code
     * position} of {@code key}.
     */
    static boolean sameLevel(byte[] label, int from, int to, byte[] key, int position) {
        int end = position + to - from;
        if (end > key.length || (end < key.length && key[end] != SLASH)) {
            return false;
        }
        for (int i = from, k = position; i < to; i++, k++) {
            if (label[i] != key[k]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Hash of a level. The secret {@code key} decides it, so that nobody can choose many filters
     * that fall into one slot: each block of eight bytes is folded through a product that the key
     * takes part in.
     */
    static int hash(byte[] text, int from, int to, long key) {
        long hash = (long) to - from;
        long block = 0;
        for (int i = from; i < to; i++) {
            block = block << 8 | text[i] & 0xFF;
            if ((i - from & 7) == 7) {
                hash = fold(hash ^ block, key);
                block = 0;
            }
        }
        return finish(hash ^ block, key);
    }

    /** The same hash, of a topic's level. */
    static int hash(TopicName topic, int from, int to, long key) {
        long hash = (long) to - from;
        long block = 0;
        for (int i = from; i < to; i++) {
            block = block << 8 | topic.byteAt(i) & 0xFF;
            if ((i - from & 7) == 7) {
                hash = fold(hash ^ block, key);
                block = 0;
            }
        }
        return finish(hash ^ block, key);
    }

    private static long fold(long value, long key) {
        long mixed = value + key;
        return Math.multiplyHigh(mixed, key) ^ mixed * key;
    }

    private static int finish(long hash, long key) {
        long last = fold(hash, key);
        return (int) (last ^ last >>> 32);
    }
}
