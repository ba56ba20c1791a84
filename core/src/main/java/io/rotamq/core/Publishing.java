package io.rotamq.core;

import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.MemoryBudget;
import io.rotamq.core.session.PlainRoutes;
import io.rotamq.core.session.Routes;
import io.rotamq.core.session.TopicCache;
import io.rotamq.core.share.Brake;
import io.rotamq.core.share.Dispatcher;
import io.rotamq.core.share.Group;
import io.rotamq.core.strategy.Message;
import io.rotamq.core.strategy.Publisher;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.topic.TopicName;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends a message to everything that its topic matches: one copy to each shard with plain
 * subscribers, one to a member of each group. Owned by one shard; what a topic matches is kept
 * until the node's subscriptions change.
 */
final class Publishing {
    /** Rough cost of a group in a cached match. */
    private static final int GROUP = 8;

    private final Shard shard;
    private final Routes routes;
    private final PlainRoutes plain;
    private final Dispatcher dispatcher;
    private final RetainedStore retained;
    private final MemoryBudget memory;
    private final TopicCache<Routes.Match> cache = new TopicCache<>();
    private final List<Brake> slowed = new ArrayList<>();
    private long lastArrival;

    Publishing(Shard shard, Node node, PlainRoutes plain, Dispatcher dispatcher) {
        this.shard = shard;
        this.routes = node.routes();
        this.retained = node.retainedStore();
        this.memory = node.memory();
        this.plain = plain;
        this.dispatcher = dispatcher;
    }

    /** What became of a publish, for the acknowledgement. */
    enum Routed {
        MATCHED,
        UNMATCHED,
        /** A group's backlog is full and its policy is to refuse: nobody got the message. */
        REFUSED,
        /** The node's memory bound is reached: nobody got the message. */
        EXHAUSTED
    }

    Routed publish(Publish publish, Publisher publisher) {
        slowed.clear();
        Routes.Match match = match(publish.topic());
        long now = shard.now();
        Message message = new Message(publish, publisher, nextArrival(now), now);
        if (isRefused(match, message)) {
            return Routed.REFUSED;
        }
        if (publish.qos() > 0 && isExhausted(match, publish.qos())) {
            countRefusal(match);
            return Routed.EXHAUSTED;
        }
        if (publish.retain() && !retained.put(message)) {
            shard.meter().drop(DropReason.RETAINED_FULL);
        }
        if (match.isEmpty()) {
            shard.meter().count(Counter.NOT_MATCHED);
            return Routed.UNMATCHED;
        }
        toShards(match.shards(), message);
        for (Group group : match.groups()) {
            Brake brake = dispatcher.publish(group, message);
            if (brake != null) {
                slowed.add(brake);
            }
        }
        return Routed.MATCHED;
    }

    /** What slows the publisher of the latest message; valid until the next one. */
    List<Brake> slowed() {
        return slowed;
    }

    private boolean isRefused(Routes.Match match, Message message) {
        for (Group group : match.groups()) {
            if (dispatcher.refuses(group, message)) {
                group.countRefusal(DropReason.BACKLOG_REJECTED);
                return true;
            }
        }
        return false;
    }

    /** Whether a publish to the topic would be refused for want of memory. */
    boolean isExhausted(TopicName topic, int qos) {
        return isExhausted(match(topic), qos);
    }

    /**
     * A publisher is refused rather than its message lost when a group would have to hold it. Those
     * for whom nothing waits go on: sessions that fill the memory must not stop everybody.
     */
    private boolean isExhausted(Routes.Match match, int qos) {
        return memory.isExhausted() && (memory.isOverdrawn() || waits(match, qos));
    }

    private static void countRefusal(Routes.Match match) {
        for (Group group : match.groups()) {
            group.countRefusal(DropReason.MEMORY);
        }
    }

    private static boolean waits(Routes.Match match, int qos) {
        for (Group group : match.groups()) {
            if (group.waits(qos)) {
                return true;
            }
        }
        return false;
    }

    /**
     * At once to subscribers of this shard, unless its mailbox holds something: that may come from
     * an earlier session of the same client on another shard, and must not be overtaken.
     */
    private void toShards(long shards, Message message) {
        for (long rest = shards; rest != 0; rest &= rest - 1) {
            int target = Long.numberOfTrailingZeros(rest);
            if (target == shard.index() && !shard.hasMail()) {
                plain.deliver(message);
            } else {
                shard.sibling(target).post(message);
            }
        }
    }

    private Routes.Match match(TopicName topic) {
        // The epoch is read before the look-up: what is found later than that is found again.
        Routes.Match known = cache.get(topic, routes.epoch());
        if (known != null) {
            return known;
        }
        Routes.Match match = routes.match(topic);
        cache.put(topic, match, (long) GROUP * match.groups().length);
        return match;
    }

    /** Orders messages by arrival: strictly on this shard, by the millisecond between shards. */
    private long nextArrival(long now) {
        lastArrival = Math.max(lastArrival + 1, now << 20);
        return lastArrival;
    }
}
