package io.rotamq.core.session;

import io.rotamq.core.index.TopicTrie;
import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.SharingSettings;
import io.rotamq.core.port.SharingSettings.GroupRules;
import io.rotamq.core.share.Group;
import io.rotamq.core.share.Member;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.KeyFilter;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The node-wide index: for each filter the shards with plain subscribers and the groups. Read by
 * all shards without a lock, written by any of them: a change is visible to every later match when
 * the call returns, so that SUBACK may leave.
 */
public final class Routes {
    private final TopicTrie<Route> trie;
    private final AtomicLong generations = new AtomicLong();

    /** By identity; written with the lock of the trie, so that a group and its route agree. */
    private final ConcurrentMap<String, Route.Entry> groups = new ConcurrentHashMap<>();

    private final int shards;
    private volatile GroupRules rules;

    public Routes(SharingSettings sharing, int shards, long seed) {
        this.trie = new TopicTrie<>(seed);
        this.rules = sharing.groups();
        this.shards = shards;
    }

    /** A number for a subscription that no other on this node has or had. */
    public long nextGeneration() {
        return generations.incrementAndGet();
    }

    /** Generations from now on are above this one. */
    public void startGenerations(long after) {
        generations.set(after);
    }

    /** Rises with every change; a match is valid while it stays as it was before the look-up. */
    public long epoch() {
        return trie.epoch();
    }

    public int groups() {
        return groups.size();
    }

    /** Everything that a topic matches now. */
    public Match match(TopicName topic) {
        Collector collector = new Collector();
        trie.match(topic, collector);
        return new Match(collector.shards, collector.groups);
    }

    /** The group of that identity, if it has a session. */
    public @Nullable Group group(String shareName, TopicFilter filter) {
        Route.Entry entry = groups.get(identity(shareName, filter));
        return entry == null ? null : entry.group();
    }

    /** Calls {@code sink} with every group. */
    public void forEachGroup(Consumer<Group> sink) {
        groups.values().forEach(entry -> sink.accept(entry.group()));
    }

    /** A share name is one level, so the first slash ends it. */
    private static String identity(String shareName, TopicFilter filter) {
        return shareName + '/' + filter;
    }

    void addShard(TopicFilter filter, int shard) {
        trie.update(filter, route -> (route == null ? Route.NONE : route).withShard(shard));
    }

    void removeShard(TopicFilter filter, int shard) {
        trie.update(filter, route -> route == null ? null : route.withoutShard(shard));
    }

    /**
     * Makes the session a member, creating the group with its first one; null if the group takes no
     * more.
     */
    @Nullable Member join(SubscriptionFilter filter, Session session, Grant grant, KeyFilter keys) {
        @Nullable Member[] joined = new @Nullable Member[1];
        Function<Group, Member> member =
                group -> {
                    Member made = new Member(group, session, grant);
                    made.keys(keys);
                    return made;
                };
        trie.update(filter.filter(), route -> join(route, filter, member, joined));
        return joined[0];
    }

    /** How the group behaves, or would behave. */
    public GroupSettings settingsOf(SubscriptionFilter filter) {
        return rules.settingsOf(String.valueOf(filter.shareName()), filter.filter().toString());
    }

    /** Other rules from now on; calls {@code sink} with each group that they change. */
    public void regroup(GroupRules next, BiConsumer<Group, GroupSettings> sink) {
        rules = next;
        forEachGroup(
                group -> {
                    GroupSettings before = group.settings();
                    String filter = group.filter().toString();
                    if (group.regroup(next.settingsOf(group.shareName(), filter))) {
                        sink.accept(group, before);
                    }
                });
    }

    /** The same route, and so no new epoch, if the group was there. */
    private Route join(
            @Nullable Route before,
            SubscriptionFilter filter,
            Function<Group, Member> member,
            @Nullable Member[] joined) {
        Route route = before == null ? Route.NONE : before;
        String shareName = String.valueOf(filter.shareName());
        String identity = identity(shareName, filter.filter());
        Route.Entry entry = groups.get(identity);
        if (entry == null) {
            int owner = Math.floorMod(filter.hashCode() * 0x9E37_79B9 >>> 7, shards);
            Group group = new Group(shareName, filter.filter(), owner, settingsOf(filter));
            entry = new Route.Entry(nextGeneration(), group);
            groups.put(identity, entry);
            // The rules may have changed before others could find it.
            group.regroup(settingsOf(filter));
            route = route.with(entry);
        }
        Member wanted = member.apply(entry.group());
        joined[0] = entry.group().join(wanted) ? wanted : null;
        return route;
    }

    /** Takes the member out of its group; true if the group ended with it. */
    boolean leave(Member member) {
        Group group = member.group();
        boolean[] last = new boolean[1];
        trie.update(
                group.filter(),
                route -> {
                    last[0] = group.leave(member);
                    if (!last[0]) {
                        return route;
                    }
                    Route.Entry entry = groups.remove(identity(group.shareName(), group.filter()));
                    return route == null || entry == null ? route : route.without(entry);
                });
        return last[0];
    }

    /**
     * What a topic matched.
     *
     * @param shards bit set of the shards with plain subscribers
     */
    public record Match(long shards, Group[] groups) {
        public boolean isEmpty() {
            return shards == 0 && groups.length == 0;
        }
    }

    private static final class Collector implements Consumer<Route> {
        private static final Group[] NONE = {};
        private long shards;
        private Group[] groups = NONE;

        @Override
        public void accept(Route route) {
            shards |= route.shards();
            if (groups.length == 0) {
                groups = route.groups();
            } else if (route.groups().length > 0) {
                int at = groups.length;
                groups = Arrays.copyOf(groups, at + route.groups().length);
                System.arraycopy(route.groups(), 0, groups, at, route.groups().length);
            }
        }
    }
}
