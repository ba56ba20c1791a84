package io.rotamq.core.session;

import io.rotamq.core.port.CoreSettings;
import io.rotamq.core.port.MemoryBudget;
import io.rotamq.core.port.Meter;
import io.rotamq.core.share.Group;
import io.rotamq.core.share.Pending;
import java.util.List;

/** What a session needs of the shard that owns it. */
public interface SessionPort {
    /** Index of the shard. */
    int index();

    /** Milliseconds of the core's clock. */
    long now();

    CoreSettings settings();

    Meter meter();

    MemoryBudget memory();

    /** Gives messages that a member did not finish back to their group. */
    void giveBack(Group group, List<Pending> messages);

    /** A member of the group can take work, and something waits. */
    void wantsWork(Group group);

    /** The last session of the group has left. */
    void ended(Group group);
}
