package io.rotamq.core.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What a tree consists of at a moment when nobody writes. */
record TreeShape(int nodes, int values, int slots) {

    /**
     * Counts a tree, and fails if it has a node, a table or a slot without a reason to be there.
     */
    static <V> TreeShape of(LevelTree<V> tree) {
        Deque<Node<V>> waiting = new ArrayDeque<>(below(tree.root()));
        int nodes = 0;
        int values = 0;
        int slots = slots(tree.root());
        while (!waiting.isEmpty()) {
            Node<V> node = waiting.pop();
            nodes++;
            slots += slots(node);
            if (node.value() != null) {
                values++;
            } else {
                assertThat(node.below()).as("below a node without value").isInstanceOf(Fork.class);
            }
            waiting.addAll(below(node));
        }
        assertThat(tree.size()).isEqualTo(values);
        return new TreeShape(nodes, values, slots);
    }

    private static <V> int slots(Node<V> node) {
        int slots = 0;
        if (node.below() instanceof Fork<V> fork) {
            for (Table<V> table : new LinkedHashSet<>(List.of(fork.tables()))) {
                slots += table.slots().length;
            }
        }
        return slots;
    }

    private static <V> List<Node<V>> below(Node<V> node) {
        return switch (node.below()) {
            case null -> List.of();
            case Node<V> only -> List.of(only);
            case Fork<V> fork -> below(fork);
        };
    }

    private static <V> List<Node<V>> below(Fork<V> fork) {
        List<Node<V>> nodes = new ArrayList<>();
        Set<Table<V>> tables = new LinkedHashSet<>(List.of(fork.tables()));
        tables.forEach(table -> nodes.addAll(literals(table)));
        assertThat(tables.size())
                .as("tables for %d literals", nodes.size())
                .isLessThanOrEqualTo(1 + nodes.size() / 64);
        nodes.add(fork.plus());
        nodes.add(fork.many());
        nodes.removeIf(node -> node == null);
        assertThat(nodes).as("nodes at a fork").hasSizeGreaterThan(1);
        return nodes;
    }

    private static <V> List<Node<V>> literals(Table<V> table) {
        List<Node<V>> literals = new ArrayList<>();
        Node<V>[] slots = table.slots();
        for (int i = 0; i < slots.length; i++) {
            Node<V> node = Table.slot(slots, i);
            if (node != null) {
                literals.add(node);
            }
        }
        assertThat(literals).hasSize(table.literals());
        assertThat(slots.length)
                .as("slots for %d literals", literals.size())
                .isLessThanOrEqualTo(Math.max(8 * literals.size(), 4));
        return literals;
    }
}
