package io.rotamq.core.port;

import java.util.List;
import java.util.regex.Pattern;

/** Whether subscriptions can be shared, and which group behaves how: the first matching rule. */
public record SharingSettings(boolean enabled, GroupSettings defaults, List<Rule> rules) {
    public static final SharingSettings DEFAULTS =
            new SharingSettings(true, GroupSettings.DEFAULTS, List.of());

    /** Patterns are globs: {@code *} for any characters, {@code ?} for one. */
    public record Rule(Pattern share, Pattern filter, GroupSettings settings) {
        public static Rule of(String shareGlob, String filterGlob, GroupSettings settings) {
            return new Rule(glob(shareGlob), glob(filterGlob), settings);
        }

        private static Pattern glob(String glob) {
            StringBuilder regex = new StringBuilder();
            for (int i = 0; i < glob.length(); i++) {
                char c = glob.charAt(i);
                switch (c) {
                    case '*' -> regex.append(".*");
                    case '?' -> regex.append('.');
                    default -> regex.append(Pattern.quote(String.valueOf(c)));
                }
            }
            return Pattern.compile(regex.toString(), Pattern.DOTALL);
        }
    }

    public GroupSettings of(String shareName, String filter) {
        for (Rule rule : rules) {
            if (rule.share().matcher(shareName).matches()
                    && rule.filter().matcher(filter).matches()) {
                return rule.settings();
            }
        }
        return defaults;
    }
}
