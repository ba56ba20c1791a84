package io.rotamq.server.config;

import io.rotamq.core.port.GroupSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What an operator says of the groups that match two patterns, in the file or while the broker
 * runs. What it leaves unsaid is as the default has it. Immutable.
 */
public final class SharingRule {
    private static final String PREFIX = "sharing.";

    static final Setting<Glob> SHARE =
            Setting.of(
                    "share",
                    Kinds.glob(),
                    "*",
                    "The share names to which the rule applies (`*`: anything).");
    static final Setting<Glob> FILTER =
            Setting.of(
                    "filter",
                    Kinds.glob(),
                    "*",
                    "The topic filters, as they are written in SUBSCRIBE, to which it applies:"
                            + " `factory/*` matches the filter `factory/+/temperature`.");

    private static final List<Setting<?>> PATTERNS = List.of(SHARE, FILTER);

    /** What an entry of {@code sharing.rules} may say. */
    static final Catalogue CATALOGUE =
            Catalogue.ofEntry(
                    PREFIX,
                    Stream.concat(
                                    Stream.of(SHARE, FILTER),
                                    GroupOptions.all(GroupOptions.STRATEGY).stream())
                            .toList());

    private final String name;
    private final Values stated;

    private SharingRule(String name, Values stated) {
        this.name = name;
        this.stated = stated;
    }

    /** An entry of the list in the file. */
    static SharingRule of(Raw.Entry entry) throws ConfigurationException {
        return new SharingRule(entry.name(), Values.of(entry.assigned()));
    }

    /**
     * A rule that is given to a broker that runs.
     *
     * @param texts by the keys of an entry of {@code sharing.rules}: {@code backlog.overflow}
     * @throws ConfigurationException for the first key or value that is not allowed
     */
    public static SharingRule running(Map<String, String> texts) throws ConfigurationException {
        Origin origin = new Origin.Request();
        Map<Setting<?>, Raw> assigned = new LinkedHashMap<>();
        for (Map.Entry<String, String> each : texts.entrySet()) {
            Setting<?> setting = CATALOGUE.find(each.getKey());
            if (setting == null) {
                throw ConfigurationException.at(
                        origin, each.getKey(), CATALOGUE.unknown(each.getKey()));
            }
            assigned.put(setting, new Raw.Scalar(each.getKey(), each.getValue(), origin));
        }
        return new SharingRule("set while running", Values.of(assigned));
    }

    /** What a rule may say, share and filter aside. */
    public static List<String> keys() {
        return CATALOGUE.settings().entrySet().stream()
                .filter(each -> !PATTERNS.contains(each.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Whether it says nothing about the groups that it matches. */
    public boolean isEmpty() {
        return CATALOGUE.settings().values().stream()
                .noneMatch(setting -> stated.isSet(setting) && !PATTERNS.contains(setting));
    }

    /** What people call it: {@code sharing.rules[2]}. */
    public String name() {
        return name;
    }

    /** Over the share name. */
    public Glob share() {
        return stated.get(SHARE);
    }

    /** Over the topic filter as it is written, wildcards included. */
    public Glob filter() {
        return stated.get(FILTER);
    }

    /** Whether it is about all groups, and so no rule but a default. */
    boolean isDefault() {
        return matches(Glob.ANY, Glob.ANY);
    }

    /** Whether these are its patterns. */
    boolean matches(Glob share, Glob filter) {
        return share().equals(share) && filter().equals(filter);
    }

    /** This rule, with what another one states in place of what it says itself. */
    SharingRule with(SharingRule newer) {
        return new SharingRule(name, newer.stated.over(stated));
    }

    /** What it states, by the keys of the file; {@code backlog} is a map of its own. */
    public Map<String, Object> stated() {
        Map<String, Object> all = new LinkedHashMap<>();
        CATALOGUE
                .settings()
                .forEach(
                        (key, setting) -> {
                            if (stated.isSet(setting)) {
                                put(all, key, shown(setting));
                            }
                        });
        return all;
    }

    private <T> Object shown(Setting<T> setting) {
        T value = stated.get(setting);
        return value instanceof Integer ? value : setting.kind().show(value);
    }

    private static void put(Map<String, Object> into, String key, Object value) {
        int dot = key.indexOf('.');
        if (dot < 0) {
            into.put(key, value);
            return;
        }
        @SuppressWarnings("unchecked") // nothing else is put under the name of a section
        Map<String, Object> section =
                (Map<String, Object>)
                        into.computeIfAbsent(
                                key.substring(0, dot), name -> new LinkedHashMap<String, Object>());
        section.put(key.substring(dot + 1), value);
    }

    /** What it states, so that {@link #running} makes the same rule of it. */
    public Map<String, String> texts() {
        Map<String, String> all = new LinkedHashMap<>();
        CATALOGUE
                .settings()
                .forEach(
                        (key, setting) -> {
                            if (stated.isSet(setting)) {
                                all.put(key, text(setting));
                            }
                        });
        return all;
    }

    private <T> String text(Setting<T> setting) {
        return setting.kind().show(stated.get(setting));
    }

    /** The values of all groups, as far as this one states them. */
    Values over(Values defaults) {
        return stated.over(defaults);
    }

    /** The settings of the groups that it matches. */
    GroupSettings settings(Values defaults) {
        return GroupOptions.settings(
                over(defaults),
                name + " (share " + share().pattern() + ", filter " + filter().pattern() + ")");
    }
}
