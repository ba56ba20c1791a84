package io.rotamq.core.share;

import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.GroupSettings.BacklogLimits;
import io.rotamq.core.port.GroupSettings.Overflow;
import io.rotamq.core.port.MemoryBudget;
import io.rotamq.core.port.Meter;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The backlogs of the groups that one shard owns: takes what nobody could take, drains it in order
 * to the first member able to take work, and keeps it within its bounds.
 */
public final class GroupOwner {
    private final GroupPort port;
    private final Dispatcher dispatcher;
    private final Meter meter;
    private final MemoryBudget memory;
    private final Set<Group> waiting = new LinkedHashSet<>();

    public GroupOwner(GroupPort port, Dispatcher dispatcher, Meter meter, MemoryBudget memory) {
        this.port = port;
        this.dispatcher = dispatcher;
        this.meter = meter;
        this.memory = memory;
    }

    /** A message that nobody could take when it was published; already counted as pending. */
    public void enqueue(Group group, Message message) {
        group.backlog.add(new Pending(message, null));
        afterAdding(group);
    }

    /** Messages that a member did not finish, already counted as pending: they come first. */
    public void takeBack(Group group, List<Pending> returned) {
        for (Pending pending : returned) {
            group.backlog.addReturned(pending);
        }
        meter.add(Counter.SHARED_REDISPATCHED, returned.size());
        afterAdding(group);
    }

    /** Some member may be able to take work. */
    public void drain(Group group) {
        if (group.hasEnded()) {
            end(group);
            return;
        }
        drainAtMostOnce(group);
        while (true) {
            Pending next = group.backlog.peek();
            if (next == null || !place(group, next)) {
                break;
            }
        }
        settle(group);
    }

    /** The last session has left: what waits is dropped. */
    public void end(Group group) {
        for (Pending p = group.backlog.pollOldest(); p != null; p = group.backlog.pollOldest()) {
            discard(group, p, DropReason.GROUP_ENDED);
        }
        settle(group);
    }

    /** Drops what expired and ends the slowing of publishers when its time is over. */
    public void tick() {
        for (Iterator<Group> groups = waiting.iterator(); groups.hasNext(); ) {
            Group group = groups.next();
            purge(group);
            limitSlowing(group);
            if (group.backlog.isEmpty()) {
                groups.remove();
            }
            relieve(group);
        }
    }

    /** Groups of this shard that hold messages. */
    public int waiting() {
        return waiting.size();
    }

    private void afterAdding(Group group) {
        waiting.add(group);
        drain(group);
        while (isOverfull(group)) {
            Pending oldest = group.backlog.pollOldest();
            if (oldest == null) {
                break;
            }
            discard(group, oldest, DropReason.BACKLOG_FULL);
        }
        if (group.isBehind() && group.behindSince == 0) {
            group.behindSince = Math.max(1, port.now());
        }
    }

    private static boolean isOverfull(Group group) {
        BacklogLimits limits = group.settings().backlog();
        return group.backlog.size() > limits.maximumMessages()
                || group.pendingBytes() > limits.maximumBytes();
    }

    /** Gives one message to a member; false if nobody can take it now. */
    private boolean place(Group group, Pending next) {
        Message message = next.message();
        if (!next.isOpen() || message.isExpired(port.now())) {
            group.backlog.poll();
            discard(group, next, DropReason.EXPIRED);
            return true;
        }
        Member member = dispatcher.choose(group, message);
        if (member == null) {
            if (!dispatcher.claim().isTooLargeForAll()) {
                return false;
            }
            group.backlog.poll();
            discard(group, next, DropReason.TOO_LARGE);
            return true;
        }
        group.backlog.poll();
        hand(group, next, member);
        return true;
    }

    private void hand(Group group, Pending next, Member member) {
        Grant grant = dispatcher.claim().grant();
        long epoch = dispatcher.claim().epoch();
        Offer offer = next.offer();
        if (!next.take()) {
            // Its first holder came back between the look and the grip.
            if (epoch >= 0 && grant.qosOf(next.message()) > 0) {
                port.unclaim(member, epoch);
            }
        } else {
            port.deliver(member, grant, next.message(), epoch);
            if (offer != null) {
                port.taken(offer);
            }
        }
        unaccount(group, next.message());
    }

    private void drainAtMostOnce(Group group) {
        for (Pending p = group.backlog.peekAtMostOnce(); p != null; ) {
            Message message = p.message();
            if (message.isExpired(port.now())) {
                discard(group, p, DropReason.EXPIRED);
            } else {
                Member member = dispatcher.choose(group, message);
                if (member == null && group.roster().hasBlockedMember()) {
                    return;
                }
                if (member == null) {
                    discard(group, p, DropReason.NO_MEMBER);
                } else {
                    hand(group, p, member);
                }
            }
            group.backlog.pollAtMostOnce();
            p = group.backlog.peekAtMostOnce();
        }
    }

    /** Counts the loss, unless the message was no longer the group's to lose. */
    private void discard(Group group, Pending pending, DropReason reason) {
        Offer offer = pending.offer();
        if (pending.take()) {
            group.drop(reason, meter);
            if (offer != null) {
                port.taken(offer);
            }
        }
        unaccount(group, pending.message());
    }

    private void unaccount(Group group, Message message) {
        group.falls(message);
        memory.release(message.size());
    }

    /** Takes out what expired, and what its first holder has resumed. */
    private void purge(Group group) {
        long now = port.now();
        group.backlog.removeIf(
                pending -> {
                    boolean dead = !pending.isOpen() || pending.message().isExpired(now);
                    if (dead) {
                        discard(group, pending, DropReason.EXPIRED);
                    }
                    return dead;
                });
    }

    private void settle(Group group) {
        if (group.backlog.isEmpty()) {
            waiting.remove(group);
        }
        relieve(group);
    }

    private void relieve(Group group) {
        // What is under way to the backlog counts: it was published before, and is slowed with it.
        if (group.pending() > group.settings().backlog().lowWater()
                || group.pendingBytes() > Dispatcher.highWaterBytes(group, memory) / 2) {
            return;
        }
        group.dropping = false;
        if (group.isBehind()) {
            endSlowing(group);
        }
    }

    private void limitSlowing(Group group) {
        if (group.isBehind()
                && group.settings().backlog().overflow() == Overflow.SLOW
                && port.now() - group.behindSince >= group.settings().backlog().slowLimit()) {
            group.dropping = true;
            endSlowing(group);
        }
    }

    private void endSlowing(Group group) {
        group.behind(false);
        group.behindSince = 0;
        port.relieved(group);
    }
}
