package io.rotamq.core;

import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.GroupSettings.BacklogLimits;
import io.rotamq.core.port.GroupSettings.Overflow;
import io.rotamq.core.session.Session;
import io.rotamq.core.share.Group;
import io.rotamq.core.share.GroupSnapshot;
import io.rotamq.mqtt.ConnectProperties;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What has to be true when everybody has done what he had to do: clients have read and acknowledged
 * everything, time has passed; and at the end, when all clients are gone.
 */
final class Quiescence {
    private static final int ROUNDS = 200_000;

    /** Drops that are no copies owed to a subscriber. */
    private static final Set<DropReason> OF_PUBLISHERS =
            EnumSet.of(
                    DropReason.NOT_AUTHORIZED,
                    DropReason.BACKLOG_REJECTED,
                    DropReason.RETAINED_FULL);

    private final Simulation simulation;
    private final Node node;
    final Holdups holdups;

    Quiescence(Simulation simulation) {
        this.simulation = simulation;
        this.node = simulation.node;
        this.holdups = new Holdups(simulation);
    }

    /** Lets everything come to rest but one client, and then that too. */
    void settleAround(ModelClient idle) {
        simulation.settling = true;
        simulation.idle = idle;
        drain();
        simulation.idle = null;
        holdups.note(idle.link == null ? null : idle.link.session);
        settle();
        holdups.check();
    }

    /** Lets everything come to rest. */
    void settle() {
        simulation.settling = true;
        for (int wait = 0; ; wait++) {
            drain();
            if (wait > 0 && !isWaiting()) {
                break;
            }
            simulation.check(wait < 100, "publishers wait for ever");
            simulation.pass(1_100);
        }
        simulation.endSessions();
        simulation.settling = false;
    }

    private void drain() {
        int rounds = 0;
        boolean busy = true;
        while (busy) {
            busy = simulation.serverWork();
            busy |= simulation.clientWork();
            simulation.check(rounds++ < ROUNDS, "never comes to rest");
            simulation.links.removeIf(link -> link.over && (link.cut || link.toClient.isEmpty()));
        }
    }

    private boolean isWaiting() {
        boolean waiting = false;
        for (int i = 0; i < node.shards(); i++) {
            waiting |= node.shard(i).slowedClients() > 0;
        }
        for (Link link : simulation.links) {
            waiting |= !link.reading && !link.closed && !link.cut;
        }
        return waiting;
    }

    /** At any moment: no lane of a key is longer than it may be. */
    void checkBounds() {
        node.forEachGroup(
                group -> {
                    Regime regime = simulation.regimes.of(group);
                    BacklogLimits limits = regime.settings.backlog();
                    GroupSnapshot.Waiting waiting = group.snapshot().waiting();
                    boolean bounded =
                            regime.changes == 0 && limits.overflow() != Overflow.REJECT_NEW;
                    // One more than the bound for the moment of adding, one that came back.
                    simulation.check(
                            !bounded
                                    || !regime.isKeyShared()
                                    || waiting.longestLine() <= limits.maximumLaneMessages() + 2,
                            "%s in a lane of %s",
                            waiting.longestLine(),
                            group);
                });
    }

    void checkSettled() {
        for (int i = 0; i < node.shards(); i++) {
            simulation.check(!node.shard(i).hasMail(), "mail is left on shard %s", i);
        }
        simulation.check(node.total(Counter.PROTOCOL_ERRORS) == 0, "somebody was shut out");
        for (Link link : simulation.links) {
            if (link.isAtCore() && !link.closed && link.session != null) {
                checkConnected(link);
            }
        }
        node.forEachGroup(this::checkGroup);
        checkMembership();
        checkHolds();
        simulation.keys.close();
    }

    private void checkConnected(Link link) {
        Session session = Objects.requireNonNull(link.session).core;
        int keepAlive = link.connect.keepAlive();
        simulation.check(
                keepAlive == 0 || simulation.now - link.lastReceived < keepAlive * 1_500L,
                "silent for too long: %s",
                link);
        simulation.check(link.due.isEmpty(), "not acknowledged: %s", link.due);
        simulation.check(link.outstanding.isEmpty(), "unfinished: %s", link.outstanding);
        simulation.check(session.inflight() == 0, "%s in flight", session.inflight());
        simulation.check(session.queued() == 0, "%s wait for %s", session.queued(), link);
        simulation.check(
                session.window().free() == link.receiveMaximum(),
                "credit is %s instead of %s for %s",
                session.window().free(),
                link.receiveMaximum(),
                link.session);
    }

    private void checkGroup(Group group) {
        simulation.regimes.checkObeys(group);
        Regime regime = simulation.regimes.of(group);
        simulation.check(
                regime.changes > 0
                        || group.pending() <= regime.settings.backlog().maximumMessages(),
                "%s in the backlog of %s",
                group.pending(),
                group);
        long mayWait =
                simulation.keys.open(group).stream()
                        .filter(o -> simulation.keys.mayWait(o, group))
                        .count();
        for (int i = 0; i < group.roster().size(); i++) {
            boolean takes = group.roster().member(i).recipient().isOnline();
            simulation.check(
                    !takes || group.pending() <= mayWait,
                    "%s wait in %s although a member could take them",
                    group.pending(),
                    group);
        }
    }

    /** When no session has anything, nothing holds a key. */
    private void checkHolds() {
        boolean under =
                simulation.sessions.stream()
                        .anyMatch(s -> s.core.inflight() > 0 || s.core.queued() > 0);
        if (!under) {
            node.forEachGroup(
                    group ->
                            simulation.check(
                                    group.snapshot().waiting().keysInFlight() == 0,
                                    "keys are held in %s",
                                    group));
        }
    }

    private void checkMembership() {
        Map<SubscriptionFilter, Integer> members = new HashMap<>();
        for (ModelSession session : simulation.sessions) {
            for (SubscriptionFilter filter : session.subscriptions.keySet()) {
                if (filter.isShared()) {
                    members.merge(filter, 1, Integer::sum);
                }
            }
        }
        Map<SubscriptionFilter, Integer> found = new HashMap<>();
        node.forEachGroup(
                group ->
                        found.put(
                                new SubscriptionFilter(group.shareName(), group.filter()),
                                group.roster().size()));
        simulation.check(members.equals(found), "members are %s instead of %s", found, members);
        simulation.check(node.groups() == found.size(), "%s groups", node.groups());
        simulation.check(
                node.sessions() == simulation.sessions.size(), "%s sessions", node.sessions());
    }

    /** A last client reads all retained messages. */
    void checkRetained() {
        ModelClient inspector = new ModelClient(simulation, "inspector", simulation.random, true);
        inspector.connect(true, 0, 0);
        settle();
        Link link = Objects.requireNonNull(inspector.link);
        Map<String, Integer> expected = new HashMap<>();
        simulation.ledger.retained.forEach(
                (topic, message) -> {
                    if (!message.isExpired(simulation.now)) {
                        expected.put(topic.toString(), message.number);
                    }
                });
        inspector.subscribe(link, "#");
        settle();
        Map<String, Integer> found =
                new HashMap<>(
                        Objects.requireNonNull(link.session)
                                .byIdentifier
                                .values()
                                .iterator()
                                .next()
                                .replayed());
        found.keySet().removeAll(simulation.wills.uncertain);
        expected.keySet().removeAll(simulation.wills.uncertain);
        simulation.check(found.equals(expected), "retained: %s, not %s", found, expected);
    }

    /** Ends all sessions and looks whether anything is left. */
    void checkEnd() {
        boolean stops = simulation.random.nextInt(3) == 0;
        if (stops) {
            checkStop();
        }
        for (ModelClient client : simulation.clients) {
            node.kick(client.id);
        }
        settle();
        simulation.pass(60_000);
        settle();
        if (!stops && !simulation.scenario.isShortOfMemory()) {
            simulation.wills.checkAll();
        }
        node.kick("observer");
        node.kick("inspector");
        settle();
        simulation.pass(ConnectProperties.NEVER);
        settle();
        checkNothingLeft();
        checkConservation();
    }

    /** An orderly stop: the wills of all shards before the first disconnect. */
    private void checkStop() {
        long sent = node.total(Counter.WILLS_PUBLISHED);
        int owed = simulation.wills.owedAtStop();
        simulation.onEach(Shard::publishWills);
        simulation.check(
                node.total(Counter.WILLS_PUBLISHED) - sent == owed,
                "%s wills instead of %s",
                node.total(Counter.WILLS_PUBLISHED) - sent,
                owed);
        settle();
        simulation.onEach(Shard::disconnectAll);
        settle();
        simulation.check(
                simulation.links.stream().allMatch(link -> link.over), "somebody is connected");
    }

    private void checkNothingLeft() {
        simulation.check(node.sessions() == 0, "%s sessions left", node.sessions());
        simulation.check(node.groups() == 0, "%s groups left", node.groups());
        simulation.check(node.memoryUsed() == 0, "%s bytes left", node.memoryUsed());
        simulation.check(
                node.sessionMemoryUsed() == 0, "%s session bytes left", node.sessionMemoryUsed());
        node.forEachGroup(group -> simulation.check(false, "left: %s", group));
        for (int i = 0; i < node.shards(); i++) {
            Shard shard = node.shard(i);
            simulation.check(shard.sessions() == 0, "%s sessions on %s", shard.sessions(), i);
            simulation.check(shard.connections() == 0, "%s connections", shard.connections());
            simulation.check(shard.timers() == 0, "%s timers on %s", shard.timers(), i);
            simulation.check(shard.slowedClients() == 0, "%s slowed", shard.slowedClients());
            simulation.check(shard.groupOwner().waiting() == 0, "groups wait on %s", i);
        }
        for (String topic : new String[] {"t/0", "t/1", "t/1/x", "w/x"}) {
            simulation.check(
                    node.routes().match(TopicName.of(topic)).isEmpty(),
                    "routes left for %s",
                    topic);
        }
        simulation.check(
                node.total(Counter.CONNECTIONS_OPENED) == node.total(Counter.CONNECTIONS_CLOSED),
                "connections are counted wrong");
        simulation.check(
                node.total(Counter.SESSIONS_CREATED) == node.total(Counter.SESSIONS_ENDED),
                "sessions are counted wrong");
    }

    /** Every copy that was owed was either finished or discarded for a reason that is counted. */
    private void checkConservation() {
        long dropped =
                Arrays.stream(DropReason.values())
                        .filter(reason -> !OF_PUBLISHERS.contains(reason))
                        .mapToLong(node::dropped)
                        .sum();
        long unfinished =
                simulation.ledger.obligations.stream()
                        .filter(o -> !o.finished && !o.waived)
                        .count();
        long waived =
                simulation.ledger.obligations.stream().filter(o -> !o.finished && o.waived).count();
        unfinished += simulation.ledger.exhausted;
        simulation.check(
                unfinished <= dropped,
                "%s copies were neither finished nor counted",
                unfinished - dropped);
        simulation.check(
                simulation.scenario.plain()
                        || simulation.scenario.isShortOfMemory()
                        || dropped <= unfinished,
                "%s drops were counted too many (%s waived)",
                dropped - unfinished,
                waived);
    }
}
