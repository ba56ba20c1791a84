package io.rotamq.core.index;

import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The retained messages: the last one of each topic [MQTT-3.3.1-5].
 *
 * <p>Owned by nobody: any thread may read and write. Writers take turns on a lock, for the time of
 * one walk down a tree; readers take none and never wait. When a change has returned, no reader is
 * handed the message that it replaced or removed any more, not even a {@link Replay} begun long
 * before.
 *
 * <p>Whether a message has expired is for the caller to know; {@link #purge} lets it remove the
 * expired ones in the background [MQTT-3.3.2-5].
 *
 * @param <M> a retained message
 */
public final class RetainedMessages<M> {
    /** Seen by tests, which look at its shape. */
    final LevelTree<Held<M>> tree;

    private final Object purging = new Object();
    private TreeCursor<Held<M>> purge;

    /**
     * @param seed decides where topics lie in tables; to be kept from clients, so that none can
     *     choose topics that collide. No result depends on it, but the order of replays
     */
    public RetainedMessages(long seed) {
        tree = new LevelTree<>(seed);
        purge = TreeCursor.ofAll(tree);
    }

    /** The message of exactly this topic. */
    public @Nullable M get(TopicName topic) {
        Held<M> held = tree.get(topic.toUtf8());
        return held == null ? null : held.message();
    }

    /**
     * Makes a message the retained one of its topic.
     *
     * @return the message that it replaces
     */
    public @Nullable M put(TopicName topic, M message) {
        Put<M> put = new Put<>(message);
        tree.update(topic.toUtf8(), put);
        return put.replaced;
    }

    /**
     * Removes the message of a topic.
     *
     * @return the message that was removed
     */
    public @Nullable M remove(TopicName topic) {
        return remove(topic.toUtf8(), null);
    }

    /** Removes a message if it, the same object, is still the retained one of the topic. */
    public boolean remove(TopicName topic, M message) {
        return remove(topic.toUtf8(), message) != null;
    }

    private @Nullable M remove(byte[] topic, @Nullable M expected) {
        Removal<M> removal = new Removal<>(expected);
        tree.update(topic, removal);
        return removal.removed;
    }

    /** How many topics have a message. */
    public int size() {
        return tree.size();
    }

    /** The messages of all topics that the filter matches, to be taken in portions. */
    public Replay<M> replay(TopicFilter filter) {
        return new Replay<>(TreeCursor.ofMatching(tree, filter.toUtf8()));
    }

    /** Hands over the messages of all topics that the filter matches, at once. */
    public void match(TopicFilter filter, Consumer<? super M> sink) {
        replay(filter).advance(Integer.MAX_VALUE, Integer.MAX_VALUE, sink);
    }

    /**
     * Looks at the next messages, where the last call stopped, and removes those that are to go.
     * Call it now and then with a number of steps that the loop can spare; one round over all
     * messages takes about four steps for each. A message that replaces another one in the meantime
     * is not removed unseen.
     *
     * @param maxSteps how many places of the tree to look at, at most; the round begins anew with
     *     the next call if its end is reached
     * @param unwanted says which messages are to go
     * @return how many were removed
     */
    public int purge(int maxSteps, Predicate<? super M> unwanted) {
        synchronized (purging) {
            if (purge.done()) {
                purge = TreeCursor.ofAll(tree);
            }
            int removed = 0;
            for (int i = 0; i < maxSteps && !purge.done(); i++) {
                Held<M> held = purge.step();
                M message = held == null ? null : held.message();
                if (message != null && unwanted.test(message)) {
                    removed += remove(purge.key(), message) == null ? 0 : 1;
                }
            }
            return removed;
        }
    }

    private static final class Put<M> implements TopicTrie.Update<Held<M>> {
        private final M message;
        private @Nullable M replaced;

        Put(M message) {
            this.message = message;
        }

        @Override
        public Held<M> apply(@Nullable Held<M> held) {
            if (held == null) {
                return new Held<>(message);
            }
            replaced = held.message();
            held.message(message);
            return held;
        }
    }

    private static final class Removal<M> implements TopicTrie.Update<Held<M>> {
        private final @Nullable M expected;
        private @Nullable M removed;

        Removal(@Nullable M expected) {
            this.expected = expected;
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // an equal message that came later stays
        public @Nullable Held<M> apply(@Nullable Held<M> held) {
            if (held == null || (expected != null && held.message() != expected)) {
                return held;
            }
            removed = held.message();
            held.message(null);
            return null;
        }
    }
}
