package io.rotamq.server.config;

import java.util.List;

/**
 * Plain subscriptions.
 *
 * @param overlap what a client gets when several of its subscriptions match one message
 */
public record SubscriptionSettings(Overlap overlap) {

    /** How many copies of a message a client gets that several of its subscriptions match. */
    public enum Overlap {
        /** One, at the highest QoS, with all subscription identifiers. */
        MERGE,
        /** One for each subscription. */
        SEPARATE
    }

    static final Setting<Overlap> OVERLAP =
            Setting.of(
                    "subscriptions.overlap",
                    Kinds.choice(Overlap.class),
                    "merge",
                    "What a client gets when several of its plain subscriptions match a message:"
                        + " `merge`, one copy at the highest QoS with all identifiers; `separate`,"
                        + " one copy for each.");

    static final Section SECTION = new Section("Subscriptions", "", List.of(OVERLAP));

    static SubscriptionSettings of(Values values) {
        return new SubscriptionSettings(values.get(OVERLAP));
    }
}
