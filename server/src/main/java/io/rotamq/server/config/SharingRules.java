package io.rotamq.server.config;

import io.rotamq.core.port.GroupSettings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which group behaves how: rules, of which the first that matches counts, and a default. */
public final class SharingRules {
    private final List<SharingRule> rules;
    private final GroupSettings defaults;
    private final List<Resolved> resolved;

    /** A rule and what it comes to: worked out once, because groups ask when they are made. */
    private record Resolved(Glob share, Glob filter, GroupSettings settings) {}

    private SharingRules(List<SharingRule> rules, Values values) {
        this.rules = List.copyOf(rules);
        this.defaults = GroupOptions.settings(values, "default");
        this.resolved =
                rules.stream()
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
        return new SharingRules(rules, values);
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

    /** In the order in which they are asked. */
    public List<SharingRule> rules() {
        return rules;
    }

    /** The settings of a group that no rule matches. */
    public GroupSettings defaults() {
        return defaults;
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
