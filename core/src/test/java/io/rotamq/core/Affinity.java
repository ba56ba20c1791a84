package io.rotamq.core;

import static io.rotamq.core.port.GroupSettings.StrategyName.STICKY;

import io.rotamq.core.session.Subscription;
import io.rotamq.core.share.Group;
import io.rotamq.core.share.Member;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who is given what, for the strategies that promise it: {@code sticky} one member per publishing
 * connection, {@code failover} and {@code exclusive} one for all, as long as it is there; the
 * hashes and {@code key_shared} one owner per key as long as the group's members are the same.
 */
final class Affinity {
    private final Simulation simulation;
    private final Map<Object, Owner> owners = new HashMap<>();

    /** When the members of a group that are there last changed: a step. */
    private final Map<SubscriptionFilter, Integer> changes = new HashMap<>();

    /** How often they did. */
    private final Map<SubscriptionFilter, Integer> changed = new HashMap<>();

    /** Deliveries of which the owner was known. */
    int tried;

    Affinity(Simulation simulation) {
        this.simulation = simulation;
    }

    private record Of(Group group, int rules, @Nullable Object what) {}

    /**
     * @param epoch of the member's window: another one means another connection
     * @param since step at which its latest message was published
     * @param counted whether that was of QoS 1 or 2
     */
    private record Owner(Member member, long epoch, int since, boolean counted) {
        boolean stays() {
            return !member.hasLeft() && member.recipient().window().epoch() == epoch;
        }
    }

    /** A member comes, goes, or subscribes anew. */
    void changes(SubscriptionFilter filter) {
        changes.put(filter, simulation.step);
        changed.merge(filter, 1, Integer::sum);
    }

    /** A connection of a client begins or ends. */
    void changes(ModelSession session) {
        session.subscriptions.keySet().forEach(this::changes);
    }

    int changed(Group group) {
        return changed.getOrDefault(filter(group), 0);
    }

    private static SubscriptionFilter filter(Group group) {
        return new SubscriptionFilter(group.shareName(), group.filter());
    }

    void sent(Published message, Group group, ModelSession to) {
        Regime regime = simulation.regimes.of(group);
        if (!regime.isLatest(message)
                || !simulation.fitsAll(message)
                || isKept(regime, group, message)) {
            return;
        }
        Of stable = new Of(group, regime.changes, simulation);
        switch (regime.strategy()) {
            case STICKY ->
                    checkStays(regime, new Of(group, regime.changes, message.link), message, to);
            case FAILOVER, EXCLUSIVE -> checkStays(regime, stable, message, to);
            case HASH_CLIENTID ->
                    checkSame(new Of(group, regime.changes, message.publisher), message, to);
            case HASH_TOPIC -> checkSame(new Of(group, regime.changes, message.topic), message, to);
            case KEY_SHARED ->
                    checkSame(new Of(group, regime.changes, regime.key(message)), message, to);
            case ROUND_ROBIN, ROUND_ROBIN_PER_GROUP, RANDOM, LOCAL, LEAST_INFLIGHT -> {}
        }
    }

    /** A member that is away and keeps its turn owns what it can keep, others the rest. */
    private boolean isKept(Regime regime, Group group, Published message) {
        if (regime.isSkipping()) {
            return false;
        }
        // Of sessions that ended without a connection nobody has told yet.
        simulation.endSessions();
        if (changes.getOrDefault(filter(group), -1) >= message.acceptedStep) {
            return true;
        }
        for (int i = 0; i < group.roster().size(); i++) {
            if (!group.roster().member(i).recipient().isOnline()) {
                return true;
            }
        }
        return false;
    }

    private void checkStays(Regime regime, Of of, Published message, ModelSession to) {
        Owner owner = owners.get(of);
        if (owner != null) {
            tried++;
            boolean other = owner.member().recipient() != to.core && owner.stays();
            if (other && regime.strategy() == STICKY && owner.counted() != message.qos > 0) {
                // Its first messages of QoS 0 and of QoS 1, picked for by two shards at once.
                owners.remove(of);
                return;
            }
            simulation.check(
                    !other,
                    "%s goes to %s although %s is there",
                    message,
                    to,
                    owner.member().recipient().clientId());
        }
        owns(of, message, to);
    }

    private void checkSame(Of of, Published message, ModelSession to) {
        Owner owner = owners.get(of);
        int change = changes.getOrDefault(filter(of.group()), -1);
        if (owner != null && change < Math.min(owner.since(), message.acceptedStep)) {
            tried++;
            simulation.check(
                    owner.member().recipient() == to.core,
                    "%s goes to %s although %s owns it",
                    message,
                    to,
                    owner.member().recipient().clientId());
        }
        owns(of, message, to);
    }

    private void owns(Of of, Published message, ModelSession to) {
        Subscription subscription = to.core.subscription(filter(of.group()));
        Member member = subscription == null ? null : subscription.member();
        if (member != null) {
            owners.put(
                    of,
                    new Owner(
                            member,
                            to.core.window().epoch(),
                            message.acceptedStep,
                            message.qos > 0));
        }
    }
}
