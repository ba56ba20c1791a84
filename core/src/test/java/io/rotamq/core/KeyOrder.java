package io.rotamq.core;

import io.rotamq.core.ModelSession.ModelSubscription;
import io.rotamq.core.share.Group;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code key_shared} promises: in the whole group one unacknowledged message per key at any
 * moment, those of one key in the order of their publication, what came back before what is newer,
 * and no key for a member that does not take it. It holds for a key when all that was published
 * before the group became {@code key_shared} is done.
 */
final class KeyOrder {
    private final Simulation simulation;

    /** What each group is owed and has not finished, in the order of publication. */
    private final Map<Group, List<Obligation>> open = new HashMap<>();

    private final Map<Line, Integer> begun = new HashMap<>();

    /** Deliveries for which the whole promise was in force. */
    int tried;

    KeyOrder(Simulation simulation) {
        this.simulation = simulation;
    }

    private record Line(Group group, int regime, String key, String publisher) {}

    void owed(Obligation obligation) {
        if (obligation.group != null) {
            open.computeIfAbsent(obligation.group, group -> new ArrayList<>()).add(obligation);
        }
    }

    /** What of a group's messages is not finished, as far as is known. */
    List<Obligation> open(Group group) {
        List<Obligation> list = open.get(group);
        if (list == null) {
            return List.of();
        }
        list.removeIf(Obligation::isDone);
        return list;
    }

    /** Forgets groups that ended, and what is certain to have been dropped now that all is idle. */
    void close() {
        boolean queued = simulation.sessions.stream().anyMatch(s -> s.core.queued() > 0);
        open.keySet().removeIf(Group::hasEnded);
        for (Group group : open.keySet()) {
            if (group.pending() == 0) {
                open(group).forEach(o -> o.closed |= o.holder == null ? !queued : isGone(o.holder));
            }
        }
    }

    private static boolean isGone(Exchange holder) {
        return holder.session.hasEnded() || holder.session.core.inflight() == 0;
    }

    /** A member is sent a message of the group, for the first time or instead of another member. */
    void sent(Obligation obligation, Group group, ModelSubscription subscription) {
        simulation.check(!obligation.passed, "after a later message of its key: %s", obligation);
        simulation.check(
                obligation.overtaking == null,
                "%s comes back after %s",
                obligation,
                obligation.overtaking);
        Regime regime = simulation.regimes.of(group);
        Published message = obligation.message;
        if (!regime.isKeyShared() || !regime.isNew(message)) {
            return;
        }
        String key = regime.key(message);
        simulation.check(
                subscription.takes(key), "%s is filtered by %s", key, subscription.keyFilters());
        simulation.check(subscription.qos() > 0, "a member with QoS 0: %s", subscription);
        if (obligation.sent) {
            return;
        }
        List<Obligation> others = new ArrayList<>(open(group));
        others.removeIf(o -> o == obligation || !regime.key(o.message).equals(key));
        if (others.stream().allMatch(o -> regime.isNew(o.message))) {
            tried++;
            others.forEach(other -> overtake(obligation, other));
            Line line = new Line(group, regime.number, key, message.publisher);
            Integer last = begun.put(line, message.accepted);
            simulation.check(
                    last == null || last < message.accepted,
                    "key %s is out of order: %s",
                    key,
                    obligation);
        }
    }

    /** Another message of the key that began before has to be done: finished, or dropped. */
    private void overtake(Obligation obligation, Obligation other) {
        Exchange holder = other.holder;
        if (!other.sent || holder == null || holder.completing) {
            return;
        }
        simulation.check(
                holder.mayHaveMoved(),
                "%s although this one of its key is unfinished: %s",
                obligation,
                holder);
        // It came back to the group. So it was dropped there, or this is out of order.
        other.passed = true;
    }

    /**
     * What an owner that was lost had not acknowledged comes before what the next owner gets: for
     * strategies where one member has all of a line.
     */
    void succeeds(Obligation obligation, Group group, ModelSession to) {
        Regime regime = simulation.regimes.of(group);
        Published message = obligation.message;
        boolean ordered =
                switch (regime.strategy()) {
                    case STICKY, FAILOVER, EXCLUSIVE -> true;
                    default -> false;
                };
        if (!ordered || obligation.sent || !regime.isLatest(message)) {
            return;
        }
        for (Obligation other : open(group)) {
            Exchange holder = other.holder;
            if (holder != null
                    && holder.session != to
                    && holder.mayHaveMoved()
                    && other.message.accepted < message.accepted
                    && other.message.link == message.link
                    && regime.isLatest(other.message)
                    && simulation.fitsAll(other.message)
                    && simulation.fitsAll(message)
                    && other.message.qos > 0 == message.qos > 0) {
                other.overtaking = message;
            }
        }
    }

    /** A client's acknowledgement counts, or its delivery is sent again: it is the holder still. */
    void resumed(Obligation obligation) {
        simulation.check(!obligation.passed, "begun after it, and yet unfinished: %s", obligation);
    }

    /** Whether a message may wait though members are there: for its key, or for who takes it. */
    boolean mayWait(Obligation obligation, Group group) {
        Regime regime = simulation.regimes.of(group);
        if (!regime.isKeyShared() || obligation.isDone()) {
            return false;
        }
        String key = regime.key(obligation.message);
        return isHeldByAbsent(obligation, group, key) || !hasTaker(obligation.message, group, key);
    }

    private boolean isHeldByAbsent(Obligation obligation, Group group, String key) {
        Regime regime = simulation.regimes.of(group);
        for (Obligation other : open(group)) {
            Exchange holder = other.holder;
            if (other != obligation
                    && holder != null
                    && !holder.session.core.isOnline()
                    && regime.key(other.message).equals(key)) {
                return true;
            }
        }
        // Or it is kept for a member, and so does not show.
        return simulation.sessions.stream()
                .anyMatch(s -> !s.core.isOnline() && s.core.queued() > 0);
    }

    /** Whether somebody is there who may be given the key. */
    private boolean hasTaker(Published message, Group group, String key) {
        for (ModelSession session : simulation.sessions) {
            for (ModelSubscription s : session.subscriptions.values()) {
                if (session.core.isOnline()
                        && Ledger.isOf(group, s.filter())
                        && s.qos() > 0
                        && s.takes(key)
                        && simulation.fits(message, session)) {
                    return true;
                }
            }
        }
        return false;
    }
}
