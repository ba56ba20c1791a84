package io.rotamq.core.index;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Goes over the keys of a {@link LevelTree} in small steps: all of them, or the topics that a
 * filter matches. It takes no lock and may rest between steps as long as it likes while the tree
 * changes: it holds on to the tables that it has begun. A key that is there from the first step to
 * the last is passed exactly once; one that comes or goes meanwhile may be passed or not, and one
 * that goes and comes back may be passed again.
 *
 * <p>Used by one thread at a time. What is still to do lies in a list of its own, not on the stack,
 * so keys may be of any depth.
 */
final class TreeCursor<V> {
    /** Instead of a position in the filter: whatever follows is wanted. */
    private static final int ALL = -1;

    /** Instead of a position in the filter: nothing here is wanted. */
    private static final int NONE = -2;

    private final byte[] filter;
    private final boolean beginsWithWildcard;
    private final long hashKey;
    private @Nullable Frame<V> top;

    /** The key of the node that was passed last. */
    private byte[] path = new byte[64];

    private int pathEnd;

    /** Nodes that are still to be passed; all have the same levels above them. */
    private static final class Frame<V> {
        final int filterPosition;
        final int pathPosition;
        final @Nullable Frame<V> next;
        private final Table<V>[] tables;
        private int table;
        private Node<V>[] slots;
        private int slot;

        /** All literals of a fork. */
        Frame(Table<V>[] tables, int filterPosition, int pathPosition, @Nullable Frame<V> next) {
            this(tables, tables[0].slots(), filterPosition, pathPosition, next);
        }

        /** What is in an array, then in all tables but the first. */
        Frame(
                Table<V>[] tables,
                Node<V>[] slots,
                int filterPosition,
                int pathPosition,
                @Nullable Frame<V> next) {
            this.tables = tables;
            this.slots = slots;
            this.filterPosition = filterPosition;
            this.pathPosition = pathPosition;
            this.next = next;
        }

        /** The node in the next place, if one is there. */
        @Nullable Node<V> take() {
            Node<V> node = Table.slot(slots, slot++);
            if (slot == slots.length) {
                beginNextTable();
            }
            return node;
        }

        @SuppressWarnings("ReferenceEquality") // tables have no other
        private void beginNextTable() {
            do {
                table++;
            } while (table < tables.length && tables[table] == tables[table - 1]);
            if (table < tables.length) {
                slots = tables[table].slots();
                slot = 0;
            }
        }

        boolean done() {
            return slot == slots.length;
        }
    }

    private TreeCursor(LevelTree<V> tree, byte[] filter, int filterPosition) {
        this.filter = filter;
        beginsWithWildcard = Levels.is(Levels.PLUS, filter, 0) || Levels.is(Levels.MANY, filter, 0);
        hashKey = tree.hashKey();
        descend(tree.root(), filterPosition, 0);
    }

    static <V> TreeCursor<V> ofAll(LevelTree<V> tree) {
        return new TreeCursor<>(tree, new byte[0], ALL);
    }

    static <V> TreeCursor<V> ofMatching(LevelTree<V> tree, byte[] filter) {
        return new TreeCursor<>(tree, filter, 0);
    }

    boolean done() {
        return top == null;
    }

    /** The key of the value that {@link #step} gave last. */
    byte[] key() {
        return Arrays.copyOf(path, pathEnd);
    }

    /** Looks at the next place of the tree and gives the wanted value that is there, if any. */
    @Nullable V step() {
        Frame<V> frame = top;
        if (frame == null) {
            return null;
        }
        Node<V> node = frame.take();
        if (frame.done()) {
            top = frame.next;
        }
        if (node == null || isHidden(node, frame.pathPosition)) {
            return null;
        }
        int position = follow(node.label, frame.filterPosition);
        if (position == NONE) {
            return null;
        }
        append(node.label, frame.pathPosition);
        boolean everything = position == ALL || Levels.is(Levels.MANY, filter, position);
        if (everything || position <= filter.length) {
            descend(node, everything ? ALL : position, pathEnd + 1);
        }
        return everything || position > filter.length ? node.value() : null;
    }

    /** A wildcard at the beginning does not match a level with {@code $} [MQTT-4.7.2-1]. */
    private boolean isHidden(Node<V> node, int pathPosition) {
        return beginsWithWildcard && pathPosition == 0 && node.startsWith(Levels.DOLLAR);
    }

    private void descend(Node<V> node, int filterPosition, int pathPosition) {
        Below<V> below = node.below();
        if (below instanceof Node<V> only) {
            push(only, filterPosition, pathPosition);
        } else if (below instanceof Fork<V> fork && wantsAll(filterPosition)) {
            push(fork.plus(), filterPosition, pathPosition);
            push(fork.many(), filterPosition, pathPosition);
            top = new Frame<>(fork.tables(), filterPosition, pathPosition, top);
        } else if (below instanceof Fork<V> fork) {
            push(fork.find(filter, filterPosition, hashKey), filterPosition, pathPosition);
        }
    }

    private boolean wantsAll(int filterPosition) {
        return filterPosition == ALL
                || Levels.is(Levels.PLUS, filter, filterPosition)
                || Levels.is(Levels.MANY, filter, filterPosition);
    }

    private void push(@Nullable Node<V> node, int filterPosition, int pathPosition) {
        if (node != null) {
            top =
                    new Frame<>(
                            Table.newTables(0),
                            Table.slotsOf(node),
                            filterPosition,
                            pathPosition,
                            top);
        }
    }

    /** Position in the filter behind the levels of the label, {@link #ALL} or {@link #NONE}. */
    private int follow(byte[] label, int filterPosition) {
        int position = filterPosition;
        for (int level = 0; level <= label.length && position != ALL; ) {
            int end = Levels.end(label, level);
            if (position > filter.length) {
                return NONE;
            }
            if (Levels.is(Levels.MANY, filter, position)) {
                return ALL;
            }
            if (Levels.is(Levels.PLUS, filter, position)) {
                position += 2;
            } else if (Levels.sameLevel(label, level, end, filter, position)) {
                position += end - level + 1;
            } else {
                return NONE;
            }
            level = end + 1;
        }
        return position;
    }

    private void append(byte[] label, int position) {
        pathEnd = position + label.length;
        if (pathEnd > path.length) {
            path = Arrays.copyOf(path, 2 * pathEnd);
        }
        if (position > 0) {
            path[position - 1] = Levels.SLASH;
        }
        System.arraycopy(label, 0, path, position, label.length);
    }
}
