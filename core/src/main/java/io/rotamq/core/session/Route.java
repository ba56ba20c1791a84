package io.rotamq.core.session;

import io.rotamq.core.share.Group;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where messages for one filter go: the shards that have plain subscribers, and the groups.
 * Immutable.
 *
 * @param shards bit set of shard indexes
 */
record Route(long shards, Group[] groups) {
    private static final Group[] NO_GROUPS = {};
    static final Route NONE = new Route(0, NO_GROUPS);

    Route withShard(int shard) {
        return new Route(shards | 1L << shard, groups);
    }

    /** Null when nothing is left. */
    @Nullable Route withoutShard(int shard) {
        return new Route(shards & ~(1L << shard), groups).orNull();
    }

    @Nullable Group group(String shareName) {
        for (Group group : groups) {
            if (group.shareName().equals(shareName)) {
                return group;
            }
        }
        return null;
    }

    Route withGroup(Group group) {
        Group[] more = Arrays.copyOf(groups, groups.length + 1);
        more[groups.length] = group;
        return new Route(shards, more);
    }

    /** Null when nothing is left. */
    @Nullable Route withoutGroup(Group group) {
        Group[] fewer = Arrays.stream(groups).filter(other -> other != group).toArray(Group[]::new);
        return new Route(shards, fewer).orNull();
    }

    private @Nullable Route orNull() {
        return shards == 0 && groups.length == 0 ? null : this;
    }
}
