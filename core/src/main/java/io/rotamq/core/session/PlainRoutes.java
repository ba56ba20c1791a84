package io.rotamq.core.session;

import io.rotamq.core.index.Ranks;
import io.rotamq.core.index.TopicTrie;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.Message;
import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The plain subscriptions of one shard's sessions. A message reaches the shard once; here it is
 * resolved into one copy for each session, or for each subscription, as configured. Owned by the
 * shard; what a topic resolves to is kept until the subscriptions change.
 */
public final class PlainRoutes {
    /** Rough cost of a session in a cached match. */
    private static final int TARGET = 32;

    private final TopicTrie<Ranks<Subscription>> trie;
    private final TopicCache<Target[]> cache = new TopicCache<>();
    private final Routes routes;
    private final int shard;
    private final boolean merge;

    public PlainRoutes(Routes routes, int shard, boolean merge, long seed) {
        this.trie = new TopicTrie<>(seed);
        this.routes = routes;
        this.shard = shard;
        this.merge = merge;
    }

    /** Delivers a message to every session that has a matching plain subscription. */
    public void deliver(Message message) {
        for (Target target : resolve(message.topic())) {
            boolean ownMessage =
                    target.grant().noLocal()
                            && target.session().clientId().equals(message.publisher().clientId());
            Grant grant = ownMessage ? target.own() : target.grant();
            if (grant != null) {
                target.session().deliver(message, grant);
            }
        }
    }

    /**
     * Adds a subscription.
     *
     * @param replaced by it, if the client had subscribed to the filter before
     */
    void put(Subscription subscription, @Nullable Subscription replaced) {
        TopicFilter filter = subscription.filter().filter();
        Ranks<Subscription> after =
                trie.update(filter, before -> with(without(before, replaced), subscription));
        if (after != null && after.size() == 1) {
            routes.addShard(filter, shard);
        }
    }

    void remove(Subscription subscription) {
        TopicFilter filter = subscription.filter().filter();
        Ranks<Subscription> after = trie.update(filter, before -> without(before, subscription));
        if (after == null) {
            routes.removeShard(filter, shard);
        }
    }

    private Target[] resolve(TopicName topic) {
        Target[] known = cache.get(topic, trie.epoch());
        if (known != null) {
            return known;
        }
        List<Subscription> matching = new ArrayList<>();
        int[] filters = new int[1];
        trie.match(
                topic,
                subscriptions -> {
                    filters[0]++;
                    subscriptions.forEach(matching::add);
                });
        // A session subscribes once to a filter: with one alone there is nothing to merge.
        Target[] targets = merge && filters[0] > 1 ? merged(matching) : separate(matching);
        cache.put(topic, targets, (long) TARGET * matching.size());
        return targets;
    }

    private static Target[] separate(List<Subscription> matching) {
        Target[] targets = new Target[matching.size()];
        for (int i = 0; i < targets.length; i++) {
            targets[i] = alone(matching.get(i));
        }
        return targets;
    }

    private static Target alone(Subscription subscription) {
        Grant grant = subscription.grant();
        return new Target(subscription.session(), grant, grant.noLocal() ? null : grant);
    }

    private static Target[] merged(List<Subscription> matching) {
        Map<Session, List<Subscription>> bySession = new LinkedHashMap<>();
        for (Subscription s : matching) {
            bySession.computeIfAbsent(s.session(), session -> new ArrayList<>(2)).add(s);
        }
        return bySession.entrySet().stream()
                .map(entry -> target(entry.getKey(), entry.getValue()))
                .toArray(Target[]::new);
    }

    private static Target target(Session session, List<Subscription> parts) {
        List<Subscription> foreign = parts.stream().filter(s -> !s.grant().noLocal()).toList();
        Grant own = foreign.isEmpty() ? null : merge(foreign);
        return new Target(session, merge(parts), own);
    }

    /** One copy at the highest QoS with all identifiers [MQTT-3.3.4-2] [MQTT-3.3.4-4]. */
    private static Grant merge(List<Subscription> parts) {
        if (parts.size() == 1) {
            return parts.getFirst().grant();
        }
        List<Grant> grants = parts.stream().map(Subscription::grant).toList();
        return new Grant(
                grants.stream().mapToInt(Grant::qos).max().orElse(0),
                grants.stream().anyMatch(Grant::noLocal),
                grants.stream().anyMatch(Grant::retainAsPublished),
                grants.stream().flatMapToInt(g -> Arrays.stream(g.identifiers())).toArray(),
                grants.stream().flatMapToLong(g -> Arrays.stream(g.generations())).toArray());
    }

    private static Ranks<Subscription> with(
            @Nullable Ranks<Subscription> before, Subscription subscription) {
        Ranks<Subscription> others = before == null ? Ranks.none() : before;
        return others.with(subscription);
    }

    /** Null when nothing is left. */
    private static @Nullable Ranks<Subscription> without(
            @Nullable Ranks<Subscription> before, @Nullable Subscription subscription) {
        int at = before == null || subscription == null ? -1 : before.find(subscription.place());
        if (before == null || at < 0) {
            return before;
        }
        return before.size() == 1 ? null : before.without(at);
    }
}
