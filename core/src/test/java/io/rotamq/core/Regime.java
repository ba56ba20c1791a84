package io.rotamq.core;

import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.GroupSettings.OfflineMembers;
import io.rotamq.core.port.GroupSettings.StrategyName;

/** The settings of one kind of group, which may change while it works, and since when they hold. */
final class Regime {
    private static final int NOW = Integer.MAX_VALUE;

    GroupSettings settings;

    /** Rises whenever members are chosen by another rule. */
    int number;

    /** How often anything about them changed. */
    int changes;

    /** Publishes up to this one may still have been routed by the rule before. */
    private int since;

    /** Publishes up to this one may still have been routed by any settings before. */
    private int latest;

    /** The latest step at which the work of absent members went to others. */
    private int skipped = -1;

    /** The latest step at which order was kept by key. */
    private int keyed = -1;

    /** The latest step at which what was kept for absent members was given to others. */
    int gaveUpKeeping = -1;

    Regime(GroupSettings settings) {
        this.settings = settings;
        takesEffect();
    }

    /** From here on messages may be routed by the next settings, and still by those before. */
    void changes(GroupSettings next, int step) {
        skipped = isSkipping() ? step : skipped;
        keyed = isKeyShared() ? step : keyed;
        gaveUpKeeping =
                !isSkipping() && next.offlineMembers() == OfflineMembers.SKIP
                        ? step
                        : gaveUpKeeping;
        if (!next.equals(settings)) {
            changes++;
            latest = NOW;
        }
        if (!next.choice().equals(settings.choice())) {
            number++;
            since = NOW;
        }
        settings = next;
        takesEffect();
    }

    private void takesEffect() {
        skipped = isSkipping() ? NOW : skipped;
        keyed = isKeyShared() ? NOW : keyed;
    }

    /** The change is complete: what is published after {@code accepted} obeys. */
    void changed(int accepted) {
        since = since == NOW ? accepted : since;
        latest = latest == NOW ? accepted : latest;
    }

    /** Whether the message can only have been routed by the present rule. */
    boolean isNew(Published message) {
        return message.accepted > since;
    }

    /** Whether all its settings were in force when the message was published. */
    boolean isLatest(Published message) {
        return message.accepted > latest;
    }

    StrategyName strategy() {
        return settings.choice().strategy();
    }

    boolean isKeyShared() {
        return strategy() == StrategyName.KEY_SHARED;
    }

    boolean isSkipping() {
        return settings.offlineMembers() == OfflineMembers.SKIP;
    }

    /** Whether absent members lost their work at that step or later. */
    boolean skippedSince(int step) {
        return skipped >= step;
    }

    /** Whether order was kept by key, and by nothing else, at that step or later. */
    boolean wasKeyedSince(int step) {
        return keyed >= step;
    }

    /** The routing key of a message under the present rule. */
    String key(Published message) {
        return message.key(settings.choice().key());
    }
}
