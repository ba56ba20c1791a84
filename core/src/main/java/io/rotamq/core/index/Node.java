package io.rotamq.core.index;

import io.rotamq.mqtt.topic.TopicName;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of one or more levels that nothing branches off from, and the value of the key that
 * ends with it. Levels of a filter may be wildcards; {@code #} can only be the last, and is not
 * followed by anything.
 *
 * <p>The label never changes: where a key must branch off in its middle, or two stretches become
 * one, the writer puts new nodes in its place. A reader that still walks the old one sees what was
 * stored when it was replaced. Value and what lies below are volatile: a reader that sees them sees
 * all that the writer did before. Written only under the lock of {@link LevelTree}.
 */
final class Node<V> implements Below<V> {
    /** Result of {@link #consume}: the topic is not below this node. */
    static final int NONE = -1;

    /**
     * Result of {@link #consume}: the label ends in {@code #}, which takes whatever the topic still
     * has.
     */
    static final int ALL = -2;

    final byte[] label;

    /** Hash of the first level; decides the slot in a fork. */
    final int hash;

    private volatile @Nullable V value;
    private volatile @Nullable Below<V> below;

    Node(byte[] label, int hash, @Nullable V value, @Nullable Below<V> below) {
        this.label = label;
        this.hash = hash;
        this.value = value;
        this.below = below;
    }

    /** A node for the levels of {@code key} from {@code position} to the end. */
    static <V> Node<V> leaf(byte[] key, int position, long hashKey, V value) {
        byte[] label = Arrays.copyOfRange(key, position, key.length);
        return new Node<>(label, Levels.hash(label, 0, Levels.end(label, 0), hashKey), value, null);
    }

    @Nullable V value() {
        return value;
    }

    void value(@Nullable V newValue) {
        value = newValue;
    }

    @Nullable Below<V> below() {
        return below;
    }

    void below(@Nullable Below<V> newBelow) {
        below = newBelow;
    }

    boolean startsWith(byte first) {
        return label.length > 0 && label[0] == first;
    }

    boolean startsWithWildcard() {
        return startsWith(Levels.PLUS) || startsWith(Levels.MANY);
    }

    /**
     * The child that begins with the level of {@code key} at {@code position}, wildcards taken
     * literally.
     */
    @Nullable Node<V> child(byte[] key, int position, long hashKey) {
        Below<V> children = below;
        return switch (children) {
            case null -> null;
            case Node<V> only ->
                    Levels.sameLevel(only.label, 0, Levels.end(only.label, 0), key, position)
                            ? only
                            : null;
            case Fork<V> fork -> fork.find(key, position, hashKey);
        };
    }

    /** Whether the first level is, byte for byte, {@code [from, to)} of the topic. */
    boolean startsWithLevel(TopicName topic, int from, int to) {
        int length = to - from;
        if (label.length < length || (label.length > length && label[length] != Levels.SLASH)) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (label[i] != topic.byteAt(from + i)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Follows the label, wildcards and all, through the topic from {@code position} on.
     *
     * @return the topic's position behind the label, {@link #NONE} or {@link #ALL}
     */
    int consume(TopicName topic, int position) {
        int length = topic.length();
        int at = position;
        int i = 0;
        while (true) {
            if (i < label.length && label[i] == Levels.MANY) {
                return ALL;
            }
            if (at > length) {
                return NONE;
            }
            if (i < label.length && label[i] == Levels.PLUS) {
                i++;
                at = Levels.end(topic, at);
            } else {
                int end = literal(topic, at, i);
                if (end == NONE) {
                    return NONE;
                }
                i += end - at;
                at = end;
            }
            at++;
            if (i == label.length) {
                return at;
            }
            i++;
        }
    }

    /** Where the topic's level ends if it is the literal one at {@code i} of the label. */
    private int literal(TopicName topic, int start, int i) {
        int length = topic.length();
        int at = start;
        for (int j = i; j < label.length && label[j] != Levels.SLASH; j++) {
            if (at >= length || topic.byteAt(at) != label[j]) {
                return NONE;
            }
            at++;
        }
        return at < length && topic.byteAt(at) != Levels.SLASH ? NONE : at;
    }
}
