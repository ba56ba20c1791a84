package io.rotamq.core.strategy;

import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.topic.TopicName;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * An application message on its way through the broker: what was published, by whom and when. What
 * it says is immutable; held by reference wherever it waits, however many sessions and groups wait
 * for it.
 */
public final class Message {
    /** Rough cost of a message's objects besides its bytes, so that empty messages count too. */
    private static final int OVERHEAD = 160;

    private static final long NEVER = Long.MAX_VALUE;

    private static final AtomicIntegerFieldUpdater<Message> HOLDERS =
            AtomicIntegerFieldUpdater.newUpdater(Message.class, "holders");

    private final Publish publish;
    private final Publisher publisher;
    private final long arrival;
    private final long deadline;

    /** Windows that hold it, on any shard: however many they are, its bytes are there once. */
    private volatile int holders;

    /** The routing key last asked for: found again alike, so shards may race for it. */
    private @Nullable Key key;

    /**
     * @param arrival orders messages: strictly increasing on each shard, by time between shards
     * @param now milliseconds of the core's clock
     */
    public Message(Publish publish, Publisher publisher, long arrival, long now) {
        this.publish = publish;
        this.publisher = publisher;
        this.arrival = arrival;
        long expiry = publish.messageExpiry();
        this.deadline = expiry < 0 ? NEVER : now + expiry * 1_000;
    }

    public Publish publish() {
        return publish;
    }

    public TopicName topic() {
        return publish.topic();
    }

    public int qos() {
        return publish.qos();
    }

    public Publisher publisher() {
        return publisher;
    }

    public long arrival() {
        return arrival;
    }

    /** Whether it has a Message Expiry Interval; else the time need not be asked for. */
    public boolean expires() {
        return deadline != NEVER;
    }

    public boolean isExpired(long now) {
        return now >= deadline;
    }

    /** Seconds that the message has left, as it is forwarded; -1 if it never expires. */
    public long remainingExpiry(long now) {
        if (deadline == NEVER) {
            return -1;
        }
        long left = deadline - now;
        return left <= 0 ? 0 : (left + 999) / 1_000;
    }

    /** A window holds the message from now on; true if it is the only one. */
    public boolean hold() {
        return HOLDERS.getAndIncrement(this) == 0;
    }

    /** A window holds it no more; true if no other does. */
    public boolean letGo() {
        return HOLDERS.decrementAndGet(this) == 0;
    }

    @Nullable Key key() {
        return key;
    }

    void key(Key found) {
        key = found;
    }

    /** Bytes that the message holds while it waits somewhere. */
    public long size() {
        return OVERHEAD
                + (long) publish.payload().length
                + publish.properties().length
                + publish.topic().length();
    }
}
