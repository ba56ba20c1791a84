package io.rotamq.core.share;

import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.GroupSettings.BacklogLimits;
import io.rotamq.core.port.GroupSettings.Overflow;
import io.rotamq.core.port.MemoryBudget;

/**
 * Keeps backlogs within their bounds, and puts on and lets go the brakes of those who publish to
 * them: of a whole group, or of one routing key. Works for the shard that owns the group.
 */
final class Throttle {
    private final GroupPort port;
    private final Accounts accounts;
    private final MemoryBudget memory;

    Throttle(GroupPort port, Accounts accounts, MemoryBudget memory) {
        this.port = port;
        this.accounts = accounts;
        this.memory = memory;
    }

    /** After something was added: at the bound the oldest makes room. */
    void bound(Group group) {
        while (isOverfull(group)) {
            Line oldest = group.backlog.oldest();
            if (oldest == null) {
                break;
            }
            dropOldest(group, oldest, DropReason.BACKLOG_FULL);
        }
        group.brake().starts(port.now());
    }

    private static boolean isOverfull(Group group) {
        BacklogLimits limits = group.backlog.regime().settings().backlog();
        return group.backlog.size() > limits.maximumMessages()
                || group.pendingBytes() > limits.maximumBytes();
    }

    private void dropOldest(Group group, Line line, DropReason reason) {
        Pending oldest = group.backlog.poll(line);
        if (oldest != null) {
            accounts.discard(group, oldest, reason);
        }
        relieve(group, line);
    }

    /** A message was added to the lane of a routing key. */
    void boundLane(Group group, Line lane) {
        BacklogLimits limits = group.backlog.regime().settings().backlog();
        int size = lane.size();
        if (limits.overflow() == Overflow.REJECT_NEW) {
            if (size >= limits.maximumLaneMessages()) {
                brakeOf(group, lane).refuse();
            }
            return;
        }
        if (limits.overflow() == Overflow.SLOW && size >= highWater(limits)) {
            Brake brake = brakeOf(group, lane);
            if (!brake.isSpent()) {
                brake.putOn();
                brake.starts(port.now());
            }
        }
        while (lane.size() > limits.maximumLaneMessages()) {
            dropOldest(group, lane, DropReason.LANE_FULL);
        }
    }

    /** Long before one hot key slows all others by the high-water mark of the group. */
    private static int highWater(BacklogLimits limits) {
        return Math.max(1, Math.min(limits.highWater(), limits.maximumLaneMessages()) / 2);
    }

    private static int lowWater(BacklogLimits limits) {
        return limits.overflow() == Overflow.REJECT_NEW
                ? limits.maximumLaneMessages() - 1
                : highWater(limits) / 2;
    }

    private static Brake brakeOf(Group group, Line lane) {
        Brake brake = lane.brake;
        if (brake == null) {
            brake = new Brake();
            lane.brake = brake;
            group.laneBrakes().put(lane.key(), brake);
        }
        return brake;
    }

    /** Lets the publishers of a key go on when its lane has become short. */
    void relieve(Group group, Line lane) {
        Brake brake = lane.brake;
        if (brake != null && lane.size() <= lowWater(group.backlog.regime().settings().backlog())) {
            lane.brake = null;
            group.laneBrakes().remove(lane.key());
            letGo(brake);
        }
    }

    /** Lets the publishers of a group go on when enough has been given out. */
    void relieve(Group group) {
        BacklogLimits limits = group.settings().backlog();
        // What is under way to the backlog counts: it was published before, and is slowed with it.
        boolean high =
                group.pending() > limits.lowWater()
                        || group.pendingBytes() > Dispatcher.highWaterBytes(limits, memory) / 2;
        if (high && limits.overflow() == Overflow.SLOW) {
            return;
        }
        if (!high) {
            group.brake().spent(false);
        }
        letGo(group.brake());
    }

    /** Ends slowing that did not help in time. */
    void tick(Group group) {
        BacklogLimits limits = group.settings().backlog();
        group.brake().starts(port.now());
        limit(group.brake(), limits);
        if (group.hasLaneBrakes()) {
            group.laneBrakes().values().forEach(brake -> limit(brake, limits));
        }
    }

    private void limit(Brake brake, BacklogLimits limits) {
        if (brake.isOnFor(limits.slowLimit(), port.now())) {
            brake.spent(true);
            letGo(brake);
        }
    }

    /** The lanes have other bounds, are laid anew, or are no more. */
    void releaseLanes(Group group) {
        if (group.hasLaneBrakes()) {
            group.backlog.all().forEach(lane -> lane.brake = null);
            group.laneBrakes().values().forEach(this::letGo);
            group.laneBrakes().clear();
        }
    }

    private void letGo(Brake brake) {
        if (brake.letGo()) {
            port.relieved(brake);
        }
    }
}
