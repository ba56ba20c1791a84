package io.rotamq.core.share;

import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.Meter;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.KeyFilter;
import io.rotamq.core.strategy.Message;
import io.rotamq.core.strategy.Roster;
import io.rotamq.core.strategy.Strategy;
import io.rotamq.mqtt.topic.TopicFilter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

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

    /** Replaced under the monitor when an operator changes the rules. */
    private volatile Regime regime;

    private final String identity;

    /** Members whose sessions are durable: with one of them, what the group is owed is stored. */
    private volatile int durableMembers;

    private volatile Roster roster = Roster.EMPTY;
    private volatile boolean ended;

    /** Given to members so far; under the monitor. */
    private long places;

    /** Messages of QoS 1 and 2 that are under way to the backlog, in it, or being placed. */
    private final AtomicInteger pending = new AtomicInteger();

    /** The same for QoS 0. */
    private final AtomicInteger pendingAtMostOnce = new AtomicInteger();

    private final AtomicLong pendingBytes = new AtomicLong();

    /** On while publishers are being slowed: put on by any shard above the high-water mark. */
    private final Brake brake = new Brake();

    /** Of routing keys whose lanes are long: kept by the owner, read by all; made when needed. */
    private volatile @Nullable ConcurrentMap<Object, Brake> laneBrakes;

    private final AtomicBoolean drainRequested = new AtomicBoolean();

    /** Sessions that are about to give back what a lost connection had. */
    private final AtomicInteger returning = new AtomicInteger();

    private final Losses losses = new Losses();

    /** Owner shard only. */
    final Backlog backlog;

    public Group(String shareName, TopicFilter filter, int owner, GroupSettings settings) {
        this(shareName, filter, owner, new Regime(settings, Strategy.of(settings.choice())));
    }

    Group(String shareName, TopicFilter filter, int owner, Regime regime) {
        this.shareName = shareName;
        this.filter = filter;
        this.owner = owner;
        this.regime = regime;
        this.backlog = new Backlog(regime);
        this.identity = "$share/" + shareName + "/" + filter;
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
        return regime.settings();
    }

    public Roster roster() {
        return roster;
    }

    Regime regime() {
        return regime;
    }

    Strategy strategy() {
        return regime.strategy();
    }

    /**
     * Other rules from now on: the next message obeys. What waits is laid anew by the owner, who
     * has to be asked to drain; false if nothing changed.
     */
    public synchronized boolean regroup(GroupSettings settings) {
        Regime before = regime;
        if (settings.equals(before.settings())) {
            return false;
        }
        Regime next = before.next(settings);
        boolean same = next.choosesLike(before);
        if (!same) {
            next.strategy().rosterChanges(Roster.EMPTY, roster);
        }
        regime = next;
        // Who has a turn may have changed, and what shards know of owners is told by the roster.
        replace(roster.refreshed());
        if (!same) {
            before.strategy().retire();
        }
        return true;
    }

    /** Whether messages may wait for one member though others could take them. */
    public boolean hasAffinity() {
        return strategy().hasAffinity();
    }

    /** Whether a successor may get nothing before it has what its predecessor did not finish. */
    public boolean hasSuccession() {
        Regime now = regime;
        return now.strategy().hasAffinity() && !now.isKeyed();
    }

    /**
     * From now on nothing is given out, until the owner has what a session gives back: raised
     * before the session looks absent, so that nobody can turn to its successor and not see this.
     */
    public void awaitReturns() {
        returning.incrementAndGet();
    }

    /** By the owner, when it has what was announced. */
    void returned() {
        returning.decrementAndGet();
    }

    boolean isReturning() {
        return returning.get() > 0;
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
        return pending() >= settings().backlog().maximumMessages()
                || pendingBytes.get() >= settings().backlog().maximumBytes();
    }

    /** Whether publishers that feed the group are being slowed. */
    public boolean isBehind() {
        return brake.isOn();
    }

    /** What slows publishers that feed the group. */
    public Brake brake() {
        return brake;
    }

    /** Whether some routing key has a brake of its own. */
    boolean hasLaneBrakes() {
        Map<Object, Brake> brakes = laneBrakes;
        return brakes != null && !brakes.isEmpty();
    }

    /** What slows or refuses publishers of this lane alone; null for nothing. */
    @Nullable Brake laneBrake(Object lane) {
        Map<Object, Brake> brakes = laneBrakes;
        return brakes == null ? null : brakes.get(lane);
    }

    /** By the owner. */
    ConcurrentMap<Object, Brake> laneBrakes() {
        ConcurrentMap<Object, Brake> brakes = laneBrakes;
        if (brakes == null) {
            brakes = new ConcurrentHashMap<>();
            laneBrakes = brakes;
        }
        return brakes;
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

    /** Takes in a member; false if the rules allow no more. */
    public synchronized boolean join(Member member) {
        if (roster.size() >= regime.mostMembers()) {
            return false;
        }
        member.place(++places);
        if (member.recipient().isDurable()) {
            countDurable(1);
        }
        replace(roster.with(member));
        return true;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the monitor
    private void countDurable(int more) {
        durableMembers += more;
    }

    /** Whether its messages of QoS 1 and 2 survive the process. */
    public boolean isDurable() {
        return durableMembers > 0;
    }

    /** A delivery of the group was found in the store: its routing key is held by it. */
    public @Nullable Hold restoreHold(Message message) {
        return backlog.regime().isKeyed()
                ? backlog.hold(backlog.lineOf(message), this, message)
                : null;
    }

    /** Takes the member out of the rotation; true if it was the last session of the group. */
    public synchronized boolean leave(Member member) {
        member.leave();
        if (member.recipient().isDurable()) {
            countDurable(-1);
        }
        replace(roster.without(member));
        ended = roster.isEmpty();
        if (ended) {
            strategy().retire();
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
            strategy().rosterChanges(roster, next);
            roster = next;
        }
    }

    /** Counts a message of the group that is lost, here and in the meter of the calling shard. */
    public void drop(DropReason reason, Meter meter) {
        losses.count(reason);
        meter.drop(reason);
    }

    /** Counts a publish that was refused for the sake of this group; the node counts it once. */
    public void countRefusal(DropReason reason) {
        losses.count(reason);
    }

    /** The group as it is about now; any thread. */
    public GroupSnapshot snapshot() {
        return GroupSnapshot.of(this, losses);
    }

    @Override
    public String toString() {
        return identity;
    }
}
