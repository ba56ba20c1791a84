package io.rotamq.durability;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** What publishers were told is safe, and how often who received what. Safe for all threads. */
final class Ledger {
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final Map<String, Map<String, Integer>> received = new ConcurrentHashMap<>();

    void acknowledged(String message) {
        acknowledged.add(message);
    }

    /**
     * Somebody received it.
     *
     * @param receiver a session, or a group as a whole
     */
    void received(String receiver, String message) {
        received.computeIfAbsent(receiver, name -> new ConcurrentHashMap<>())
                .merge(message, 1, Integer::sum);
    }

    int acknowledged() {
        return acknowledged.size();
    }

    /** What was acknowledged and did not come. */
    Set<String> missing(String receiver) {
        Set<String> missing = new TreeSet<>(acknowledged);
        missing.removeAll(received.getOrDefault(receiver, Map.of()).keySet());
        return missing;
    }

    /** QoS 2 messages that came more than once. */
    Map<String, Integer> doubled(String receiver) {
        Map<String, Integer> doubled = new HashMap<>(received.getOrDefault(receiver, Map.of()));
        doubled.entrySet().removeIf(each -> !each.getKey().startsWith("2/") || each.getValue() < 2);
        return doubled;
    }
}
