package io.rotamq.core.port;

/**
 * Whether subscriptions can be shared, and how each group behaves.
 *
 * @param groups asked once for each group, when its first member joins
 */
public record SharingSettings(boolean enabled, GroupRules groups) {
    public static final SharingSettings DEFAULTS = of(GroupSettings.DEFAULTS);

    /** The same settings for all groups. */
    public static SharingSettings of(GroupSettings settings) {
        return new SharingSettings(true, (shareName, filter) -> settings);
    }

    /** Which group behaves how. */
    @FunctionalInterface
    public interface GroupRules {
        GroupSettings settingsOf(String shareName, String filter);
    }
}
