package io.rotamq.server.config;

import io.rotamq.core.port.GroupSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which group behaves how: rules set while the broker runs, the newest first; the rules of the
 * file; and a default, which can be changed too. The first rule that matches counts; what it leaves
 * out is as the default has it. Immutable: a change makes another one.
 */
public final class SharingRules {
    /** Rules set while running: each group that is made asks them one after the other. */
    private static final int MOST = 1_000;

    private final Values configured;
    private final List<SharingRule> file;
    private final List<SharingRule> running;
    private final @Nullable SharingRule runningDefault;

    private final GroupSettings defaults;
    private final List<Resolved> resolved;

    /** A rule and what it comes to: worked out once, because groups ask when they are made. */
    private record Resolved(Glob share, Glob filter, GroupSettings settings) {}

    private SharingRules(
            Values configured,
            List<SharingRule> file,
            List<SharingRule> running,
            @Nullable SharingRule runningDefault) {
        this.configured = configured;
        this.file = List.copyOf(file);
        this.running = List.copyOf(running);
        this.runningDefault = runningDefault;
        Values values = runningDefault == null ? configured : runningDefault.over(configured);
        this.defaults =
                GroupOptions.settings(
                        values,
                        runningDefault == null ? "default" : "default, changed while running");
        this.resolved =
                Stream.concat(running.stream(), file.stream())
                        .map(
                                rule ->
                                        new Resolved(
                                                rule.share(), rule.filter(), rule.settings(values)))
                        .toList();
    }

    static SharingRules of(Values values, List<Raw.Entry> entries) throws ConfigurationException {
        List<SharingRule> rules = new ArrayList<>();
        for (Raw.Entry entry : entries) {
            rules.add(SharingRule.of(entry));
        }
        return new SharingRules(values, rules, List.of(), null);
    }

    /** The settings of a group. */
    public GroupSettings settingsOf(String shareName, String topicFilter) {
        for (Resolved rule : resolved) {
            if (rule.share().matches(shareName) && rule.filter().matches(topicFilter)) {
                return rule.settings();
            }
        }
        return defaults;
    }

    /** The settings of a group that no rule matches. */
    public GroupSettings defaults() {
        return defaults;
    }

    /** The rules of the file, in its order. */
    public List<SharingRule> file() {
        return file;
    }

    /** The rules set while running, in the order in which they are asked. */
    public List<SharingRule> running() {
        return running;
    }

    /** What was said of the default while running. */
    public Optional<SharingRule> runningDefault() {
        return Optional.ofNullable(runningDefault);
    }

    /**
     * With one rule more, before all others, in place of the one with the same patterns; if both
     * are {@code *}, it changes the default.
     *
     * @param merged whether what such a rule said before, and this one does not, stays
     * @throws ConfigurationException when there are too many
     */
    public SharingRules with(SharingRule rule, boolean merged) throws ConfigurationException {
        SharingRule earlier = find(rule.share(), rule.filter());
        SharingRule stated = merged && earlier != null ? earlier.with(rule) : rule;
        if (rule.isDefault()) {
            return new SharingRules(configured, file, running, stated);
        }
        if (earlier == null && running.size() >= MOST) {
            throw ConfigurationException.at(
                    new Origin.Request(),
                    "share",
                    MOST + " rules are set already: reset one, or write them in the file");
        }
        List<SharingRule> rules = new ArrayList<>(running);
        rules.remove(earlier);
        rules.addFirst(stated);
        return new SharingRules(configured, file, rules, runningDefault);
    }

    /** Without what was set while running for these patterns; empty if nothing was. */
    public Optional<SharingRules> without(Glob share, Glob filter) {
        SharingRule rule = find(share, filter);
        if (rule == null) {
            return Optional.empty();
        }
        List<SharingRule> rules = new ArrayList<>(running);
        rules.remove(rule);
        return Optional.of(
                new SharingRules(
                        configured, file, rules, rule.isDefault() ? null : runningDefault));
    }

    /** What was set while running for these patterns. */
    public Optional<SharingRule> running(Glob share, Glob filter) {
        return Optional.ofNullable(find(share, filter));
    }

    private @Nullable SharingRule find(Glob share, Glob filter) {
        return Stream.concat(Stream.ofNullable(runningDefault), running.stream())
                .filter(rule -> rule.matches(share, filter))
                .findFirst()
                .orElse(null);
    }

    /** Settings by the keys of a rule, in the words of the file; {@code backlog} is a map. */
    public static Map<String, Object> describe(GroupSettings settings) {
        return GroupOptions.describe(settings);
    }

    // Two are the same if they give the same to every group.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SharingRules that
                && defaults.equals(that.defaults)
                && resolved.equals(that.resolved);
    }

    @Override
    public int hashCode() {
        return 31 * defaults.hashCode() + resolved.hashCode();
    }
}
