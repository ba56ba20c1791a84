package io.rotamq.core;

import io.rotamq.core.port.GroupSettings.StrategyName;
import io.rotamq.core.share.Group;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Order by publisher, topic and QoS: for each plain subscription, for each member of a group, and
 * where one member is active at a time, for the group. Messages that were given back are exempt.
 */
final class Orders {
    private static final Set<StrategyName> ONE_ACTIVE =
            EnumSet.of(StrategyName.FAILOVER, StrategyName.EXCLUSIVE);

    private final Simulation simulation;
    private final Map<Stream, Integer> last = new HashMap<>();
    private final Map<SubscriptionFilter, Integer> disturbances = new HashMap<>();

    Orders(Simulation simulation) {
        this.simulation = simulation;
    }

    /** One sequence in which order is kept. */
    private record Stream(
            @Nullable ModelSession receiver,
            @Nullable Group group,
            int identifier,
            String publisher,
            TopicName topic,
            int qos,
            int delivered) {}

    /** Members of the session's groups may have to be replaced: order is not kept across that. */
    void disturbed(@Nullable ModelSession session) {
        if (session != null) {
            session.subscriptions.keySet().forEach(this::disturbed);
        }
    }

    void disturbed(SubscriptionFilter filter) {
        disturbances.put(filter, simulation.step);
        simulation.affinity.changes(filter);
    }

    /** A message is sent for the first time. */
    void check(Obligation obligation, ModelSession session, int qos) {
        Published message = obligation.message;
        Group group = obligation.group;
        Regime regime = group == null ? null : simulation.regimes.of(group);
        if (regime != null && regime.wasKeyedSince(message.acceptedStep)) {
            // Each key has a line of its own.
            return;
        }
        check(obligation, stream(obligation, session, qos));
        if (regime != null
                && ONE_ACTIVE.contains(regime.strategy())
                && regime.isNew(message)
                && simulation.fitsAll(message)) {
            check(obligation, stream(obligation, null, qos));
        }
    }

    private static Stream stream(
            Obligation obligation, @Nullable ModelSession receiver, int delivered) {
        Published message = obligation.message;
        return new Stream(
                receiver,
                obligation.group,
                obligation.identifier,
                message.publisher,
                message.topic,
                message.qos,
                delivered);
    }

    private void check(Obligation obligation, Stream stream) {
        int accepted = obligation.message.accepted;
        if (accepted < last.getOrDefault(stream, 0)) {
            simulation.endSessions();
            simulation.check(
                    obligation.group != null && isDisturbed(obligation),
                    "out of order: %s",
                    obligation);
        } else {
            last.put(stream, accepted);
        }
    }

    /**
     * Whether the message may have been given back: a member lost its connection or left since, or
     * its socket was full when a delivery at QoS 0 reached it, or nothing is kept any more.
     */
    private boolean isDisturbed(Obligation obligation) {
        Group group = Objects.requireNonNull(obligation.group);
        SubscriptionFilter filter = new SubscriptionFilter(group.shareName(), group.filter());
        int since = obligation.message.acceptedStep;
        return disturbances.getOrDefault(filter, -1) >= since
                || simulation.regimes.of(group).gaveUpKeeping >= since
                || simulation.scenario.slowReaders() > 0;
    }
}
