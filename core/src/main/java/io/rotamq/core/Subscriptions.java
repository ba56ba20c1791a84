package io.rotamq.core;

import io.rotamq.core.port.Authorizer.Decision;
import io.rotamq.core.port.CoreSettings;
import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.GroupSettings.StrategyName;
import io.rotamq.core.session.Session;
import io.rotamq.core.session.Session.Subscribed;
import io.rotamq.core.session.Subscription;
import io.rotamq.core.strategy.KeyFilter;
import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.Suback;
import io.rotamq.mqtt.Subscribe;
import io.rotamq.mqtt.SubscribeRequest;
import io.rotamq.mqtt.Unsuback;
import io.rotamq.mqtt.Unsubscribe;
import io.rotamq.mqtt.UserProperty;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import io.rotamq.mqtt.topic.TopicFilter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SUBSCRIBE and UNSUBSCRIBE of one client. */
final class Subscriptions {
    private static final List<ReasonCode> GRANTED =
            List.of(ReasonCode.SUCCESS, ReasonCode.GRANTED_QOS_1, ReasonCode.GRANTED_QOS_2);

    /** User property of SUBSCRIBE, repeated: routing keys that the client takes. */
    private static final String KEY_FILTER = "key-filter";

    private static final int MOST_GLOBS = 100;
    private static final int LONGEST_GLOBS = 1_024;
    private static final String TOO_MANY_GLOBS =
            "no more than " + MOST_GLOBS + " key filters with " + LONGEST_GLOBS + " characters";
    private static final String NEEDS_ACKNOWLEDGEMENTS =
            "the group keeps order by acknowledgements (key_shared): subscribe with QoS 1 or 2";

    private final Shard shard;
    private final Node node;

    Subscriptions(Shard shard, Node node) {
        this.shard = shard;
        this.node = node;
    }

    /** Several filters act like consecutive SUBSCRIBEs with one SUBACK [MQTT-3.8.4-5]. */
    void subscribe(Subscribe subscribe, Client.Connected peer, Client client) {
        if (peer.isV5() && isViolation(subscribe, client)) {
            return;
        }
        shard.catchUp();
        if (client.isClosed()) {
            return;
        }
        long since = shard.written();
        List<ReasonCode> codes = new ArrayList<>(subscribe.requests().size());
        List<Subscription> replays = new ArrayList<>(0);
        String problem = null;
        KeyFilter keys = keyFilter(subscribe);
        for (SubscribeRequest request : subscribe.requests()) {
            Grantable grantable = examine(request, peer);
            Answer answer =
                    switch (grantable) {
                        case Refused(var code, var reason) -> new Answer(code, reason);
                        case Granted(var filter) when filter.isShared() ->
                                join(filter, request, subscribe.subscriptionId(), peer, keys);
                        case Granted(var filter) ->
                                grant(filter, request, subscribe.subscriptionId(), peer, replays);
                    };
            codes.add(answer.code());
            problem = problem == null ? answer.problem() : problem;
        }
        Details details = problem == null ? Details.NONE : Details.reason(problem);
        client.send(new Suback(subscribe.packetId(), codes, details), since);
        for (Subscription subscription : replays) {
            TopicFilter filter = subscription.filter().filter();
            peer.session().replay(subscription, node.retainedStore().replay(filter));
        }
    }

    /** Several filters act like consecutive UNSUBSCRIBEs with one UNSUBACK [MQTT-3.10.4-6]. */
    void unsubscribe(Unsubscribe unsubscribe, Client.Connected peer, Client client) {
        // What groups chose this client for before is sent to it, and not given back one by one.
        shard.catchUp();
        if (client.isClosed()) {
            return;
        }
        long since = shard.written();
        List<ReasonCode> codes = new ArrayList<>(unsubscribe.filters().size());
        for (String text : unsubscribe.filters()) {
            SubscriptionFilter filter = SubscriptionFilter.parse(text);
            if (filter == null) {
                codes.add(ReasonCode.TOPIC_FILTER_INVALID);
            } else if (peer.session().unsubscribe(filter)) {
                codes.add(ReasonCode.SUCCESS);
            } else {
                codes.add(ReasonCode.NO_SUBSCRIPTION_EXISTED);
            }
        }
        client.send(new Unsuback(unsubscribe.packetId(), codes, Details.NONE), since);
    }

    /** What SUBACK says about one filter. */
    private record Answer(ReasonCode code, @Nullable String problem) {}

    private sealed interface Grantable {}

    private record Granted(SubscriptionFilter filter) implements Grantable {}

    private record Refused(ReasonCode code, String reason) implements Grantable {}

    /** What an MQTT 5 client may not even ask for closes the connection. */
    private boolean isViolation(Subscribe subscribe, Client client) {
        CoreSettings.Protocol protocol = shard.settings().protocol();
        if (subscribe.subscriptionId() > 0 && !protocol.identifiersAvailable()) {
            client.violation(
                    ReasonCode.SUBSCRIPTION_IDENTIFIERS_NOT_SUPPORTED,
                    "subscription identifiers are not available");
            return true;
        }
        for (SubscribeRequest request : subscribe.requests()) {
            SubscriptionFilter filter = SubscriptionFilter.parse(request.filter());
            if (filter != null && isViolation(filter, request, client)) {
                return true;
            }
        }
        return false;
    }

    private boolean isViolation(
            SubscriptionFilter filter, SubscribeRequest request, Client client) {
        if (filter.isShared() && request.noLocal()) {
            client.violation(
                    ReasonCode.PROTOCOL_ERROR,
                    "No Local cannot be combined with a shared subscription: " + request.filter());
            return true;
        }
        if (filter.isShared() && !shard.settings().sharing().enabled()) {
            client.violation(
                    ReasonCode.SHARED_SUBSCRIPTIONS_NOT_SUPPORTED,
                    "shared subscriptions are not available: " + request.filter());
            return true;
        }
        if (filter.filter().hasWildcard() && !shard.settings().protocol().wildcardsAvailable()) {
            client.violation(
                    ReasonCode.WILDCARD_SUBSCRIPTIONS_NOT_SUPPORTED,
                    "wildcard subscriptions are not available: " + request.filter());
            return true;
        }
        return false;
    }

    private Grantable examine(SubscribeRequest request, Client.Connected peer) {
        SubscriptionFilter filter = SubscriptionFilter.parse(request.filter());
        if (filter == null) {
            return new Refused(
                    ReasonCode.TOPIC_FILTER_INVALID,
                    "not a valid topic filter: " + shortened(request.filter()));
        }
        if (filter.isShared() && !shard.settings().sharing().enabled()) {
            return new Refused(
                    ReasonCode.SHARED_SUBSCRIPTIONS_NOT_SUPPORTED,
                    "shared subscriptions are not available");
        }
        if (filter.filter().hasWildcard() && !shard.settings().protocol().wildcardsAvailable()) {
            return new Refused(
                    ReasonCode.WILDCARD_SUBSCRIPTIONS_NOT_SUPPORTED,
                    "wildcard subscriptions are not available");
        }
        int maximum = shard.settings().limits().maximumSubscriptions();
        Session session = peer.session();
        if (session.subscription(filter) == null && session.subscriptions().size() >= maximum) {
            return new Refused(
                    ReasonCode.QUOTA_EXCEEDED, "no more than " + maximum + " subscriptions");
        }
        if (session.isDurable() && !shard.canStore()) {
            return new Refused(ReasonCode.QUOTA_EXCEEDED, "the disk is nearly full");
        }
        Decision decision = shard.ports().authorizer().subscribe(peer.identity, filter.filter());
        if (decision instanceof Decision.Denied(var reason)) {
            return new Refused(ReasonCode.NOT_AUTHORIZED, reason);
        }
        return session.affords(filter)
                ? new Granted(filter)
                : new Refused(ReasonCode.QUOTA_EXCEEDED, "too many long filters");
    }

    /**
     * Which routing keys the client takes in {@code key_shared} groups; null if it says too much.
     */
    private static @Nullable KeyFilter keyFilter(Subscribe subscribe) {
        List<String> globs = new ArrayList<>(0);
        int length = 0;
        for (UserProperty property : subscribe.userProperties()) {
            if (property.name().equals(KEY_FILTER)) {
                globs.add(property.value());
                length += property.value().length();
            }
        }
        boolean tooMuch = globs.size() > MOST_GLOBS || length > LONGEST_GLOBS;
        return tooMuch ? null : KeyFilter.of(globs);
    }

    /** Makes the session a member of a group, as far as the rules of the group allow. */
    private Answer join(
            SubscriptionFilter filter,
            SubscribeRequest request,
            int identifier,
            Client.Connected peer,
            @Nullable KeyFilter keys) {
        int qos = grantedQos(request);
        if (keys == null) {
            return refused(filter, peer, ReasonCode.QUOTA_EXCEEDED, TOO_MANY_GLOBS);
        }
        GroupSettings rules = node.routes().settingsOf(filter);
        StrategyName strategy = rules.choice().strategy();
        if (strategy == StrategyName.KEY_SHARED && qos == 0) {
            return refused(
                    filter, peer, ReasonCode.IMPLEMENTATION_SPECIFIC_ERROR, NEEDS_ACKNOWLEDGEMENTS);
        }
        return switch (peer.session().subscribe(filter, request, qos, identifier, keys)) {
            case NEW, REPLACED -> new Answer(GRANTED.get(qos), null);
            case EXHAUSTED -> new Answer(ReasonCode.QUOTA_EXCEEDED, "no memory for key filters");
            case GROUP_FULL -> {
                String reason =
                        strategy == StrategyName.EXCLUSIVE
                                ? "the group is exclusive and has its member"
                                : "the group has as many members as it may: "
                                        + rules.maximumMembers();
                yield new Answer(ReasonCode.QUOTA_EXCEEDED, reason);
            }
        };
    }

    private static Answer refused(
            SubscriptionFilter filter, Client.Connected peer, ReasonCode code, String reason) {
        peer.session().forgo(filter);
        return new Answer(code, reason);
    }

    private int grantedQos(SubscribeRequest request) {
        return Math.min(request.qos(), shard.settings().protocol().maximumQos());
    }

    private Answer grant(
            SubscriptionFilter filter,
            SubscribeRequest request,
            int identifier,
            Client.Connected peer,
            List<Subscription> replays) {
        Session session = peer.session();
        int qos = grantedQos(request);
        boolean isNew =
                session.subscribe(filter, request, qos, identifier, KeyFilter.EVERY_KEY)
                        == Subscribed.NEW;
        Subscription subscription = session.subscription(filter);
        if (subscription != null && replaysRetained(filter, request, isNew)) {
            replays.add(subscription);
        }
        return new Answer(GRANTED.get(qos), null);
    }

    /** A shared subscription never does [MQTT-4.8.2]; else as Retain Handling says. */
    private static boolean replaysRetained(
            SubscriptionFilter filter, SubscribeRequest request, boolean isNew) {
        return !filter.isShared()
                && (request.retainHandling() == 0 || (request.retainHandling() == 1 && isNew));
    }

    private static String shortened(String text) {
        return text.length() <= 100 ? text : text.substring(0, 100) + "…";
    }
}
