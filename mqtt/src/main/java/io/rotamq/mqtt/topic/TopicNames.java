package io.rotamq.mqtt.topic;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A bounded cache from the bytes of a topic to its {@link TopicName}, so that a hot topic costs
 * neither an allocation nor a UTF-8 check.
 *
 * <p>Direct-mapped: a topic has one slot and takes it from whichever was there. One per event loop,
 * which alone uses it; shared by the decoders of that loop.
 */
public final class TopicNames {
    private static final int DEFAULT_SLOTS = 4_096;

    /** Longer topics are not kept, which bounds the cache's memory to about 1.5 MiB. */
    private static final int LONGEST = 256;

    /** What the long topics that clients keep by aliases may take together, on one loop. */
    private static final long LONG_TOPICS = 32L << 20;

    private final @Nullable TopicName[] slots;
    private long kept;

    /** A cache of the usual size. */
    public TopicNames() {
        this(DEFAULT_SLOTS);
    }

    /**
     * A cache of a chosen size.
     *
     * @param slots a power of two
     */
    public TopicNames(int slots) {
        if (Integer.bitCount(slots) != 1) {
            throw new IllegalArgumentException("not a power of two: " + slots);
        }
        this.slots = new @Nullable TopicName[slots];
    }

    /**
     * A client keeps a topic by an alias: false if the long topics that are kept take too much. A
     * client may have many aliases, and each topic 65,535 bytes; the usual short ones are free.
     */
    public boolean keep(TopicName topic) {
        int length = topic.length();
        if (length > LONGEST && kept + length > LONG_TOPICS) {
            return false;
        }
        kept += length > LONGEST ? length : 0;
        return true;
    }

    /** A client does not keep a topic any more. */
    public void forget(TopicName topic) {
        kept -= topic.length() > LONGEST ? topic.length() : 0;
    }

    /** The topic name of these bytes, checked unless it is known already; null if they are none. */
    public @Nullable TopicName get(ByteBuf in, int index, int length) {
        int hash = TopicName.hash(in, index, length);
        int slot = hash & (slots.length - 1);
        TopicName known = slots[slot];
        if (known != null && known.hashCode() == hash && known.hasBytes(in, index, length)) {
            return known;
        }
        byte[] utf8 = new byte[length];
        in.getBytes(index, utf8);
        TopicName made = TopicName.parse(utf8, hash);
        if (made != null && length <= LONGEST) {
            slots[slot] = made;
        }
        return made;
    }
}
