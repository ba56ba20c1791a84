package io.rotamq.core.share;

import io.rotamq.core.durable.Keep;
import io.rotamq.core.strategy.Claim;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.Message;
import org.jspecify.annotations.Nullable;

/** What dispatching needs of the shard it runs on. */
public interface GroupPort {
    /** Milliseconds of the core's clock. */
    long now();

    /**
     * Sends a message to the shard of the member, behind everything that was sent there before.
     *
     * @param grant of the member when it was chosen
     * @param epoch window epoch of the credit claimed, or {@link Claim#KEPT}
     * @param hold what the delivery holds until it is over; null for nothing
     * @param keep what keeps the message in the store; null for nothing
     */
    void deliver(
            Member member,
            Grant grant,
            Message message,
            long epoch,
            @Nullable Hold hold,
            @Nullable Keep keep);

    /** Gives back the credit that was claimed for a message which is not sent after all. */
    void unclaim(Member member, long epoch);

    /** What kept a message for a group is not needed any more: it is lost or done with. */
    default void drop(@Nullable Keep keep) {}

    /** Sends a message to the group's owner, for its backlog. */
    void enqueue(Group group, Message message, @Nullable Keep keep);

    /** Tells the holder of an offered delivery that another member has it now. */
    void taken(Offer offer);

    /** Tells every shard that publishers need not be slowed by this brake any more. */
    void relieved(Brake brake);
}
