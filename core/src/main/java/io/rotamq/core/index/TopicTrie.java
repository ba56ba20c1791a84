package io.rotamq.core.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the topic filters that match a topic: one value per filter, for whatever subscribes with
 * it.
 *
 * <p>Owned by nobody: any thread may read and write. Writers take turns on a lock, for the time of
 * one walk down the tree; readers take none and never wait. A value is for the readers' eyes, so it
 * must not change: put another one in its place. A match that runs while the set changes gives
 * every filter that is there all the time, none that is not there at any time, and none twice.
 *
 * <p><b>Caching.</b> What a match found can be kept by topic for as long as {@link #epoch()} stays
 * the same, if the epoch was read <em>before</em> matching:
 *
 * <pre>{@code
 * long now = trie.epoch();
 * if (cached.epoch != now) { cached.clear(); trie.match(topic, cached); cached.epoch = now; }
 * }</pre>
 *
 * An update first makes its change visible, then raises the epoch (a volatile write), then returns.
 * Let an update have returned before a reader reads the epoch. Then the reader reads the value
 * written by that update, or a later one. If the cached result carries the same value, it was
 * computed after a read of that value, which happens after the write of it, which happens after the
 * change: the result has it. If it carries a smaller one, it is not used. So no valid cached result
 * misses such a change.
 *
 * <p><b>Cost.</b> A match reads each node below which the topic can lie once; the tree has no node
 * twice, so neither {@code +/+/+…} nor deep topics cost more than the matching part of the tree has
 * bytes. No allocation, except beyond 32 alternatives at once between {@code +} and a literal level
 * on one path, which nobody has by accident.
 *
 * <p>{@code #} matches the parent level as well, {@code +} an empty level too, a wildcard at the
 * beginning no topic that begins with {@code $} [MQTT-4.7.2-1]; levels are compared byte for byte
 * [MQTT-4.7.3-4].
 *
 * @param <V> what a filter stands for
 */
public final class TopicTrie<V> {
    /** Alternatives that wait on the stack; a constant, whatever the depth of topics. */
    private static final int STACKED = 32;

    /** Seen by tests, which look at its shape. */
    final LevelTree<V> tree;

    /**
     * @param seed decides where filters lie in tables; to be kept from clients, so that none can
     *     choose filters that collide. No result depends on it, but the order of {@link #forEach}
     */
    public TopicTrie(long seed) {
        tree = new LevelTree<>(seed);
    }

    /** What an {@link #update} makes of the value of a filter. */
    @FunctionalInterface
    public interface Update<V> {
        /**
         * The new value. Called with the writers' lock held: to be short, and not to use the trie.
         *
         * @param current the value, null if the filter has none
         * @return the new value, null to remove the filter, the same object to leave all as it is
         */
        @Nullable V apply(@Nullable V current);
    }

    /** The value of exactly this filter. */
    public @Nullable V get(TopicFilter filter) {
        return tree.get(filter.toUtf8());
    }

    /**
     * Adds, replaces or removes the value of a filter. When this returns, every match that begins
     * sees it.
     *
     * @return the value that the filter has now
     */
    public @Nullable V update(TopicFilter filter, Update<V> change) {
        return tree.update(filter.toUtf8(), change);
    }

    /** How many filters have a value. */
    public int size() {
        return tree.size();
    }

    /** Rises with every change; see the class comment for what can be concluded from it. */
    public long epoch() {
        return tree.changes();
    }

    /** Hands over every filter and its value; of those that come or go meanwhile, some. */
    public void forEach(BiConsumer<? super TopicFilter, ? super V> sink) {
        TreeCursor<V> cursor = TreeCursor.ofAll(tree);
        while (!cursor.done()) {
            V value = cursor.step();
            if (value != null) {
                sink.accept(
                        Objects.requireNonNull(TopicFilter.parse(new String(cursor.key(), UTF_8))),
                        value);
            }
        }
    }

    /** Hands over the values of all filters that match the topic, in no order. */
    public void match(TopicName topic, Consumer<? super V> sink) {
        boolean wildcards = !topic.startsWithDollar();
        Below<V> below = tree.root().below();
        if (below instanceof Fork<V> fork) {
            Node<V> literal = fork.find(topic, 0, tree.hashKey());
            if (literal != null) {
                walk(literal, 0, topic, sink, 0);
            }
            if (wildcards) {
                deliver(fork.many(), sink);
                Node<V> plus = fork.plus();
                if (plus != null) {
                    walk(plus, 0, topic, sink, 0);
                }
            }
        } else if (below instanceof Node<V> only && (wildcards || !only.startsWithWildcard())) {
            walk(only, 0, topic, sink, 0);
        }
    }

    /** Where a walk goes on later: that node, with the topic from that position. */
    private record Pending<V>(Node<V> node, int position, @Nullable Pending<V> next) {}

    /**
     * Goes down from a node along the literal levels of the topic. Where {@code +} is an
     * alternative, that is walked first, on the stack while it may grow, else it waits in a list
     * until this path ends.
     */
    private void walk(
            Node<V> from, int start, TopicName topic, Consumer<? super V> sink, int stacked) {
        Node<V> node = from;
        int position = start;
        Pending<V> pending = null;
        while (true) {
            int after = node.consume(topic, position);
            Node<V> following = null;
            Node<V> plus = null;
            if (after == Node.ALL || after > topic.length()) {
                deliver(node, sink);
            }
            if (after >= 0) {
                Below<V> below = node.below();
                if (below instanceof Fork<V> fork) {
                    deliver(fork.many(), sink);
                    following =
                            after > topic.length() ? null : fork.find(topic, after, tree.hashKey());
                    plus = after > topic.length() ? null : fork.plus();
                } else {
                    following = (Node<V>) below;
                }
            }
            if (following == null) {
                following = plus;
            } else if (plus != null && stacked < STACKED) {
                walk(plus, after, topic, sink, stacked + 1);
            } else if (plus != null) {
                pending = new Pending<>(plus, after, pending);
            }
            if (following == null) {
                if (pending == null) {
                    return;
                }
                following = pending.node;
                after = pending.position;
                pending = pending.next;
            }
            node = following;
            position = after;
        }
    }

    private static <V> void deliver(@Nullable Node<V> node, Consumer<? super V> sink) {
        V value = node == null ? null : node.value();
        if (value != null) {
            sink.accept(value);
        }
    }
}
