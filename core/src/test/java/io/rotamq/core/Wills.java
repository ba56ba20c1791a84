package io.rotamq.core;

import io.rotamq.mqtt.Will;
import io.rotamq.mqtt.topic.TopicName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The wills of all connections and what has to become of each: published once, or not at all. An
 * observer that is never disturbed sees those that are published.
 */
final class Wills {
    private static final class Fate {
        final Published message;
        final long delay;
        boolean connected;
        boolean cancelled;

        /** The client came back at a moment at which either is right. */
        boolean open;

        boolean seen;
        long lostAt = -1;

        Fate(Published message, long delay) {
            this.message = message;
            this.delay = delay;
        }
    }

    /**
     * Topics of which several wills were retained. Those of two sessions of a client may come from
     * two shards, and then reach the observer in another order than the store.
     */
    final Set<String> uncertain = new HashSet<>();

    private final Simulation simulation;
    private final Map<Integer, Fate> byNumber = new LinkedHashMap<>();
    private final Map<Link, Fate> byLink = new HashMap<>();

    Wills(Simulation simulation) {
        this.simulation = simulation;
    }

    boolean isWill(Published message) {
        return byNumber.containsKey(message.number);
    }

    Will make(Link link, int number, int qos, boolean retain, long delay) {
        TopicName topic = TopicName.of("w/" + link.owner.id);
        byte[] payload = {(byte) number};
        Published message =
                new Published(number, link.owner.id, topic, qos, retain, -1, payload, "");
        simulation.ledger.add(message);
        Fate fate = new Fate(message, delay);
        byNumber.put(number, fate);
        byLink.put(link, fate);
        return new Will(topic, payload, qos, retain, delay, -1, message.properties());
    }

    void connected(Link link) {
        Fate fate = byLink.get(link);
        if (fate != null) {
            fate.connected = true;
        }
    }

    /** DISCONNECT with Normal disconnection. */
    void cancelled(Link link) {
        Fate fate = byLink.get(link);
        if (fate != null) {
            fate.cancelled = true;
        }
    }

    void lost(Link link) {
        Fate fate = byLink.get(link);
        if (fate != null && fate.lostAt < 0) {
            fate.lostAt = simulation.now;
        }
    }

    /** The client is back and its session goes on: a will that waits is not sent. */
    void resumed(Link by) {
        for (Map.Entry<Link, Fate> entry : byLink.entrySet()) {
            Fate fate = entry.getValue();
            boolean waits =
                    entry.getKey() != by
                            && entry.getKey().session == by.session
                            && fate.lostAt >= 0
                            && !fate.seen
                            && fate.delay > 0;
            if (waits && simulation.now < fate.lostAt + fate.delay * 1_000) {
                fate.cancelled = true;
            } else if (waits) {
                fate.open = true;
            }
        }
    }

    void seen(Published message) {
        Fate fate = byNumber.get(message.number);
        if (fate != null) {
            simulation.check(!fate.seen, "a will twice: %s", message);
            simulation.check(!fate.cancelled, "a will that was cancelled: %s", message);
            simulation.check(fate.connected, "a will without a connection: %s", message);
            fate.seen = true;
            remember(message);
        }
    }

    private void remember(Published message) {
        if (message.retain) {
            Published before = simulation.ledger.retained.put(message.topic, message);
            if (before != null) {
                uncertain.add(message.topic.toString());
            }
        }
    }

    /** Wills of those who are connected that nothing could stop any more. */
    int owedAtStop() {
        int owed = 0;
        for (Map.Entry<Link, Fate> entry : byLink.entrySet()) {
            Fate fate = entry.getValue();
            ModelSession session = entry.getKey().session;
            boolean connected = fate.connected && !fate.cancelled && fate.lostAt < 0;
            boolean due =
                    fate.delay == 0 || (session != null && session.core.expiryInterval() == 0);
            owed += connected && due ? 1 : 0;
        }
        return owed;
    }

    /** When every session has ended. */
    void checkAll() {
        for (Fate fate : byNumber.values()) {
            boolean owed = fate.connected && !fate.cancelled && !fate.open;
            simulation.check(!owed || fate.seen, "a will was not sent: %s", fate.message);
        }
    }
}
