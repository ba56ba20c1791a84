package io.rotamq.core;

import io.rotamq.core.session.Session;
import io.rotamq.core.share.Grant;
import io.rotamq.core.share.Group;
import io.rotamq.core.share.Member;
import io.rotamq.core.share.Message;
import io.rotamq.core.share.Offer;
import io.rotamq.core.share.Pending;
import java.util.List;

/**
 * What one shard asks another to do. A bare {@link Message} in a mailbox, which needs no wrapping,
 * is for the plain subscriptions of the shard.
 */
sealed interface Task {
    /** A group chose a member of this shard. */
    record Deliver(Member member, Grant grant, Message message, long epoch) implements Task {}

    /** A credit claimed for a member of this shard is not needed. */
    record Unclaim(Member member, long epoch) implements Task {}

    /** A message for the backlog of a group that this shard owns. */
    record Enqueue(Group group, Message message) implements Task {}

    /** Messages that a member did not finish. */
    record TakeBack(Group group, List<Pending> messages) implements Task {}

    /** A member of the group can take work, or the group has ended. */
    record Drain(Group group) implements Task {}

    /** Another member has what a member of this shard had not acknowledged. */
    record Taken(Session holder, Offer offer) implements Task {}

    /** Publishers of the group need not be slowed any more. */
    record Relieved(Group group) implements Task {}

    /** An operator removes a session. */
    record Kick(String clientId) implements Task {}

    /** Something to be run on the shard's loop, for those outside the core. */
    record Run(Runnable action) implements Task {}
}
