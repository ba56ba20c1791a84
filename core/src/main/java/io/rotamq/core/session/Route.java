package io.rotamq.core.session;

import io.rotamq.core.index.Ranked;
import io.rotamq.core.index.Ranks;
import io.rotamq.core.share.Group;
import org.jspecify.annotations.Nullable;

/**
 * Where messages for one filter go: the shards that have plain subscribers, and the groups.
 * Immutable; a group more or less costs little however many there are.
 */
final class Route {
    static final Route NONE = new Route(0, Ranks.none());

    private final long shards;
    private final Ranks<Entry> groups;

    /** Made when first asked for; threads that race for it make equal ones. */
    private Group @Nullable [] array;

    private Route(long shards, Ranks<Entry> groups) {
        this.shards = shards;
        this.groups = groups;
    }

    /**
     * A group of the node.
     *
     * @param place in the order in which groups began
     */
    record Entry(long place, Group group) implements Ranked {}

    /** Bit set of shard indexes. */
    long shards() {
        return shards;
    }

    /** Not to be changed. */
    Group[] groups() {
        Group[] made = array;
        if (made == null) {
            made = new Group[groups.size()];
            for (int i = 0; i < made.length; i++) {
                made[i] = groups.get(i).group();
            }
            array = made;
        }
        return made;
    }

    Route withShard(int shard) {
        return (shards & 1L << shard) != 0 ? this : new Route(shards | 1L << shard, groups);
    }

    /** Null when nothing is left. */
    @Nullable Route withoutShard(int shard) {
        return new Route(shards & ~(1L << shard), groups).orNull();
    }

    Route with(Entry group) {
        return new Route(shards, groups.with(group));
    }

    /** Null when nothing is left. */
    @Nullable Route without(Entry group) {
        int at = groups.find(group.place());
        return at < 0 ? this : new Route(shards, groups.without(at)).orNull();
    }

    private @Nullable Route orNull() {
        return shards == 0 && groups.size() == 0 ? null : this;
    }
}
