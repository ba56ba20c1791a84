package io.rotamq.core;

import io.rotamq.core.durable.Keep;
import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.MemoryBudget;
import io.rotamq.core.session.PlainRoutes;
import io.rotamq.core.session.Routes;
import io.rotamq.core.session.TopicCache;
import io.rotamq.core.share.Archive;
import io.rotamq.core.share.Brake;
import io.rotamq.core.share.Dispatcher;
import io.rotamq.core.share.Group;
import io.rotamq.core.strategy.Message;
import io.rotamq.core.strategy.Publisher;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.topic.TopicName;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

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
    private final Node node;

    /** Bit set of the shards that have durable sessions. */
    private final AtomicLong durable;

    private final MemoryBudget memory;
    private final TopicCache<Routes.Match> cache = new TopicCache<>();
    private final List<Brake> slowed = new ArrayList<>();
    private @Nullable Receipt receipt;
    private long lastArrival;

    Publishing(Shard shard, Node node, PlainRoutes plain, Dispatcher dispatcher) {
        this.shard = shard;
        this.routes = node.routes();
        this.retained = node.retainedStore();
        this.memory = node.memory();
        this.durable = node.durableShards();
        this.node = node;
        this.plain = plain;
        this.dispatcher = dispatcher;
    }

    /** What became of a publish, for the acknowledgement. */
    enum Routed {
        MATCHED,
        UNMATCHED,
        /** A group's backlog is full and its policy is to refuse: nobody got the message. */
        REFUSED,
        /** It would have to be stored, and there is no room: nobody got the message. */
        UNSTORABLE,
        /** The node's memory bound is reached: nobody got the message. */
        EXHAUSTED
    }

    /** A message for whose acknowledgement nobody waits. */
    Routed publish(Publish publish, Publisher publisher) {
        Routed routed = publish(publish, publisher, false);
        if (receipt != null) {
            receipt.arrive();
        }
        return routed;
    }

    /**
     * @param owned whether the broker has to remember that it owns the message: it comes from a
     *     durable session at QoS 2
     */
    Routed publish(Publish publish, Publisher publisher, boolean owned) {
        slowed.clear();
        receipt = null;
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
        boolean mail = shard.hasMail();
        Archive archive = shard.archive();
        if (archive != null && publish.qos() > 0) {
            long shards = match.shards() & durable.get();
            if (owned || shards != 0 || publish.retain() || isDurable(match)) {
                if (!archive.journal().accepts()) {
                    return Routed.UNSTORABLE;
                }
                long others = mail ? shards : shards & ~(1L << shard.index());
                receipt = new Receipt(shard, archive, message, others);
            }
        }
        if (publish.retain() && !keep(message)) {
            shard.meter().drop(DropReason.RETAINED_FULL);
        }
        if (match.isEmpty()) {
            shard.meter().count(Counter.NOT_MATCHED);
            return Routed.UNMATCHED;
        }
        toShards(match.shards(), message, mail);
        for (Group group : match.groups()) {
            Keep keep =
                    receipt == null || archive == null || !group.isDurable()
                            ? null
                            : archive.backlog(message, group);
            Brake brake = dispatcher.publish(group, message, keep);
            if (brake != null) {
                slowed.add(brake);
            }
        }
        return Routed.MATCHED;
    }

    private boolean keep(Message message) {
        if (receipt != null) {
            receipt.mustCommit();
        }
        boolean ofBroker = message.publisher().clientId().isEmpty();
        return retained.put(message, ofBroker ? null : shard.archive());
    }

    /**
     * What the acknowledgement of the latest message waits for; null for nothing. The shard has
     * done its part when the receipt hears so.
     */
    @Nullable Receipt receipt() {
        return receipt;
    }

    private static boolean isDurable(Routes.Match match) {
        for (Group group : match.groups()) {
            if (group.isDurable()) {
                return true;
            }
        }
        return false;
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
    private void toShards(long shards, Message message, boolean mail) {
        for (long rest = shards; rest != 0; rest &= rest - 1) {
            int target = Long.numberOfTrailingZeros(rest);
            if (target == shard.index() && !mail) {
                plain.deliver(message);
            } else {
                shard.send(target, message);
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
        lastArrival = Math.max(lastArrival + 1, now + node.arrivalOffset() << 20);
        return lastArrival;
    }
}
