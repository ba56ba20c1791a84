package io.rotamq.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Shared subscriptions.
 *
 * @param enabled whether there are any
 * @param defaults the options of a group that no rule matches
 * @param rules in the order of the file; the first that matches a group counts
 */
public record SharingSettings(boolean enabled, GroupSettings defaults, List<Rule> rules) {
    public SharingSettings {
        rules = List.copyOf(rules);
    }

    /**
     * The options of the groups that match both patterns.
     *
     * @param share over the share name
     * @param filter over the topic filter as it is written, wildcards included
     */
    public record Rule(Glob share, Glob filter, GroupSettings group) {
        boolean matches(String shareName, String topicFilter) {
            return share.matches(shareName) && filter.matches(topicFilter);
        }
    }

    static final Setting<Boolean> ENABLED =
            Setting.of(
                    "sharing.enabled",
                    Kinds.flag(),
                    "true",
                    "Whether there are shared subscriptions. If not, clients are told, and"
                            + " SUBSCRIBE to one is refused (0x9E).");

    private static final String PREFIX = "sharing.";
    private static final Setting<Glob> RULE_SHARE =
            Setting.of(
                    "share",
                    Kinds.glob(),
                    "*",
                    "The share names to which the rule applies (`*`: anything).");
    private static final Setting<Glob> RULE_FILTER =
            Setting.of(
                    "filter",
                    Kinds.glob(),
                    "*",
                    "The topic filters, as they are written in SUBSCRIBE, to which it applies:"
                            + " `factory/*` matches the filter `factory/+/temperature`.");
    private static final Setting<GroupSettings.Strategy> RULE_STRATEGY =
            Setting.like(GroupSettings.DEFAULT_STRATEGY, "strategy", "");
    static final Setting<List<Raw.Entry>> RULES =
            Setting.of(
                    "sharing.rules",
                    new EntryList(Catalogue.ofEntry(PREFIX, ruleSettings())),
                    "",
                    "Options of single groups. The first rule whose `share` and `filter` match a"
                        + " group gives its `strategy`, `offline-members` and `backlog.*`; what a"
                        + " rule leaves out is as above.");

    static final Section SECTION =
            new Section(
                    "Sharing",
                    "",
                    Stream.of(List.of(ENABLED), GroupSettings.SETTINGS, List.of(RULES))
                            .<Setting<?>>flatMap(List::stream)
                            .toList());

    /** The options of a group. */
    public GroupSettings group(String shareName, String topicFilter) {
        for (Rule rule : rules) {
            if (rule.matches(shareName, topicFilter)) {
                return rule.group();
            }
        }
        return defaults;
    }

    static SharingSettings of(Values values) throws ConfigurationException {
        List<Rule> rules = new ArrayList<>();
        for (Raw.Entry entry : values.get(RULES)) {
            Values own = values.with(entry.assigned());
            rules.add(
                    new Rule(
                            own.get(RULE_SHARE),
                            own.get(RULE_FILTER),
                            GroupSettings.of(own, own.get(RULE_STRATEGY))));
        }
        return new SharingSettings(
                values.get(ENABLED),
                GroupSettings.of(values, values.get(GroupSettings.DEFAULT_STRATEGY)),
                rules);
    }

    private static List<Setting<?>> ruleSettings() {
        return Stream.concat(
                        Stream.of(RULE_SHARE, RULE_FILTER, RULE_STRATEGY),
                        GroupSettings.SETTINGS.stream()
                                .filter(each -> !each.equals(GroupSettings.DEFAULT_STRATEGY)))
                .toList();
    }
}
