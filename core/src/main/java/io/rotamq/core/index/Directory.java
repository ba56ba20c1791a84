package io.rotamq.core.index;

import io.rotamq.mqtt.topic.TopicName;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A fork with more literals than fit in one {@link Table}, hundreds of thousands perhaps:
 * extendible hashing. The leading bits of the hash say which table a literal is in. A table that is
 * full becomes two, two that are nearly empty become one, so that no change has to move more than
 * one table's nodes (case C164).
 *
 * <p>The array of tables never changes: there is a new one after a split or a merge, and no table
 * that it left out changes any more. A reader of an old one sees every literal that is there all
 * the time exactly once. A table with d leading bits in common, of g that the array is indexed by,
 * stands in 2<sup>g - d</sup> places side by side.
 */
final class Directory<V> extends Fork<V> {
    /** Bits by which literals are told apart at most; tables grow if that is not enough. */
    private static final int DEEPEST = 16;

    private volatile Table<V>[] tables;

    /** In the place of a full table. */
    Directory(Table<V> full) {
        tables = full.tables();
        inherit(full);
        split(full, 0);
    }

    @Override
    @Nullable Node<V> find(TopicName topic, int position, long hashKey) {
        int end = Levels.end(topic, position);
        int hash = Levels.hash(topic, position, end, hashKey);
        return table(hash).find(topic, position, end, hash);
    }

    @Override
    @Nullable Node<V> findLiteral(byte[] key, int position, int end, int hash) {
        return table(hash).findLiteral(key, position, end, hash);
    }

    @Override
    Table<V>[] tables() {
        return tables;
    }

    @Override
    Fork<V> withLiteral(Node<V> node) {
        while (table(node.hash).literals() >= Table.MOST && table(node.hash).depth < DEEPEST) {
            split(table(node.hash), node.hash);
        }
        table(node.hash).add(node);
        return this;
    }

    @Override
    void replaceLiteral(Node<V> node, Node<V> replacement) {
        table(node.hash).replaceLiteral(node, replacement);
    }

    @Override
    Fork<V> withoutLiteral(Node<V> node) {
        table(node.hash).remove(node);
        while (mergeAround(node.hash)) {
            if (tables.length == 1) {
                tables[0].inherit(this);
                return tables[0];
            }
        }
        return this;
    }

    private Table<V> table(int hash) {
        Table<V>[] array = tables;
        return array[index(hash, array.length)];
    }

    /** The leading bits of the hash, as many as the array needs. */
    private static int index(int hash, int length) {
        return (int) ((hash & 0xFFFF_FFFFL) * length >>> Integer.SIZE);
    }

    /** Puts two tables, told apart by one more bit, in the place of one. */
    private void split(Table<V> table, int hash) {
        int depth = table.depth + 1;
        Table<V> lower = new Table<>(table.literals() / 2, depth);
        Table<V> upper = new Table<>(table.literals() / 2, depth);
        Node<V>[] slots = table.slots();
        for (int i = 0; i < slots.length; i++) {
            Node<V> node = Table.slot(slots, i);
            if (node != null) {
                (node.hash << table.depth >= 0 ? lower : upper).add(node);
            }
        }
        Table<V>[] array = tables.length < 1 << depth ? doubled(tables) : tables.clone();
        int places = array.length >> depth;
        int from = index(hash, array.length) & -2 * places;
        Arrays.fill(array, from, from + places, lower);
        Arrays.fill(array, from + places, from + 2 * places, upper);
        tables = array;
    }

    /** Puts one table in the place of two that differ in one bit, if they are nearly empty. */
    private boolean mergeAround(int hash) {
        Table<V>[] array = tables;
        Table<V> table = table(hash);
        int places = array.length >> table.depth;
        int from = index(hash, array.length) & -2 * places;
        Table<V> lower = array[from];
        Table<V> upper = array[from + places];
        int literals = lower.literals() + upper.literals();
        if (lower.depth != upper.depth || literals > Table.MOST / 4) {
            return false;
        }
        Table<V> merged = new Table<>(literals, table.depth - 1);
        merged.addAll(lower);
        merged.addAll(upper);
        array = array.clone();
        Arrays.fill(array, from, from + 2 * places, merged);
        tables = halvedIfPossible(array);
        return true;
    }

    private static <V> Table<V>[] doubled(Table<V>[] tables) {
        Table<V>[] array = Arrays.copyOf(tables, 2 * tables.length);
        for (int i = array.length - 1; i >= 0; i--) {
            array[i] = array[i / 2];
        }
        return array;
    }

    /** Without every other place, if no table has only one. */
    private static <V> Table<V>[] halvedIfPossible(Table<V>[] tables) {
        for (int i = 0; i < tables.length; i += 2) {
            if (tables[i] != tables[i + 1]) {
                return tables;
            }
        }
        Table<V>[] array = Arrays.copyOf(tables, tables.length / 2);
        for (int i = 0; i < array.length; i++) {
            array[i] = tables[2 * i];
        }
        return array;
    }
}
