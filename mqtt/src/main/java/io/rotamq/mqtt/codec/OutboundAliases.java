package io.rotamq.mqtt.codec;

import io.rotamq.mqtt.topic.TopicName;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The topic aliases that the server has set on one connection, on its event loop [MQTT-3.1.2-26].
 * When all are taken, the one that was used longest ago is given to the next topic.
 *
 * <p>Topics are found through a hash table whose chains, like the list that orders aliases by their
 * use, run through arrays of ints. So looking up and replacing allocate nothing; the arrays double
 * while aliases are still to be had.
 */
final class OutboundAliases {
    static final int NONE = 0;

    /** More are not used, whatever the client offers: they cost memory here and save little. */
    private static final int LARGEST = 256;

    private static final int FIRST_SIZE = 8;

    private final int maximum;
    private int used;
    private @Nullable TopicName[] topics;

    /** The first alias of each hash chain, and behind each alias the next one of its chain. */
    private int[] heads;

    private int[] chain;

    /**
     * Neighbours by use; at 0, which is no alias, the ring closes: newest after it, oldest before.
     */
    private int[] older;

    private int[] newer;

    OutboundAliases(int clientsMaximum) {
        maximum = Math.min(clientsMaximum, LARGEST);
        int size = Math.min(maximum, FIRST_SIZE);
        topics = new @Nullable TopicName[size + 1];
        chain = new int[size + 1];
        older = new int[size + 1];
        newer = new int[size + 1];
        heads = new int[FIRST_SIZE];
    }

    /** The alias of a topic, which counts as a use; {@link #NONE} if it has none. */
    int find(TopicName topic) {
        int alias = heads[bucket(topic)];
        while (alias != NONE && !topic.equals(topics[alias])) {
            alias = chain[alias];
        }
        if (alias != NONE && older[NONE] != alias) {
            leaveRing(alias);
            enterRing(alias);
        }
        return alias;
    }

    /** Gives an alias to a topic that has none. */
    int assign(TopicName topic) {
        int alias;
        if (used < maximum) {
            growFor(used + 1);
            alias = ++used;
        } else {
            alias = newer[NONE];
            leaveRing(alias);
            leaveChain(alias);
        }
        topics[alias] = topic;
        enterChain(alias);
        enterRing(alias);
        return alias;
    }

    private int bucket(TopicName topic) {
        return topic.hashCode() & (heads.length - 1);
    }

    private void enterRing(int alias) {
        int newest = older[NONE];
        older[alias] = newest;
        newer[alias] = NONE;
        newer[newest] = alias;
        older[NONE] = alias;
    }

    private void leaveRing(int alias) {
        newer[older[alias]] = newer[alias];
        older[newer[alias]] = older[alias];
    }

    private void enterChain(int alias) {
        int bucket = bucket(topicOf(alias));
        chain[alias] = heads[bucket];
        heads[bucket] = alias;
    }

    private void leaveChain(int alias) {
        int bucket = bucket(topicOf(alias));
        if (heads[bucket] == alias) {
            heads[bucket] = chain[alias];
            return;
        }
        int before = heads[bucket];
        while (chain[before] != alias) {
            before = chain[before];
        }
        chain[before] = chain[alias];
    }

    private TopicName topicOf(int alias) {
        TopicName topic = topics[alias];
        if (topic == null) {
            throw new IllegalStateException("alias " + alias + " has no topic");
        }
        return topic;
    }

    private void growFor(int alias) {
        if (alias < topics.length) {
            return;
        }
        int size = Math.min(2 * (topics.length - 1), maximum);
        topics = Arrays.copyOf(topics, size + 1);
        chain = Arrays.copyOf(chain, size + 1);
        older = Arrays.copyOf(older, size + 1);
        newer = Arrays.copyOf(newer, size + 1);
        heads = new int[2 * heads.length];
        for (int known = 1; known <= used; known++) {
            enterChain(known);
        }
    }
}
