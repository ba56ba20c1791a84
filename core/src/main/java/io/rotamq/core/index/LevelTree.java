package io.rotamq.core.index;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A tree of keys that are made of levels: topics, or filters, whose wildcards are here levels like
 * all others. A stretch of levels that nothing branches off from is one {@link Node}, so that a key
 * costs one or two nodes however many levels it has.
 *
 * <p>Every node but the root has a value or lies at a fork, and a fork has at least two nodes below
 * it. Each change restores that, so n keys have fewer than 2n nodes, and nothing is left of a key
 * that is gone.
 *
 * <p>Writers from any thread take turns on a lock. Readers take none: they go down from {@link
 * #root()}. A change is made visible by one release or volatile write of a piece that was finished
 * before, so a reader sees it whole or not at all, and a key that is there all the time is always
 * found.
 */
final class LevelTree<V> {
    private static final byte[] NO_LEVEL = {};

    /** Secret factor of the hashes of levels; odd, and far from small whatever the seed. */
    private final long hashKey;

    private final Object lock = new Object();
    private final Node<V> root = new Node<>(NO_LEVEL, 0, null, null);
    private volatile int size;
    private volatile long changes;

    LevelTree(long seed) {
        long mixed = seed + 0x9E37_79B9_7F4A_7C15L;
        mixed = (mixed ^ mixed >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
        hashKey = mixed ^ mixed >>> 31 | 1;
    }

    long hashKey() {
        return hashKey;
    }

    /** Stands before the first level of all keys, and has neither levels nor a value. */
    Node<V> root() {
        return root;
    }

    int size() {
        return size;
    }

    /** How often anything changed; written after the change itself. */
    long changes() {
        return changes;
    }

    @Nullable V get(byte[] key) {
        Node<V> node = root;
        int position = 0;
        while (position <= key.length) {
            node = node.child(key, position, hashKey);
            if (node == null) {
                return null;
            }
            int shared = Levels.shared(node.label, key, position);
            if (shared <= node.label.length) {
                return null;
            }
            position += shared;
        }
        return node.value();
    }

    /** Replaces the value of a key by what the function makes of it; null stands for no value. */
    @Nullable V update(byte[] key, TopicTrie.Update<V> change) {
        synchronized (lock) {
            Node<V> grandparent = root;
            Node<V> parent = root;
            int position = 0;
            while (true) {
                Node<V> child = parent.child(key, position, hashKey);
                int shared = child == null ? 0 : Levels.shared(child.label, key, position);
                if (child == null || shared <= child.label.length) {
                    return insert(parent, child, shared, key, position, change);
                }
                position += shared;
                if (position > key.length) {
                    return change(grandparent, parent, child, change);
                }
                grandparent = parent;
                parent = child;
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // the same object says: no change
    private @Nullable V change(
            Node<V> grandparent, Node<V> parent, Node<V> node, TopicTrie.Update<V> change) {
        V old = node.value();
        V value = change.apply(old);
        if (value == old) {
            return value;
        }
        node.value(value);
        if (value == null) {
            prune(grandparent, parent, node);
        }
        changed((value == null ? 0 : 1) - (old == null ? 0 : 1));
        return value;
    }

    private @Nullable V insert(
            Node<V> parent,
            @Nullable Node<V> sibling,
            int shared,
            byte[] key,
            int position,
            TopicTrie.Update<V> change) {
        V value = change.apply(null);
        if (value == null) {
            return null;
        }
        if (sibling == null) {
            attach(parent, Node.leaf(key, position, hashKey, value));
        } else {
            replace(parent, sibling, split(sibling, shared, key, position, value));
        }
        changed(1);
        return value;
    }

    /** Comes after the change itself: who sees the count of changes sees them. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private void changed(int keys) {
        size += keys;
        changes++;
    }

    /** Two nodes for one: the levels that it shares with a new key, and below them the rest. */
    private Node<V> split(Node<V> node, int shared, byte[] key, int position, V value) {
        byte[] upper = Arrays.copyOf(node.label, shared - 1);
        byte[] lower = Arrays.copyOfRange(node.label, shared, node.label.length);
        Node<V> rest = new Node<>(lower, hashOfFirstLevel(lower), node.value(), node.below());
        if (position + shared > key.length) {
            return new Node<>(upper, node.hash, value, rest);
        }
        Node<V> leaf = Node.leaf(key, position + shared, hashKey, value);
        return new Node<>(upper, node.hash, null, Fork.of(rest, leaf));
    }

    /** Takes away what has no more reason to be there once the node lost its value. */
    private void prune(Node<V> grandparent, Node<V> parent, Node<V> node) {
        Below<V> below = node.below();
        if (below instanceof Node<V> only) {
            replace(parent, node, join(node, only));
        } else if (below == null) {
            detach(parent, node);
            if (parent != root
                    && parent.value() == null
                    && parent.below() instanceof Node<V> only) {
                replace(grandparent, parent, join(parent, only));
            }
        }
    }

    private Node<V> join(Node<V> upper, Node<V> lower) {
        byte[] label = Arrays.copyOf(upper.label, upper.label.length + 1 + lower.label.length);
        label[upper.label.length] = Levels.SLASH;
        System.arraycopy(lower.label, 0, label, upper.label.length + 1, lower.label.length);
        return new Node<>(label, upper.hash, lower.value(), lower.below());
    }

    private void attach(Node<V> parent, Node<V> node) {
        switch (parent.below()) {
            case null -> parent.below(node);
            case Node<V> only -> parent.below(Fork.of(only, node));
            case Fork<V> fork -> parent.below(fork.with(node));
        }
    }

    private void replace(Node<V> parent, Node<V> node, Node<V> replacement) {
        if (parent.below() instanceof Fork<V> fork) {
            fork.replace(node, replacement);
        } else {
            parent.below(replacement);
        }
    }

    private void detach(Node<V> parent, Node<V> node) {
        if (parent.below() instanceof Fork<V> fork) {
            parent.below(fork.without(node));
        } else {
            parent.below(null);
        }
    }

    private int hashOfFirstLevel(byte[] label) {
        return Levels.hash(label, 0, Levels.end(label, 0), hashKey);
    }
}
