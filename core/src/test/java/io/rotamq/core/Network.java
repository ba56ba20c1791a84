package io.rotamq.core;

import io.rotamq.core.Simulation.Frame;
import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.mqtt.Disconnect;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.Puback;
import io.rotamq.mqtt.Pubcomp;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.Pubrec;
import io.rotamq.mqtt.Pubrel;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.Subscribe;
import io.rotamq.mqtt.Unsubscribe;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import java.util.Objects;

/** The broker's side of the network: brings packets and news of connections to the core. */
final class Network {
    private final Simulation simulation;

    Network(Simulation simulation) {
        this.simulation = simulation;
    }

    /** The core hears of what became of a connection. */
    boolean notice() {
        Link link =
                simulation.pick(
                        l ->
                                simulation.isIdle(l.movingTo < 0 ? l.shard : l.movingTo)
                                        && hasNews(l));
        if (link == null) {
            return false;
        }
        if (link.movingTo >= 0) {
            arrive(link);
        } else if (link.saturated && link.isWritable() && !link.closed && !link.cut) {
            link.saturated = false;
            Client server = Objects.requireNonNull(link.server);
            simulation.trace("%s is writable", link);
            simulation.on(new Frame(link.shard, link, null), server::writable);
        } else {
            link.over = true;
            simulation.trace("%s is over", link);
            simulation.on(
                    new Frame(link.shard, link, null),
                    () -> {
                        if (!link.closed) {
                            simulation.lost(link);
                        }
                        Objects.requireNonNull(link.server).closed();
                    });
        }
        return true;
    }

    private static boolean hasNews(Link link) {
        if (link.over) {
            return false;
        }
        return link.movingTo >= 0
                || link.closed
                || (link.cut && link.toServer.isEmpty())
                || (link.cut && link.number % 3 == 0)
                || (link.saturated && link.isWritable());
    }

    /** The connection arrives at another shard, or breaks on the way. */
    private void arrive(Link link) {
        if (link.cut) {
            link.movingTo = -1;
            link.over = true;
            return;
        }
        link.established = false;
        link.lastReceived = simulation.now;
        simulation.on(
                new Frame(link.movingTo, link, link.connect),
                () -> {
                    link.server = simulation.node.shard(link.movingTo).accept(link.moved());
                    link.server.receive(Objects.requireNonNull(link.connect));
                });
    }

    /** A packet arrives at the broker. */
    boolean deliver() {
        Link link =
                simulation.pick(
                        l ->
                                l.isAtCore()
                                        && simulation.isIdle(l.shard)
                                        && !l.toServer.isEmpty()
                                        && (l.reading || l.closed));
        if (link == null) {
            return false;
        }
        Packet packet = link.toServer.remove();
        if (link.closed) {
            link.toServer.clear();
            return true;
        }
        simulation.trace("%s -> %s", link, Link.describe(packet));
        link.lastReceived = simulation.now;
        receive(link, packet);
        return true;
    }

    private void receive(Link link, Packet packet) {
        switch (packet) {
            case Publish publish -> publish(link, publish);
            case Puback(var id, var code, var _) ->
                    simulation.ledger.acknowledged(
                            link, id, 1, code.isError(), isLate(link, packet));
            case Pubrec(var id, var code, var _) ->
                    simulation.ledger.acknowledged(
                            link, id, 2, code.isError(), isLate(link, packet));
            case Pubcomp pubcomp ->
                    simulation.ledger.completed(link, pubcomp.packetId(), isLate(link, packet));
            case Pubrel pubrel -> {
                Objects.requireNonNull(link.session).inboundQos2.clear(pubrel.packetId());
                hand(link, packet);
            }
            case Subscribe subscribe -> {
                subscribed(link, subscribe);
                hand(link, packet);
            }
            case Unsubscribe unsubscribe -> {
                unsubscribed(link, unsubscribe);
                hand(link, packet);
            }
            case Disconnect disconnect -> {
                if (disconnect.reasonCode() == ReasonCode.SUCCESS) {
                    simulation.wills.cancelled(link);
                }
                hand(link, packet);
            }
            default -> hand(link, packet);
        }
    }

    private void hand(Link link, Packet packet) {
        Client server = Objects.requireNonNull(link.server);
        simulation.on(new Frame(link.shard, link, packet), () -> server.receive(packet));
    }

    /** Hands over an acknowledgement; whether the core says that it came late. */
    private boolean isLate(Link link, Packet packet) {
        link.frees(packet);
        long before = simulation.node.shard(link.shard).meter().value(Counter.LATE_ACKS);
        hand(link, packet);
        return simulation.node.shard(link.shard).meter().value(Counter.LATE_ACKS) > before;
    }

    private void publish(Link link, Publish publish) {
        ModelSession session = Objects.requireNonNull(link.session);
        int id = publish.packetId();
        boolean repeat = publish.qos() == 2 && session.inboundQos2.get(id);
        Published message = simulation.ledger.message(publish);
        Publish packet = publish;
        if (!repeat && message.accepted > 0) {
            message = message.again(simulation.nextNumber());
            simulation.ledger.add(message);
            packet = message.packet(id, true);
        }
        if (publish.qos() > 0) {
            link.due.add((publish.qos() == 1 ? "PUBACK " : "PUBREC ") + id);
        }
        if (publish.qos() == 2) {
            session.inboundQos2.set(id);
        }
        int accepted = message.accepted;
        long refused = refusals(link);
        hand(link, packet);
        boolean rejected = refusals(link) > refused;
        simulation.check(
                repeat == (message.accepted == accepted), "repeat: %s, %s", repeat, message);
        if (!repeat && (rejected || link.exhausted)) {
            simulation.ledger.exhausted += rejected ? 0 : 1;
            simulation.ledger.refused(message);
            if (link.connect.version().isV5()) {
                // Its PUBREC tells, but may be lost: then the same exchange begins again.
                session.inboundQos2.clear(id);
                message.accepted = 0;
            }
        }
    }

    private long refusals(Link link) {
        return simulation.node.shard(link.shard).meter().dropped(DropReason.BACKLOG_REJECTED);
    }

    private void subscribed(Link link, Subscribe subscribe) {
        ModelSession session = Objects.requireNonNull(link.session);
        ModelSession.ModelSubscription made = ModelClient.subscription(subscribe, simulation.step);
        session.byIdentifier.put(made.identifier(), made);
        session.subscriptions.put(made.filter(), made);
        session.changedStep = simulation.step;
    }

    private void unsubscribed(Link link, Unsubscribe unsubscribe) {
        ModelSession session = Objects.requireNonNull(link.session);
        session.changedStep = simulation.step;
        for (String text : unsubscribe.filters()) {
            SubscriptionFilter filter = Objects.requireNonNull(SubscriptionFilter.parse(text));
            if (session.subscriptions.remove(filter) != null) {
                simulation.ledger.disturbed(filter);
                simulation.ledger.waive(session);
            }
        }
    }
}
