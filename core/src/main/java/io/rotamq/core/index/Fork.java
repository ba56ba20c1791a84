package io.rotamq.core.index;

import io.rotamq.mqtt.topic.TopicName;
import org.jspecify.annotations.Nullable;

/**
 * Two or more nodes below one, each with another first level: at most one that begins with {@code
 * +}, at most one that is {@code #}, and any number of others, the literals, which a subclass finds
 * by hash. Read without a lock, written only under the lock of {@link LevelTree}.
 */
abstract sealed class Fork<V> implements Below<V> permits Table, Directory {
    private volatile @Nullable Node<V> plus;
    private volatile @Nullable Node<V> many;

    static <V> Fork<V> of(Node<V> one, Node<V> other) {
        return new Table<V>(1, 0).with(one).with(other);
    }

    final @Nullable Node<V> plus() {
        return plus;
    }

    final @Nullable Node<V> many() {
        return many;
    }

    /** The node that begins with exactly the topic's level at {@code position}. */
    abstract @Nullable Node<V> find(TopicName topic, int position, long hashKey);

    /** The node that begins with the key's level at {@code position}, wildcards taken literally. */
    final @Nullable Node<V> find(byte[] key, int position, long hashKey) {
        if (Levels.is(Levels.PLUS, key, position)) {
            return plus;
        }
        if (Levels.is(Levels.MANY, key, position)) {
            return many;
        }
        int end = Levels.end(key, position);
        return findLiteral(key, position, end, Levels.hash(key, position, end, hashKey));
    }

    /** The tables that all literals are in, each at least once and side by side if more often. */
    abstract Table<V>[] tables();

    /**
     * Adds a node; gives the fork that has to be put into the place of this one, most often itself.
     */
    final Fork<V> with(Node<V> node) {
        if (node.startsWith(Levels.PLUS)) {
            plus = node;
        } else if (node.startsWith(Levels.MANY)) {
            many = node;
        } else {
            return withLiteral(node);
        }
        return this;
    }

    /** Puts a node in the place of one that begins with the same level. */
    @SuppressWarnings("ReferenceEquality") // nodes have no other
    final void replace(Node<V> node, Node<V> replacement) {
        if (node == plus) {
            plus = replacement;
        } else if (node == many) {
            many = replacement;
        } else {
            replaceLiteral(node, replacement);
        }
    }

    /**
     * Removes a node; gives what has to be put into the place of this fork: itself, another, one
     * node.
     */
    @SuppressWarnings("ReferenceEquality") // nodes have no other
    final Below<V> without(Node<V> node) {
        Fork<V> rest = this;
        if (node == plus) {
            plus = null;
        } else if (node == many) {
            many = null;
        } else {
            rest = withoutLiteral(node);
        }
        return rest instanceof Table<V> table ? table.orItsOnlyNode() : rest;
    }

    /** Takes over the nodes that are no literals. */
    final void inherit(Fork<V> fork) {
        plus = fork.plus;
        many = fork.many;
    }

    abstract @Nullable Node<V> findLiteral(byte[] key, int position, int end, int hash);

    abstract Fork<V> withLiteral(Node<V> node);

    abstract void replaceLiteral(Node<V> node, Node<V> replacement);

    abstract Fork<V> withoutLiteral(Node<V> node);
}
