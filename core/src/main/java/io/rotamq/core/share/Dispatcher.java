package io.rotamq.core.share;

import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.GroupSettings.Overflow;
import io.rotamq.core.port.MemoryBudget;
import io.rotamq.core.port.Meter;
import org.jspecify.annotations.Nullable;

/**
 * Gives a published message to one member of a group, on the shard that received it: the fast path.
 * What nobody can take now goes to the group's owner ({@link GroupOwner}). One per shard.
 */
public final class Dispatcher {
    /** What became of a message, as far as its publisher is concerned. */
    public enum Outcome {
        /** A member or the backlog has taken responsibility, or the loss is counted. */
        DONE,
        /** The same, and the publisher is to be slowed until the group is relieved. */
        SLOWED
    }

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

    /** Whether the group's policy refuses new messages just now. */
    public boolean refuses(Group group, int qos) {
        return qos > 0
                && group.settings().backlog().overflow() == Overflow.REJECT_NEW
                && group.pending(qos) > 0
                && group.isFull();
    }

    public Outcome publish(Group group, Message message) {
        int qos = message.qos();
        if (group.pending(qos) > 0) {
            return backlog(group, message);
        }
        Member member = choose(group, message);
        if (member == null) {
            return notPlaced(group, message);
        }
        port.deliver(member, claim().grant(), message, claim().epoch());
        return Outcome.DONE;
    }

    /** Asks the group's strategy; the claim tells the rest. */
    @Nullable Member choose(Group group, Message message) {
        Claim attempt = claim == null ? new Claim(message, seed) : claim.reset(message);
        claim = attempt;
        Member member = group.strategy().choose(group.roster(), message, attempt);
        if (attempt.passedOver() > 0) {
            meter.add(Counter.SHARED_PASSED_OVER, attempt.passedOver());
        }
        if (member != null) {
            meter.dispatched(group.settings().choice().strategy());
        }
        return member;
    }

    /** The latest attempt on this shard. */
    Claim claim() {
        Claim latest = claim;
        if (latest == null) {
            throw new IllegalStateException("no attempt was made");
        }
        return latest;
    }

    private Outcome notPlaced(Group group, Message message) {
        if (claim().isTooLargeForAll()) {
            group.drop(DropReason.TOO_LARGE, meter);
            return Outcome.DONE;
        }
        if (message.qos() == 0 && !group.roster().hasBlockedMember()) {
            group.drop(DropReason.NO_MEMBER, meter);
            return Outcome.DONE;
        }
        return backlog(group, message);
    }

    /** By messages or, when they are large, by bytes: long before they could not be held. */
    private boolean isHigh(Group group) {
        return group.pending() >= group.settings().backlog().highWater()
                || group.pendingBytes() >= highWaterBytes(group, memory);
    }

    /** A quarter of what the group or the node may hold. */
    static long highWaterBytes(Group group, MemoryBudget memory) {
        return Math.min(group.settings().backlog().maximumBytes(), memory.limit()) / 4;
    }

    private Outcome backlog(Group group, Message message) {
        if (!memory.reserve(message.size())) {
            group.drop(DropReason.MEMORY, meter);
            return Outcome.DONE;
        }
        meter.count(Counter.SHARED_BACKLOGGED);
        group.rises(message);
        boolean slows = group.settings().backlog().overflow() == Overflow.SLOW && !group.dropping;
        if (slows && isHigh(group)) {
            // Before the post, so that the owner sees it when it has drained this very message.
            group.behind(true);
        }
        port.enqueue(group, message);
        return group.isBehind() ? Outcome.SLOWED : Outcome.DONE;
    }
}
