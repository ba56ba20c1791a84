package io.rotamq.core.index;

import io.rotamq.mqtt.topic.TopicName;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A fork, or a part of one, whose literals are in one hash table with open addressing.
 *
 * <p>In one array a slot that was used never becomes empty again, and a level that is there all the
 * time stays in its slot. So a search finds it, and whoever goes over an array while it changes
 * meets it exactly once. The slots of removed nodes are used again, else a client that comes and
 * goes would make searches longer and longer; what is left of them goes when the nodes move to a
 * new array. Readers of the old one keep what was in it then. Slots are written with release and
 * read with acquire semantics: whoever sees a node sees it whole.
 */
final class Table<V> extends Fork<V> {
    /**
     * Literals in one table. What a larger fork does at once, moving the nodes of one table, must
     * be short even though every node is a miss of the processor's cache.
     */
    static final int MOST = 1024;

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Node[].class);
    private static final int FEWEST_SLOTS = 4;

    /** Stands where a node was; its label is no level of a topic, so that no search stops at it. */
    private static final Node<?> REMOVED = new Node<>(new byte[] {Levels.MANY}, 0, null, null);

    /** How many leading bits of the hash all literals have in common; for {@link Directory}. */
    final int depth;

    private volatile Node<V>[] slots;

    /** No less than the longest first level, so that a longer one of a topic is not even hashed. */
    private volatile int longest;

    private int used;
    private int live;

    /** An empty table that has room for some nodes. */
    Table(int nodes, int depth) {
        slots = newSlots(capacityFor(nodes));
        this.depth = depth;
    }

    /** The present array, to go over with {@link #slot}. */
    Node<V>[] slots() {
        return slots;
    }

    /** An array with nothing but this node. */
    static <V> Node<V>[] slotsOf(Node<V> node) {
        Node<V>[] array = newSlots(1);
        array[0] = node;
        return array;
    }

    /** The node in a slot of an array, or null where there is none. */
    @SuppressWarnings("unchecked")
    static <V> @Nullable Node<V> slot(Node<V>[] slots, int index) {
        Node<V> node = (Node<V>) SLOT.getAcquire(slots, index);
        return node == REMOVED ? null : node;
    }

    @Override
    @Nullable Node<V> find(TopicName topic, int position, long hashKey) {
        int end = Levels.end(topic, position);
        if (end - position > longest) {
            return null;
        }
        return find(topic, position, end, Levels.hash(topic, position, end, hashKey));
    }

    @SuppressWarnings("unchecked")
    @Nullable Node<V> find(TopicName topic, int position, int end, int hash) {
        Node<V>[] array = slots;
        for (int i = hash & array.length - 1; ; i = i + 1 & array.length - 1) {
            Node<V> node = (Node<V>) SLOT.getAcquire(array, i);
            if (node == null || (node.hash == hash && node.startsWithLevel(topic, position, end))) {
                return node;
            }
        }
    }

    @Override
    @Nullable Node<V> findLiteral(byte[] key, int position, int end, int hash) {
        Node<V>[] array = slots;
        int index = indexOf(array, key, position, end, hash);
        return index < 0 ? null : slot(array, index);
    }

    @Override
    Table<V>[] tables() {
        Table<V>[] only = newTables(1);
        only[0] = this;
        return only;
    }

    @SuppressWarnings("unchecked")
    static <V> Table<V>[] newTables(int length) {
        return (Table<V>[]) new Table<?>[length];
    }

    int literals() {
        return live;
    }

    @Override
    Fork<V> withLiteral(Node<V> node) {
        if (live == MOST) {
            return new Directory<>(this).withLiteral(node);
        }
        add(node);
        return this;
    }

    void add(Node<V> node) {
        int free = freeFor(node.hash, slots);
        if (slots[free] == null) {
            if (2 * (used + 1) > slots.length) {
                rebuild();
                free = freeFor(node.hash, slots);
            }
            used++;
        }
        longest = Math.max(longest, Levels.end(node.label, 0));
        SLOT.setRelease(slots, free, node);
        live++;
    }

    void addAll(Table<V> other) {
        Node<V>[] array = other.slots;
        for (int i = 0; i < array.length; i++) {
            Node<V> node = slot(array, i);
            if (node != null) {
                add(node);
            }
        }
    }

    @Override
    void replaceLiteral(Node<V> node, Node<V> replacement) {
        SLOT.setRelease(slots, indexOf(node), replacement);
    }

    @Override
    Fork<V> withoutLiteral(Node<V> node) {
        remove(node);
        return this;
    }

    void remove(Node<V> node) {
        SLOT.setRelease(slots, indexOf(node), REMOVED);
        live--;
        if (slots.length > FEWEST_SLOTS && 8 * live < slots.length) {
            rebuild();
        }
    }

    /** What a fork is not needed for, if only one node is left, else the fork itself. */
    Below<V> orItsOnlyNode() {
        Node<V> wildcard = plus() == null ? many() : plus();
        if (live > 1 || (live == 1 && wildcard != null) || (plus() != null && many() != null)) {
            return this;
        }
        return wildcard == null ? firstLiteral() : wildcard;
    }

    private Node<V> firstLiteral() {
        Node<V>[] array = slots;
        for (int i = 0; ; i++) {
            Node<V> node = slot(array, i);
            if (node != null) {
                return node;
            }
        }
    }

    private int indexOf(Node<V> node) {
        return indexOf(slots, node.label, 0, Levels.end(node.label, 0), node.hash);
    }

    private static int indexOf(Node<?>[] array, byte[] key, int position, int end, int hash) {
        for (int i = hash & array.length - 1; ; i = i + 1 & array.length - 1) {
            Node<?> node = (Node<?>) SLOT.getAcquire(array, i);
            if (node == null) {
                return -1;
            }
            if (node.hash == hash && Levels.sameLevel(key, position, end, node.label, 0)) {
                return i;
            }
        }
    }

    /** Leaves the removed behind. */
    private void rebuild() {
        Node<V>[] old = slots;
        Node<V>[] array = newSlots(capacityFor(live + 1));
        for (int i = 0; i < old.length; i++) {
            Node<V> node = slot(old, i);
            if (node != null) {
                SLOT.setRelease(array, freeFor(node.hash, array), node);
            }
        }
        used = live;
        slots = array;
    }

    /**
     * At most a third full: then the next rebuild is at least half as many changes away as there
     * are nodes, which keeps the cost per change constant.
     */
    private static int capacityFor(int nodes) {
        int capacity = FEWEST_SLOTS;
        while (capacity < 3 * nodes) {
            capacity *= 2;
        }
        return capacity;
    }

    /** The first slot for a node with that hash that has none. */
    private static <V> int freeFor(int hash, Node<V>[] array) {
        int i = hash & array.length - 1;
        while (slot(array, i) != null) {
            i = i + 1 & array.length - 1;
        }
        return i;
    }

    @SuppressWarnings("unchecked")
    private static <V> Node<V>[] newSlots(int capacity) {
        return (Node<V>[]) new Node<?>[capacity];
    }
}
