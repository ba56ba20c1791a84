package io.rotamq.server.config;

import io.rotamq.core.port.GroupSettings;
import java.util.stream.Stream;

/**
 * What an operator says of the groups that match two patterns. What it leaves unsaid is as the
 * default has it. Immutable.
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

    /** The settings of the groups that it matches. */
    GroupSettings settings(Values defaults) {
        return GroupOptions.settings(
                stated.over(defaults),
                name + " (share " + share().pattern() + ", filter " + filter().pattern() + ")");
    }
}
