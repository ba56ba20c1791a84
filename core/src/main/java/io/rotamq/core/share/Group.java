package io.rotamq.core.share;

import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.Meter;
import io.rotamq.mqtt.topic.TopicFilter;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One shared subscription: (share name, topic filter), its members, and how much of it waits. One
 * of the few pieces of memory that shards share: the roster is an immutable snapshot replaced under
 * the group's monitor, the counts are atomic words. The backlog alone belongs to the owner shard.
 *
 * <p>Order [MQTT-4.6.0-5]: a publisher's shard raises {@link #pending} before it posts a message to
 * the owner, and the owner lowers it after it has posted that message to the member's shard; while
 * anything is pending every publish takes the way through the owner. So two messages of one
 * publisher never overtake each other on their way to one member.
 */
public final class Group {
    private final String shareName;
    private final TopicFilter filter;
    private final int owner;
    private final GroupSettings settings;
    private final Strategy strategy;

    private volatile Roster roster = Roster.EMPTY;
    private volatile boolean ended;

    /** Given to members so far; under the monitor. */
    private long places;

    /** Messages of QoS 1 and 2 that are under way to the backlog, in it, or being placed. */
    private final AtomicInteger pending = new AtomicInteger();

    /** The same for QoS 0. */
    private final AtomicInteger pendingAtMostOnce = new AtomicInteger();

    private final AtomicLong pendingBytes = new AtomicLong();

    /** Whether publishers are being slowed: set by any shard above the high-water mark. */
    private volatile boolean behind;

    private final AtomicBoolean drainRequested = new AtomicBoolean();

    private final Losses losses = new Losses();

    /** Owner shard only. */
    final Backlog backlog = new Backlog();

    /** Owner shard only: since when the group is behind, in milliseconds; 0 if it is not. */
    long behindSince;

    /** Whether slowing publishers did not help in time: until drained, the oldest are dropped. */
    volatile boolean dropping;

    public Group(String shareName, TopicFilter filter, int owner, GroupSettings settings) {
        this.shareName = shareName;
        this.filter = filter;
        this.owner = owner;
        this.settings = settings;
        this.strategy = Strategy.of(settings.choice());
    }

    public String shareName() {
        return shareName;
    }

    public TopicFilter filter() {
        return filter;
    }

    /** Index of the shard that owns the backlog. */
    public int owner() {
        return owner;
    }

    public GroupSettings settings() {
        return settings;
    }

    public Roster roster() {
        return roster;
    }

    Strategy strategy() {
        return strategy;
    }

    /** Messages that wait, of any QoS. */
    public int pending() {
        return pending.get() + pendingAtMostOnce.get();
    }

    int pending(int qos) {
        return qos == 0 ? pendingAtMostOnce.get() : pending.get();
    }

    /** Whether a message of this QoS would have to wait behind others. */
    public boolean waits(int qos) {
        return pending(qos) > 0;
    }

    public long pendingBytes() {
        return pendingBytes.get();
    }

    public void rises(Message message) {
        (message.qos() == 0 ? pendingAtMostOnce : pending).incrementAndGet();
        pendingBytes.addAndGet(message.size());
    }

    void falls(Message message) {
        (message.qos() == 0 ? pendingAtMostOnce : pending).decrementAndGet();
        pendingBytes.addAndGet(-message.size());
    }

    boolean isFull() {
        return pending() >= settings.backlog().maximumMessages()
                || pendingBytes.get() >= settings.backlog().maximumBytes();
    }

    /** Whether publishers that feed the group are being slowed. */
    public boolean isBehind() {
        return behind;
    }

    void behind(boolean now) {
        behind = now;
    }

    /** True for the first who asks since the owner last began to drain. */
    public boolean requestsDrain() {
        return !drainRequested.get() && drainRequested.compareAndSet(false, true);
    }

    /** By the owner, before it looks at the backlog. */
    public void drainBegins() {
        drainRequested.set(false);
    }

    /** Whether the last session left: such a group stores nothing and is never joined again. */
    public boolean hasEnded() {
        return ended;
    }

    public synchronized void join(Member member) {
        member.place(++places);
        replace(roster.with(member));
    }

    /** Takes the member out of the rotation; true if it was the last session of the group. */
    public synchronized boolean leave(Member member) {
        member.leave();
        replace(roster.without(member));
        ended = roster.isEmpty();
        if (ended) {
            strategy.retire();
        }
        return ended;
    }

    /** A member's connection came or went. */
    public synchronized void refresh(Member member) {
        replace(roster.refreshed(member));
    }

    /** What decides who has a turn changed for all members. */
    public synchronized void refresh() {
        replace(roster.refreshed());
    }

    /** A member subscribes again, on other terms. */
    public synchronized void renew(Member member, Grant grant, KeyFilter keys) {
        member.grant(grant);
        member.keys(keys);
        replace(roster.renewed());
    }

    @SuppressWarnings("ReferenceEquality") // the same roster says: no change
    private void replace(Roster next) {
        if (next != roster) {
            strategy.rosterChanges(roster, next);
            roster = next;
        }
    }

    /** Counts a message of the group that is lost, here and in the meter of the calling shard. */
    public void drop(DropReason reason, Meter meter) {
        losses.count(reason);
        meter.drop(reason);
    }

    /** The group as it is about now; any thread. */
    public GroupSnapshot snapshot() {
        return GroupSnapshot.of(this, losses);
    }

    @Override
    public String toString() {
        return "$share/" + shareName + "/" + filter;
    }
}
