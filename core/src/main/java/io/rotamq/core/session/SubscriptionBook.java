package io.rotamq.core.session;

import io.rotamq.core.durable.SubscriptionRecord;
import io.rotamq.core.port.Counter;
import io.rotamq.core.session.Session.Subscribed;
import io.rotamq.core.share.Member;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.KeyFilter;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of one session, in the order in which they were made, and their places in the
 * indexes and groups of the node. Owned by the session's shard.
 */
final class SubscriptionBook {
    private final Session session;
    private final SessionPort port;
    private final Routes routes;
    private final PlainRoutes plain;
    private final Footprint footprint;
    private final Map<SubscriptionFilter, Subscription> subscriptions = new LinkedHashMap<>();

    SubscriptionBook(
            Session session,
            SessionPort port,
            Routes routes,
            PlainRoutes plain,
            Footprint footprint) {
        this.session = session;
        this.port = port;
        this.routes = routes;
        this.plain = plain;
        this.footprint = footprint;
    }

    @Nullable Subscription get(SubscriptionFilter filter) {
        return subscriptions.get(filter);
    }

    Collection<Subscription> values() {
        return subscriptions.values();
    }

    void forEachMember(Consumer<Member> sink) {
        for (Subscription subscription : subscriptions.values()) {
            Member member = subscription.member();
            if (member != null) {
                sink.accept(member);
            }
        }
    }

    /** Adds or replaces a subscription whose filter is paid for. */
    Subscribed put(SubscriptionFilter filter, Grant grant, KeyFilter keys) {
        Subscription before = subscriptions.get(filter);
        long since = before == null ? grant.generations()[0] : before.since();
        return put(filter, grant, keys, since, before);
    }

    /** A subscription as it was stored. */
    void restore(SubscriptionRecord record) {
        SubscriptionRecord.Options options = record.options();
        Grant grant =
                Grant.of(
                        options.qos(),
                        options.noLocal(),
                        options.retainAsPublished(),
                        record.identifier(),
                        record.generation());
        footprint.restore(record.filter());
        put(record.filter(), grant, KeyFilter.of(record.keys()), record.since(), null);
    }

    private Subscribed put(
            SubscriptionFilter filter,
            Grant grant,
            KeyFilter keys,
            long since,
            @Nullable Subscription before) {
        Member member = before == null ? null : before.member();
        if (filter.isShared()) {
            if (!footprint.add(keys.size())) {
                return refused(filter, before, Subscribed.EXHAUSTED);
            }
            if (member == null) {
                member = routes.join(filter, session, grant, keys);
            } else {
                footprint.remove(member.keys().size());
                member.group().renew(member, grant, keys);
            }
            if (member == null) {
                footprint.remove(keys.size());
                return refused(filter, null, Subscribed.GROUP_FULL);
            }
        }
        Subscription subscription = new Subscription(session, filter, grant, member, since);
        subscriptions.put(filter, subscription);
        if (member == null) {
            plain.put(subscription, before);
        } else if (member.group().pending() > 0) {
            port.wantsWork(member.group());
        }
        if (before == null) {
            port.meter().count(Counter.SUBSCRIBED);
        }
        return before == null ? Subscribed.NEW : Subscribed.REPLACED;
    }

    private Subscribed refused(
            SubscriptionFilter filter, @Nullable Subscription before, Subscribed why) {
        if (before == null) {
            footprint.remove(filter);
        }
        return why;
    }

    /** Takes a subscription out; it has to {@link #leave} then. */
    @Nullable Subscription remove(SubscriptionFilter filter) {
        return subscriptions.remove(filter);
    }

    /** The session is over. */
    void end() {
        subscriptions.values().forEach(this::leave);
        subscriptions.clear();
    }

    /** After it was taken out: neither index nor group knows of it any more. */
    void leave(Subscription subscription) {
        port.meter().count(Counter.UNSUBSCRIBED);
        footprint.remove(subscription.filter());
        Member member = subscription.member();
        if (member != null) {
            footprint.remove(member.keys().size());
        }
        if (member == null) {
            plain.remove(subscription);
        } else if (routes.leave(member)) {
            port.ended(member.group());
        } else if (member.group().pending() > 0) {
            // What waited for this member alone need not wait any more.
            port.wantsWork(member.group());
        }
    }
}
