package io.rotamq.core.index;

import io.rotamq.mqtt.TopicName;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Two or more nodes below one: at most one that begins with {@code +}, at most one that is {@code
 * #}, the others in a hash table with open addressing, by their first level.
 *
 * <p>Readers take no lock. In one table a slot only goes from empty to a node, from a node to its
 * replacement with the same first level, and from a node to {@link #REMOVED}; it is never emptied
 * or used for another level. So a probe that starts while a node is there finds it, and a table
 * that is iterated while it changes shows every level at most once. Used-up slots go when the table
 * is built anew; readers of the old table keep a consistent view. Slots are written with release
 * and read with acquire semantics: whoever sees a node sees it whole. Written only under the lock
 * of {@link LevelTree}.
 */
final class Fork<V> implements Below<V> {
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Node[].class);
    private static final int SMALLEST = 4;

    /** Stands where a node was: its label is no level of a topic, so no search stops at it. */
    private static final Node<?> REMOVED = new Node<>(new byte[] {Levels.MANY}, 0, null, null);

    private volatile @Nullable Node<V> plus;
    private volatile @Nullable Node<V> many;
    private volatile Node<V>[] slots = newSlots(SMALLEST);

    /**
     * Longest first level in the table, so that a longer one of a topic need not even be hashed.
     */
    private volatile int longest;

    private int used;
    private int live;

    Fork(Node<V> one, Node<V> other) {
        add(one);
        add(other);
    }

    @Nullable Node<V> plus() {
        return plus;
    }

    @Nullable Node<V> many() {
        return many;
    }

    /** The present table, for iteration with {@link #slot}. */
    Node<V>[] slots() {
        return slots;
    }

    /** A table with nothing but this node. */
    static <V> Node<V>[] tableOf(Node<V> node) {
        Node<V>[] table = newSlots(1);
        table[0] = node;
        return table;
    }

    /** The node in a slot of a table, or null where there is none. */
    @SuppressWarnings("unchecked")
    static <V> @Nullable Node<V> slot(Node<V>[] table, int index) {
        Node<V> node = (Node<V>) SLOT.getAcquire(table, index);
        return node == REMOVED ? null : node;
    }

    /** The node that begins with exactly the topic's level at {@code position}. */
    @SuppressWarnings("unchecked")
    @Nullable Node<V> find(TopicName topic, int position, long hashKey) {
        int end = Levels.end(topic, position);
        if (end - position > longest) {
            return null;
        }
        int hash = Levels.hash(topic, position, end, hashKey);
        Node<V>[] table = slots;
        for (int i = hash & table.length - 1; ; i = i + 1 & table.length - 1) {
            Node<V> node = (Node<V>) SLOT.getAcquire(table, i);
            if (node == null || (node.hash == hash && node.startsWithLevel(topic, position, end))) {
                return node;
            }
        }
    }

    /** The node that begins with the key's level at {@code position}, wildcards taken literally. */
    @Nullable Node<V> find(byte[] key, int position, long hashKey) {
        if (Levels.is(Levels.PLUS, key, position)) {
            return plus;
        }
        if (Levels.is(Levels.MANY, key, position)) {
            return many;
        }
        int end = Levels.end(key, position);
        int index = indexOf(key, position, end, Levels.hash(key, position, end, hashKey));
        return index < 0 ? null : slot(slots, index);
    }

    void add(Node<V> node) {
        if (node.startsWith(Levels.PLUS)) {
            plus = node;
        } else if (node.startsWith(Levels.MANY)) {
            many = node;
        } else {
            if (2 * (used + 1) > slots.length) {
                rebuild();
            }
            longest = Math.max(longest, Levels.end(node.label, 0));
            insert(slots, node);
            used++;
            live++;
        }
    }

    /** Puts a node in the place of one that begins with the same level. */
    void replace(Node<V> node, Node<V> replacement) {
        if (node == plus) {
            plus = replacement;
        } else if (node == many) {
            many = replacement;
        } else {
            SLOT.setRelease(slots, indexOf(node), replacement);
        }
    }

    void remove(Node<V> node) {
        if (node == plus) {
            plus = null;
        } else if (node == many) {
            many = null;
        } else {
            SLOT.setRelease(slots, indexOf(node), REMOVED);
            live--;
            if (slots.length > SMALLEST && 8 * live < slots.length) {
                rebuild();
            }
        }
    }

    /** The last node, if only one is left. */
    @Nullable Node<V> only() {
        Node<V> wildcard = plus == null ? many : plus;
        if (live > 1 || (live == 1 && wildcard != null) || (plus != null && many != null)) {
            return null;
        }
        return wildcard == null ? firstInTable() : wildcard;
    }

    private @Nullable Node<V> firstInTable() {
        Node<V>[] table = slots;
        for (int i = 0; i < table.length; i++) {
            Node<V> node = slot(table, i);
            if (node != null) {
                return node;
            }
        }
        return null;
    }

    private int indexOf(Node<V> node) {
        return indexOf(node.label, 0, Levels.end(node.label, 0), node.hash);
    }

    private int indexOf(byte[] key, int position, int end, int hash) {
        Node<V>[] table = slots;
        for (int i = hash & table.length - 1; ; i = i + 1 & table.length - 1) {
            Node<?> node = (Node<?>) SLOT.getAcquire(table, i);
            if (node == null) {
                return -1;
            }
            if (node.hash == hash && Levels.sameLevel(key, position, end, node.label, 0)) {
                return i;
            }
        }
    }

    /**
     * Leaves the removed behind, in a table that is at most a third full: the next rebuild is then
     * at least half as many changes away as there are nodes, which keeps the cost per change
     * constant.
     */
    private void rebuild() {
        int capacity = SMALLEST;
        while (capacity < 3 * (live + 1)) {
            capacity *= 2;
        }
        Node<V>[] old = slots;
        Node<V>[] table = newSlots(capacity);
        for (int i = 0; i < old.length; i++) {
            Node<V> node = slot(old, i);
            if (node != null) {
                insert(table, node);
            }
        }
        used = live;
        slots = table;
    }

    private static <V> void insert(Node<V>[] table, Node<V> node) {
        int i = node.hash & table.length - 1;
        while (SLOT.getAcquire(table, i) != null) {
            i = i + 1 & table.length - 1;
        }
        SLOT.setRelease(table, i, node);
    }

    @SuppressWarnings("unchecked")
    private static <V> Node<V>[] newSlots(int capacity) {
        return (Node<V>[]) new Node<?>[capacity];
    }
}
