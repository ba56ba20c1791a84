package io.rotamq.core.share;

import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.MemoryBudget;
import io.rotamq.core.port.Meter;

/**
 * What has to be settled when a message leaves a backlog: the loss is counted, its first holder is
 * told, the hold of the delivery that brought it back ends, and it is pending no more. Works for
 * the shard that owns the group.
 */
final class Accounts {
    private final GroupPort port;
    private final Meter meter;
    private final MemoryBudget memory;

    Accounts(GroupPort port, Meter meter, MemoryBudget memory) {
        this.port = port;
        this.meter = meter;
        this.memory = memory;
    }

    /** Counts the loss, unless the message was no longer the group's to lose. */
    void discard(Group group, Pending pending, DropReason reason) {
        if (pending.take()) {
            group.drop(reason, meter);
            port.drop(pending.keep());
            taken(pending);
        } else {
            group.backlog.resumed(pending);
        }
        left(group, pending);
    }

    /** The message is another's now, or nobody's: it is over for the member that gave it back. */
    void taken(Pending pending) {
        Hold before = pending.hold();
        if (before != null) {
            before.over();
        }
        Offer offer = pending.offer();
        if (offer != null) {
            port.taken(offer);
        }
    }

    /** After it was posted to a member, if it was: what is published now may not overtake it. */
    void left(Group group, Pending pending) {
        group.falls(pending.message());
        memory.release(Pending.cost(pending.message()));
    }
}
