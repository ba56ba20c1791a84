package io.rotamq.core;

import io.rotamq.core.durable.Journal;
import io.rotamq.core.durable.Keep;
import io.rotamq.core.durable.Stored;
import io.rotamq.core.session.Session;
import io.rotamq.core.share.Brake;
import io.rotamq.core.share.Group;
import io.rotamq.core.share.Hold;
import io.rotamq.core.share.Member;
import io.rotamq.core.share.Offer;
import io.rotamq.core.share.Pending;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one shard asks another to do. A bare {@link Message} in a mailbox, which needs no wrapping,
 * is for the plain subscriptions of the shard.
 */
sealed interface Task {
    /** A group chose a member of this shard. */
    record Deliver(
            Member member,
            Grant grant,
            Message message,
            long epoch,
            @Nullable Hold hold,
            @Nullable Keep keep)
            implements Task {}

    /** A credit claimed for a member of this shard is not needed. */
    record Unclaim(Member member, long epoch) implements Task {}

    /** A message for the backlog of a group that this shard owns. */
    record Enqueue(Group group, Message message, @Nullable Keep keep) implements Task {}

    /** Messages that a member did not finish. */
    record TakeBack(Group group, List<Pending> messages) implements Task {}

    /** A member of the group can take work, or the group has ended. */
    record Drain(Group group) implements Task {}

    /** A session has given back what it announced to the group. */
    record Returned(Group group) implements Task {}

    /** A member of the group can take work, and lines wait for it. */
    record Serve(Member member) implements Task {}

    /** A delivery that held a routing key of a group of this shard is over. */
    record Release(Hold hold) implements Task {}

    /** The rules of a member's group changed while its client may be away. */
    record Reconsider(Member member) implements Task {}

    /** Another member has what a member of this shard had not acknowledged. */
    record Taken(Session holder, Offer offer) implements Task {}

    /** Publishers need not be slowed by this any more. */
    record Relieved(Brake brake) implements Task {}

    /** An operator removes a session. */
    record Kick(String clientId) implements Task {}

    /** The store has answered for a batch of this shard. */
    record Landed(Journal.Flight flight) implements Task {}

    /** All who owe a message of this shard's publisher durably have handed that over. */
    record Handed(Receipt receipt) implements Task {}

    /** A message is safe that something waits for. */
    record Confirmed(Stored stored) implements Task {}

    /** Something to be run on the shard's loop, for those outside the core. */
    record Run(Runnable action) implements Task {}
}
