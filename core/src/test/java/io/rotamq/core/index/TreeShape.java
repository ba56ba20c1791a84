package io.rotamq.core.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** What a tree consists of at a moment when nobody writes. */
record TreeShape(int nodes, int values, int slots) {

    /** Counts a tree, and fails if it has a node without a reason to be there. */
    static <V> TreeShape of(LevelTree<V> tree) {
        Deque<Node<V>> waiting = new ArrayDeque<>(below(tree.root()));
        int nodes = 0;
        int values = 0;
        int slots = tree.root().below() instanceof Fork<V> fork ? fork.slots().length : 0;
        while (!waiting.isEmpty()) {
            Node<V> node = waiting.pop();
            nodes++;
            values += node.value() == null ? 0 : 1;
            if (node.below() instanceof Fork<V> fork) {
                slots += fork.slots().length;
            } else {
                assertThat(node.value()).as("value of a node that is no fork").isNotNull();
            }
            waiting.addAll(below(node));
        }
        assertThat(tree.size()).isEqualTo(values);
        return new TreeShape(nodes, values, slots);
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
        Node<V>[] slots = fork.slots();
        for (int i = 0; i < slots.length; i++) {
            nodes.add(Fork.slot(slots, i));
        }
        nodes.add(fork.plus());
        nodes.add(fork.many());
        nodes.removeIf(node -> node == null);
        assertThat(nodes).as("nodes at a fork").hasSizeGreaterThan(1);
        assertThat(slots.length)
                .as("slots for %d nodes", nodes.size())
                .isLessThanOrEqualTo(Math.max(8 * nodes.size(), 4));
        return nodes;
    }
}
