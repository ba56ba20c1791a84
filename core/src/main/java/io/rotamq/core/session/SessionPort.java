package io.rotamq.core.session;

import io.rotamq.core.durable.Keep;
import io.rotamq.core.durable.Stored;
import io.rotamq.core.port.CoreSettings;
import io.rotamq.core.port.MemoryBudget;
import io.rotamq.core.port.Meter;
import io.rotamq.core.share.Archive;
import io.rotamq.core.share.Group;
import io.rotamq.core.share.Hold;
import io.rotamq.core.share.Member;
import io.rotamq.core.share.Pending;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a session needs of the shard that owns it. */
public interface SessionPort {
    /** Index of the shard. */
    int index();

    /** Milliseconds of the core's clock. */
    long now();

    /** Where the shard writes what is durable; null if the node has no store. */
    default @Nullable Archive archive() {
        return null;
    }

    /** A durable session begins on the shard. */
    default void durableBegins() {}

    /** A durable session has ended. */
    default void durableEnds() {}

    /** The session has something for its client that waits until a message is safe. */
    default void awaits(Session session, Stored stored) {}

    CoreSettings settings();

    Meter meter();

    MemoryBudget memory();

    /** Gives messages that a member did not finish back to their group. */
    void giveBack(Group group, List<Pending> messages);

    /** The members of the group changed, and something waits. */
    void wantsWork(Group group);

    /** The member can take work, and something waits in its group. */
    void wantsWork(Member member);

    /** A delivery that held a routing key is over, however it ended. */
    void over(Hold hold);

    /** What kept a message is not needed any more. */
    default void drop(@Nullable Keep keep) {}

    /** What a session announced that it gives back to the group is on its way. */
    void returned(Group group);

    /** The last session of the group has left. */
    void ended(Group group);
}
