package io.rotamq.server.config;

import java.util.List;
import java.util.stream.Stream;

/**
 * Shared subscriptions.
 *
 * @param enabled whether there are any
 * @param rules which group behaves how
 */
public record SharingSettings(boolean enabled, SharingRules rules) {
    static final Setting<Boolean> ENABLED =
            Setting.of(
                    "sharing.enabled",
                    Kinds.flag(),
                    "true",
                    "Whether there are shared subscriptions. If not, clients are told, and"
                            + " SUBSCRIBE to one is refused (0x9E).");
    static final Setting<List<Raw.Entry>> RULES =
            Setting.of(
                    "sharing.rules",
                    new EntryList(SharingRule.CATALOGUE),
                    "",
                    "Options of single groups. The first rule whose `share` and `filter` match a"
                            + " group gives its `strategy` and whatever else it says; what it"
                            + " leaves out is as above.");

    static final Section SECTION =
            new Section(
                    "Sharing",
                    "",
                    Stream.of(
                                    List.of(ENABLED),
                                    GroupOptions.all(GroupOptions.DEFAULT_STRATEGY),
                                    List.of(RULES))
                            .<Setting<?>>flatMap(List::stream)
                            .toList());

    static SharingSettings of(Values values) throws ConfigurationException {
        return new SharingSettings(values.get(ENABLED), SharingRules.of(values, values.get(RULES)));
    }
}
