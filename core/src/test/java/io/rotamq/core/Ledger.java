package io.rotamq.core;

import io.rotamq.core.Link.Delivery;
import io.rotamq.core.ModelSession.ModelSubscription;
import io.rotamq.core.share.Group;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What the broker owes to whom, and what it did: every PUBLISH that it sends and every
 * acknowledgement that it takes is checked here against the rules at the moment it happens.
 */
final class Ledger {
    private final Simulation simulation;
    private final Map<Integer, Published> messages = new HashMap<>();
    final List<Obligation> obligations = new ArrayList<>();
    final Map<TopicName, Published> retained = new HashMap<>();
    int deliveries;

    /** Publishes refused because the broker had no memory left, counted as drops. */
    int exhausted;

    private int accepted;

    Ledger(Simulation simulation) {
        this.simulation = simulation;
    }

    Published message(Publish publish) {
        return Objects.requireNonNull(messages.get(Published.numberOf(publish)));
    }

    void add(Published message) {
        messages.put(message.number, message);
    }

    /** The broker is about to look for those whom a publish concerns. */
    void accepted(Published message, Link link) {
        simulation.check(message.accepted == 0, "taken twice: %s", message);
        arrives(message);
        message.link = link;
        for (Group group : simulation.node.routes().match(message.topic).groups()) {
            owe(Obligation.to(message, group));
        }
        for (ModelSession session : simulation.sessions) {
            owePlain(message, session);
        }
        message.replaces = retained.get(message.topic);
        if (message.retain && message.payload.length == 0) {
            retained.remove(message.topic);
        } else if (message.retain) {
            retained.put(message.topic, message);
        }
    }

    private void arrives(Published message) {
        message.accepted = ++accepted;
        message.acceptedStep = simulation.step;
        message.acceptedAt = simulation.now;
    }

    /** How many publishes the broker has taken. */
    int accepted() {
        return accepted;
    }

    private void owe(Obligation obligation) {
        obligation.message.obligations.add(obligation);
        obligations.add(obligation);
        simulation.keys.owed(obligation);
    }

    private void owePlain(Published message, ModelSession session) {
        if (session.hasEnded()) {
            return;
        }
        boolean merges = simulation.scenario.core().protocol().mergeOverlaps();
        boolean own = session.clientId.equals(message.publisher);
        for (ModelSubscription s : session.subscriptions.values()) {
            if (!s.filter().isShared()
                    && s.filter().filter().matches(message.topic)
                    && !(own && s.noLocal())) {
                owe(Obligation.to(message, session, merges ? 0 : s.identifier()));
                if (merges) {
                    return;
                }
            }
        }
    }

    /** A group's backlog was full: nobody gets the message. */
    void refused(Published message) {
        for (Obligation obligation : message.obligations) {
            simulation.check(!obligation.sent, "refused, but sent: %s", obligation);
            obligation.closed = true;
        }
        obligations.removeAll(message.obligations);
        message.obligations.clear();
        boolean clears = message.payload.length == 0;
        boolean latest = retained.get(message.topic) == (clears ? null : message);
        if (message.retain && latest && message.replaces != null) {
            retained.put(message.topic, message.replaces);
        } else if (message.retain && latest) {
            retained.remove(message.topic);
        }
    }

    void waive(ModelSession session) {
        for (Obligation obligation : obligations) {
            if (obligation.session == session && !obligation.sent) {
                obligation.waived = true;
            }
        }
    }

    void delivered(Link link, Delivery delivery) {
        deliveries++;
        Published message = message(delivery.publish());
        ModelSession session = link.session;
        simulation.trace("  %s <- %s of %s %s", link, delivery, message, session);
        simulation.check(session != null && !session.hasEnded(), "no session: %s", link);
        simulation.check(
                Arrays.equals(message.payload, delivery.publish().payload())
                        && message.topic.equals(delivery.publish().topic()),
                "not what was published: %s",
                delivery);
        simulation.check(delivery.identifiers().length > 0, "without an identifier: %s", delivery);
        ModelSubscription subscription = session.subscription(delivery.identifiers()[0]);
        simulation.check(subscription != null, "an identifier of nobody: %s", delivery);
        if (delivery.dup()) {
            resent(link, delivery, session);
            return;
        }
        Obligation obligation = obligation(message, session, subscription, delivery);
        simulation.check(!message.isExpired(simulation.now), "expired before: %s", obligation);
        if (message.accepted > 0) {
            simulation.check(
                    delivery.expiry() == message.remaining(simulation.now),
                    "wrong expiry: %s",
                    delivery);
        }
        int granted = granted(session, delivery);
        simulation.check(
                delivery.qos() == Math.min(message.qos, granted), "wrong qos: %s", delivery);
        if (obligation.group == null && !obligation.replayed && obligation.identifier == 0) {
            checkIdentifiers(obligation, session, delivery);
        }
        if (obligation.group != null) {
            simulation.keys.sent(obligation, obligation.group, subscription);
            simulation.keys.succeeds(obligation, obligation.group, session);
            simulation.affinity.sent(message, obligation.group, session);
        }
        if (obligation.sent) {
            redispatched(obligation);
        } else if (!delivery.retain()) {
            simulation.orders.check(obligation, session, delivery.qos());
        }
        begin(link, delivery, obligation, session);
        if (link.owner == simulation.observer) {
            simulation.wills.seen(message);
        }
    }

    /** One copy for all matching subscriptions names them all [MQTT-3.3.4-4]. */
    private void checkIdentifiers(Obligation obligation, ModelSession session, Delivery delivery) {
        Published message = obligation.message;
        boolean mayBeReplayed = delivery.retain() && message.retain;
        if (mayBeReplayed || session.changedStep >= message.acceptedStep) {
            return;
        }
        boolean own = session.clientId.equals(message.publisher);
        int[] expected =
                session.subscriptions.values().stream()
                        .filter(s -> !s.filter().isShared() && !(own && s.noLocal()))
                        .filter(s -> s.filter().filter().matches(message.topic))
                        .mapToInt(ModelSubscription::identifier)
                        .sorted()
                        .toArray();
        int[] found = Arrays.stream(delivery.identifiers()).sorted().toArray();
        simulation.check(
                Arrays.equals(expected, found),
                "identifiers %s instead of %s",
                Arrays.toString(found),
                Arrays.toString(expected));
    }

    private static int granted(ModelSession session, Delivery delivery) {
        return Arrays.stream(delivery.identifiers())
                .map(id -> Objects.requireNonNull(session.subscription(id)).qos())
                .max()
                .orElse(0);
    }

    private Obligation obligation(
            Published message,
            ModelSession session,
            ModelSubscription subscription,
            Delivery delivery) {
        boolean shared = subscription.filter().isShared();
        boolean replay = !shared && delivery.retain() && !isAsPublished(session, delivery);
        for (Obligation o : message.obligations) {
            boolean found =
                    shared
                            ? o.group != null && isOf(o.group, subscription.filter())
                            : isTo(o, session, subscription);
            if (found && !replay && (shared || !o.sent)) {
                return o;
            }
        }
        simulation.check(!shared, "a group got what it is not owed: %s", delivery);
        simulation.check(
                subscription.filter().filter().matches(message.topic),
                "does not match: %s",
                delivery);
        if (delivery.retain() && message.retain) {
            simulation.check(
                    session.subscriptions.containsKey(subscription.filter()),
                    "retained, but unsubscribed: %s",
                    delivery);
            Integer before =
                    subscription.replayed().putIfAbsent(message.topic.toString(), message.number);
            simulation.check(
                    before == null || subscription.retainAsPublished(),
                    "a retained message twice: %s",
                    delivery);
        } else if (simulation.wills.isWill(message)) {
            if (message.accepted == 0) {
                arrives(message);
            }
        } else {
            // Subscribed while the message was on its way between shards.
            simulation.check(
                    message.obligations.stream().noneMatch(o -> isTo(o, session, subscription)),
                    "a second copy: %s",
                    delivery);
        }
        Obligation late = Obligation.to(message, session, subscription.identifier());
        late.replayed = delivery.retain() && message.retain;
        owe(late);
        return late;
    }

    private static boolean isAsPublished(ModelSession session, Delivery delivery) {
        return Arrays.stream(delivery.identifiers())
                .anyMatch(
                        id -> Objects.requireNonNull(session.subscription(id)).retainAsPublished());
    }

    private static boolean isTo(
            Obligation o, ModelSession session, ModelSubscription subscription) {
        return !o.replayed
                && o.session == session
                && (o.identifier == 0 || o.identifier == subscription.identifier());
    }

    static boolean isOf(Group group, SubscriptionFilter filter) {
        return group.shareName().equals(filter.shareName())
                && group.filter().equals(filter.filter());
    }

    private void redispatched(Obligation obligation) {
        Exchange before = obligation.holder;
        simulation.check(obligation.group != null, "twice: %s", obligation);
        simulation.check(!obligation.finished, "after its acknowledgement: %s", obligation);
        simulation.check(!obligation.rejected, "after its rejection: %s", obligation);
        simulation.check(before != null && before.qos == 1, "given on: %s", before);
        simulation.check(before.mayHaveMoved(), "its holder did not lose it: %s", before);
        simulation.check(
                before.session.hasEnded()
                        || simulation.regimes.of(obligation.group).skippedSince(before.step)
                        || simulation.regimes.of(obligation.group).wasKeyedSince(before.step)
                        || !before.session.core.isPersistent(),
                "its holder was to keep it: %s",
                before);
    }

    private void begin(Link link, Delivery delivery, Obligation obligation, ModelSession session) {
        obligation.sent = true;
        obligation.first = obligation.first == null ? session : obligation.first;
        if (delivery.qos() == 0) {
            simulation.check(delivery.packetId() == 0, "an id with QoS 0: %s", delivery);
            obligation.finished = true;
            obligation.holder = null;
            return;
        }
        simulation.check(
                delivery.packetId() > session.lastPacketId, "an id used again: %s", delivery);
        session.lastPacketId = delivery.packetId();
        Exchange exchange =
                new Exchange(obligation, session, delivery.packetId(), delivery.qos(), link);
        exchange.step = simulation.step;
        obligation.holder = exchange;
        session.exchanges.put(delivery.packetId(), exchange);
        takesCredit(link, delivery.packetId());
    }

    private void takesCredit(Link link, int packetId) {
        simulation.check(link.outstanding.add(packetId), "id %s twice on %s", packetId, link);
        simulation.check(
                link.outstanding.size() <= link.receiveMaximum(), "window exceeded: %s", link);
    }

    private void resent(Link link, Delivery delivery, ModelSession session) {
        Exchange exchange = session.exchanges.get(delivery.packetId());
        simulation.check(exchange != null, "DUP on a first sending: %s", delivery);
        Obligation obligation = exchange.obligation;
        simulation.check(
                obligation.message.number == Published.numberOf(delivery.publish())
                        && exchange.qos == delivery.qos(),
                "another message: %s",
                delivery);
        simulation.check(exchange.link != link, "resent on one connection: %s", exchange);
        simulation.check(!exchange.released, "PUBLISH after PUBREC: %s", exchange);
        simulation.check(obligation.holder == exchange, "lost to another: %s", exchange);
        simulation.check(!obligation.finished, "resent after the end: %s", exchange);
        simulation.keys.resumed(obligation);
        exchange.link = link;
        exchange.step = simulation.step;
        exchange.losses = session.losses;
        takesCredit(link, delivery.packetId());
    }

    /** PUBACK or PUBREC reached the core, which took it, or found it late. */
    void acknowledged(Link link, int packetId, int qos, boolean negative, boolean late) {
        ModelSession session = Objects.requireNonNull(link.session);
        Exchange exchange = session.exchanges.get(packetId);
        if (late) {
            simulation.check(
                    exchange == null
                            || exchange.obligation.holder != exchange
                            || exchange.losses < session.losses
                            || exchange.link != link
                            || exchange.qos != qos,
                    "not late: %s",
                    exchange);
            return;
        }
        simulation.check(
                exchange != null && exchange.qos == qos, "nothing to acknowledge: %s", packetId);
        Obligation obligation = exchange.obligation;
        simulation.check(obligation.holder == exchange, "taken, but lost: %s", exchange);
        simulation.keys.resumed(obligation);
        if (exchange.released) {
            return;
        }
        obligation.finished = !negative;
        obligation.rejected = negative;
        if (qos == 1 || negative) {
            finished(link, session, packetId);
        } else {
            exchange.released = true;
        }
    }

    void completed(Link link, int packetId, boolean late) {
        ModelSession session = Objects.requireNonNull(link.session);
        Exchange exchange = session.exchanges.get(packetId);
        boolean expected = exchange != null && exchange.released;
        simulation.check(late == !expected, "PUBCOMP late: %s, of %s", late, exchange);
        if (!late) {
            finished(link, session, packetId);
        }
    }

    private static void finished(Link link, ModelSession session, int packetId) {
        Exchange exchange = session.exchanges.remove(packetId);
        if (exchange != null) {
            exchange.completed = true;
        }
        link.outstanding.remove(packetId);
    }
}
