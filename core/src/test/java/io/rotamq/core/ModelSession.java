package io.rotamq.core;

import io.rotamq.core.session.Session;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A session as the simulation knows it from the packets it saw. */
final class ModelSession {
    final int number;
    final String clientId;
    final Session core;
    final Map<SubscriptionFilter, ModelSubscription> subscriptions = new LinkedHashMap<>();

    /** Every subscription that there ever was, by identifier. */
    final Map<Integer, ModelSubscription> byIdentifier = new HashMap<>();

    final Map<Integer, Exchange> exchanges = new HashMap<>();
    final BitSet inboundQos2 = new BitSet();

    /** Connections lost otherwise than by a takeover. */
    int losses;

    int lastPacketId;

    /** When it subscribed or unsubscribed last. */
    int changedStep;

    ModelSession(int number, String clientId, Session core) {
        this.number = number;
        this.clientId = clientId;
        this.core = core;
    }

    /**
     * @param sinceStep when it was made
     * @param replayed retained topics that it was sent, and which message
     */
    record ModelSubscription(
            int identifier,
            SubscriptionFilter filter,
            int qos,
            boolean noLocal,
            boolean retainAsPublished,
            int sinceStep,
            Map<String, Integer> replayed) {}

    boolean hasEnded() {
        return core.hasEnded();
    }

    @Nullable ModelSubscription subscription(int identifier) {
        return byIdentifier.get(identifier);
    }

    @Override
    public String toString() {
        return "session " + number + " of " + clientId;
    }
}
