package io.rotamq.core.strategy;

import io.rotamq.core.durable.Content;
import io.rotamq.core.durable.Stored;
import io.rotamq.core.port.Clock;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.topic.TopicName;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * An application message on its way through the broker: what was published, by whom and when. What
 * it says is immutable; held by reference wherever it waits, however many sessions and groups wait
 * for it.
 */
public final class Message {
    /** Rough cost of a message's objects besides its bytes, so that empty messages count too. */
    private static final int OVERHEAD = 160;

    static final long NEVER = Long.MAX_VALUE;

    private static final AtomicIntegerFieldUpdater<Message> HOLDERS =
            AtomicIntegerFieldUpdater.newUpdater(Message.class, "holders");

    private static final AtomicReferenceFieldUpdater<Message, @Nullable Stored> STORED =
            AtomicReferenceFieldUpdater.newUpdater(Message.class, Stored.class, "stored");

    private final Publish publish;
    private final Publisher publisher;
    private final long arrival;
    private final long deadline;

    /** Windows that hold it, on any shard: however many they are, its bytes are there once. */
    private volatile int holders;

    /** Its place in the store, while anything durable refers to it or may do so soon. */
    private volatile @Nullable Stored stored;

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

    /** As it was stored, with its deadline by the core's clock. */
    private Message(Content content, long deadline) {
        this.publish = content.publish();
        this.publisher = new Publisher(content.publisher());
        this.arrival = content.arrival();
        this.deadline = deadline;
    }

    /** A message that was stored. */
    public static Message restored(Content content, Clock clock) {
        long wall = content.deadline();
        return new Message(
                content, wall == NEVER ? NEVER : clock.millis() + wall - clock.wallMillis());
    }

    /** As it is to be stored. */
    public Content content(Clock clock) {
        long wall = deadline == NEVER ? NEVER : clock.wallMillis() + deadline - clock.millis();
        return new Content(publish, publisher.clientId(), arrival, Math.max(0, wall));
    }

    public @Nullable Stored stored() {
        return stored;
    }

    /** Gives it another place in the store; false if somebody else did meanwhile. */
    public boolean store(@Nullable Stored before, Stored after) {
        return STORED.compareAndSet(this, before, after);
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
