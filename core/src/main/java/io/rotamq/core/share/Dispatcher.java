package io.rotamq.core.share;

import io.rotamq.core.durable.Keep;
import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.GroupSettings.BacklogLimits;
import io.rotamq.core.port.GroupSettings.Overflow;
import io.rotamq.core.port.MemoryBudget;
import io.rotamq.core.port.Meter;
import io.rotamq.core.strategy.Candidate;
import io.rotamq.core.strategy.Claim;
import io.rotamq.core.strategy.Message;
import org.jspecify.annotations.Nullable;

/**
 * Gives a published message to one member of a group, on the shard that received it: the fast path.
 * What nobody can take now goes to the group's owner ({@link GroupOwner}). One per shard.
 */
public final class Dispatcher {
    private final GroupPort port;
    private final Meter meter;
    private final MemoryBudget memory;
    private final long seed;
    private @Nullable Claim claim;

    /**
     * @param seed of the chance that strategies draw from, another one on each shard
     */
    public Dispatcher(GroupPort port, Meter meter, MemoryBudget memory, long seed) {
        this.port = port;
        this.meter = meter;
        this.memory = memory;
        this.seed = seed;
    }

    /** Whether the group's policy refuses a new message just now. */
    public boolean refuses(Group group, Message message) {
        int qos = message.qos();
        Regime regime = group.regime();
        if (qos == 0 || regime.settings().backlog().overflow() != Overflow.REJECT_NEW) {
            return false;
        }
        Brake lane = laneBrake(group, regime, message);
        return group.pending(qos) > 0 && (group.isFull() || (lane != null && lane.isRefusing()));
    }

    /**
     * Gives the message to a member or to the group's backlog, or counts its loss.
     *
     * @param keep what keeps it in the store for the group; null for nothing
     * @return what the publisher is to be slowed by until it is let go; null for nothing
     */
    public @Nullable Brake publish(Group group, Message message, @Nullable Keep keep) {
        Regime regime = group.regime();
        if (regime.isKeyed() || group.pending(message.qos()) > 0 || group.isReturning()) {
            return backlog(group, regime, message, keep);
        }
        Member member = choose(group, regime, message, null);
        if (member == null) {
            return notPlaced(group, regime, message, keep);
        }
        if (group.isReturning()) {
            withdraw(member, message);
            return backlog(group, regime, message, keep);
        }
        port.deliver(member, claim().grant(), message, claim().epoch(), null, keep);
        return null;
    }

    /** Asks a group's strategy for a message that was published just now. */
    @Nullable Member choose(Group group, Message message) {
        return choose(group, group.regime(), message, null);
    }

    /**
     * Asks a group's strategy; the claim tells the rest.
     *
     * @param from the line that the message waits in; null if it was published just now
     */
    @Nullable Member choose(Group group, Regime regime, Message message, @Nullable Line from) {
        Claim attempt = claim == null ? new Claim(message, seed) : claim;
        claim = attempt.reset(message, from);
        Candidate chosen = regime.strategy().choose(group.roster(), message, attempt);
        if (attempt.passedOver() > 0) {
            meter.add(Counter.SHARED_PASSED_OVER, attempt.passedOver());
        }
        if (chosen == null) {
            return null;
        }
        meter.dispatched(group.settings().choice().strategy());
        return Member.of(chosen);
    }

    /** The member chosen last is not to have the message after all. */
    void withdraw(Member member, Message message) {
        long epoch = claim().epoch();
        if (epoch >= 0 && claim().grant().qosOf(message) > 0) {
            port.unclaim(member, epoch);
        }
    }

    /** The latest attempt on this shard. */
    Claim claim() {
        Claim latest = claim;
        if (latest == null) {
            throw new IllegalStateException("no attempt was made");
        }
        return latest;
    }

    private @Nullable Brake notPlaced(
            Group group, Regime regime, Message message, @Nullable Keep keep) {
        DropReason hopeless = hopeless(group, message);
        if (hopeless == null) {
            return backlog(group, regime, message, keep);
        }
        group.drop(hopeless, meter);
        port.drop(keep);
        return null;
    }

    /** Why a message that nobody took need not wait; null if it may. */
    @Nullable DropReason hopeless(Group group, Message message) {
        Claim attempt = claim();
        if (attempt.awaited() != null) {
            return null;
        }
        if (attempt.isKeyFiltered()) {
            return DropReason.KEY_FILTERED;
        }
        if (attempt.isTooLargeForAll()) {
            return DropReason.TOO_LARGE;
        }
        return message.qos() == 0 && !group.roster().hasBlockedMember()
                ? DropReason.NO_MEMBER
                : null;
    }

    /** By messages or, when they are large, by bytes: long before they could not be held. */
    private boolean isHigh(Group group, BacklogLimits limits) {
        return group.pending() >= limits.highWater()
                || group.pendingBytes() >= highWaterBytes(limits, memory);
    }

    /** A quarter of what the group or the node may hold. */
    static long highWaterBytes(BacklogLimits limits, MemoryBudget memory) {
        return Math.min(limits.maximumBytes(), memory.limit()) / 4;
    }

    private @Nullable Brake backlog(
            Group group, Regime regime, Message message, @Nullable Keep keep) {
        if (regime.isKeyed() && group.pending(message.qos()) == 0) {
            // It only passes by the owner, as a rule; a publisher is refused if others wait.
            memory.charge(Pending.cost(message));
        } else if (!memory.reserve(Pending.cost(message))) {
            group.drop(DropReason.MEMORY, meter);
            port.drop(keep);
            return null;
        }
        if (!regime.isKeyed()) {
            meter.count(Counter.SHARED_BACKLOGGED);
        }
        group.rises(message);
        BacklogLimits limits = regime.settings().backlog();
        boolean slows = limits.overflow() == Overflow.SLOW;
        Brake brake = group.brake();
        if (slows && !brake.isSpent() && isHigh(group, limits)) {
            // Before the post, so that the owner sees it when it has drained this very message.
            brake.putOn();
        }
        port.enqueue(group, message, keep);
        if (brake.isOn()) {
            return brake;
        }
        Brake lane = slows ? laneBrake(group, regime, message) : null;
        return lane != null && lane.isOn() ? lane : null;
    }

    private static @Nullable Brake laneBrake(Group group, Regime regime, Message message) {
        return regime.isKeyed() && group.hasLaneBrakes()
                ? group.laneBrake(regime.lineOf(message))
                : null;
    }
}
