package io.rotamq.core;

import io.rotamq.core.ModelSession.ModelSubscription;
import io.rotamq.core.Simulation.Frame;
import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.GroupSettings.StrategyName;
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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The broker's side of the network: brings packets and news of connections to the core. */
final class Network {
    private static final List<ReasonCode> GRANTED =
            List.of(ReasonCode.SUCCESS, ReasonCode.GRANTED_QOS_1, ReasonCode.GRANTED_QOS_2);

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
            case Subscribe subscribe -> subscribe(link, subscribe);
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
        Exchange ending = ending(link, packet);
        if (ending != null) {
            ending.completing = true;
        }
        long before = simulation.node.shard(link.shard).meter().value(Counter.LATE_ACKS);
        hand(link, packet);
        if (ending != null) {
            ending.completing = false;
        }
        return simulation.node.shard(link.shard).meter().value(Counter.LATE_ACKS) > before;
    }

    /** The delivery that the acknowledgement brings to its end, if it is not late. */
    private static @Nullable Exchange ending(Link link, Packet packet) {
        Map<Integer, Exchange> exchanges = Objects.requireNonNull(link.session).exchanges;
        return switch (packet) {
            case Puback(var id, var _, var _) -> exchanges.get(id);
            case Pubrec(var id, var code, var _) when code.isError() -> exchanges.get(id);
            case Pubcomp(var id, var _, var _) -> exchanges.get(id);
            default -> null;
        };
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

    private void subscribe(Link link, Subscribe subscribe) {
        ModelSession session = Objects.requireNonNull(link.session);
        ModelSubscription made = ModelClient.subscription(subscribe);
        ModelSubscription before = session.subscriptions.put(made.filter(), made);
        session.byIdentifier.put(made.identifier(), made);
        session.changedStep = simulation.step;
        simulation.affinity.changes(made.filter());
        ReasonCode expected = admission(made, before != null);
        // Others may come and go meanwhile: by other shards, or by what the mailbox holds.
        boolean open = simulation.node.shard(link.shard).hasMail() || simulation.regimes.changing;
        int turns = simulation.turns + 1;
        link.granted = null;
        hand(link, subscribe);
        ReasonCode granted = link.granted;
        simulation.check(
                granted == null || granted == expected || open || simulation.turns > turns,
                "%s instead of %s for %s",
                granted,
                expected,
                made);
        if (granted != null && granted.isError()) {
            session.subscriptions.remove(made.filter());
            if (before != null) {
                session.subscriptions.put(made.filter(), before);
            }
        }
    }

    /** What a SUBSCRIBE has to be answered as things are. */
    private ReasonCode admission(ModelSubscription wanted, boolean isMember) {
        ReasonCode code = GRANTED.get(wanted.qos());
        if (wanted.filter().isShared()) {
            Regime regime = simulation.regimes.of(wanted.filter());
            int most =
                    regime.strategy() == StrategyName.EXCLUSIVE
                            ? 1
                            : regime.settings.maximumMembers();
            if (regime.isKeyShared() && wanted.qos() == 0) {
                code = ReasonCode.IMPLEMENTATION_SPECIFIC_ERROR;
            } else if (!isMember && members(wanted.filter()) >= most) {
                code = ReasonCode.QUOTA_EXCEEDED;
            }
        }
        return code;
    }

    private int members(SubscriptionFilter filter) {
        int[] members = new int[1];
        simulation.node.forEachGroup(
                group -> members[0] += Ledger.isOf(group, filter) ? group.roster().size() : 0);
        return members[0];
    }

    private void unsubscribed(Link link, Unsubscribe unsubscribe) {
        ModelSession session = Objects.requireNonNull(link.session);
        session.changedStep = simulation.step;
        for (String text : unsubscribe.filters()) {
            SubscriptionFilter filter = Objects.requireNonNull(SubscriptionFilter.parse(text));
            if (session.subscriptions.remove(filter) != null) {
                simulation.orders.disturbed(filter);
                simulation.ledger.waive(session);
            }
        }
    }
}
