package io.rotamq.core;

import io.rotamq.core.session.Session;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
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
     * @param keyFilters patterns of the routing keys that it takes; empty for all
     * @param replayed retained topics that it was sent, and which message
     */
    record ModelSubscription(
            int identifier,
            SubscriptionFilter filter,
            int qos,
            boolean noLocal,
            boolean retainAsPublished,
            List<String> keyFilters,
            Map<String, Integer> replayed) {
        /** Whether its key filters, if it has any, let the key through. */
        boolean takes(String key) {
            return keyFilters.isEmpty() || keyFilters.stream().anyMatch(f -> matches(f, key));
        }

        private static boolean matches(String glob, String key) {
            if (glob.isEmpty()) {
                return key.isEmpty();
            }
            if (glob.startsWith("*")) {
                return matches(glob.substring(1), key)
                        || (!key.isEmpty() && matches(glob, key.substring(1)));
            }
            return !key.isEmpty()
                    && (glob.charAt(0) == '?' || glob.charAt(0) == key.charAt(0))
                    && matches(glob.substring(1), key.substring(1));
        }
    }

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
