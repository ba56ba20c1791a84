package io.rotamq.core.session;

import io.rotamq.core.index.TopicTrie;
import io.rotamq.core.share.Grant;
import io.rotamq.core.share.Message;
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

    private final TopicTrie<Subscription[]> trie;
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

    void put(Subscription subscription) {
        TopicFilter filter = subscription.filter().filter();
        Subscription[] after = trie.update(filter, before -> with(before, subscription));
        if (after != null && after.length == 1) {
            routes.addShard(filter, shard);
        }
    }

    void remove(Subscription subscription) {
        TopicFilter filter = subscription.filter().filter();
        Subscription[] after = trie.update(filter, before -> without(before, subscription));
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
        trie.match(topic, all -> matching.addAll(Arrays.asList(all)));
        Target[] targets = merge ? merged(matching) : separate(matching);
        cache.put(topic, targets, (long) TARGET * matching.size());
        return targets;
    }

    private static Target[] separate(List<Subscription> matching) {
        return matching.stream().map(s -> target(s.session(), List.of(s))).toArray(Target[]::new);
    }

    private static Target[] merged(List<Subscription> matching) {
        if (matching.size() == 1) {
            return separate(matching);
        }
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

    private static Subscription[] with(
            Subscription @Nullable [] before, Subscription subscription) {
        if (before == null) {
            return new Subscription[] {subscription};
        }
        for (int i = 0; i < before.length; i++) {
            if (before[i].session() == subscription.session()) {
                Subscription[] replaced = before.clone();
                replaced[i] = subscription;
                return replaced;
            }
        }
        Subscription[] more = Arrays.copyOf(before, before.length + 1);
        more[before.length] = subscription;
        return more;
    }

    private static Subscription @Nullable [] without(
            Subscription @Nullable [] before, Subscription subscription) {
        if (before == null) {
            return null;
        }
        Subscription[] fewer =
                Arrays.stream(before)
                        .filter(s -> s.session() != subscription.session())
                        .toArray(Subscription[]::new);
        return fewer.length == 0 ? null : fewer;
    }
}
