package io.rotamq.core;

import io.rotamq.core.share.Group;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A member that takes nothing must not hold up what others may have. While one client does nothing
 * and all others did what they could, whatever still waits must be waiting for that client: when it
 * works again, and the members are the same, it is the one that gets it.
 */
final class Holdups {
    private final Simulation simulation;
    private final List<Held> held = new ArrayList<>();

    /** Messages that waited for the idle client. */
    int tried;

    Holdups(Simulation simulation) {
        this.simulation = simulation;
    }

    private record Held(Obligation obligation, ModelSession by, int changed, int regime) {}

    /** All is done that can be done without the client. */
    void note(@Nullable ModelSession idle) {
        held.clear();
        if (idle != null && idle.core.isOnline()) {
            simulation.node.forEachGroup(group -> note(group, idle));
        }
    }

    private void note(Group group, ModelSession idle) {
        Regime regime = simulation.regimes.of(group);
        int changed = simulation.affinity.changed(group);
        if (!simulation.keys.open(group).stream().allMatch(o -> simulation.fitsAll(o.message))) {
            // What is too large for all others waits, and may be first in line.
            return;
        }
        for (Obligation obligation : simulation.keys.open(group)) {
            boolean waits =
                    regime.isKeyShared()
                            ? isKeyHeld(group, regime, obligation)
                            : isOfLaterConnection(group, obligation);
            if (!obligation.sent && regime.isNew(obligation.message) && !waits) {
                held.add(new Held(obligation, idle, changed, regime.number));
            }
        }
    }

    /**
     * Whether something of an earlier connection of its publisher waits: all connections of a
     * client are one line, though each may have a member of its own.
     */
    private boolean isOfLaterConnection(Group group, Obligation obligation) {
        Published message = obligation.message;
        return simulation.keys.open(group).stream()
                .anyMatch(
                        o ->
                                o.message.publisher.equals(message.publisher)
                                        && o.message.link != message.link);
    }

    /** Whether an earlier message of its key is under way to somebody, or waits for him. */
    private boolean isKeyHeld(Group group, Regime regime, Obligation obligation) {
        String key = regime.key(obligation.message);
        int accepted = obligation.message.accepted;
        return simulation.keys.open(group).stream()
                .anyMatch(
                        o ->
                                o != obligation
                                        && (o.sent || o.message.accepted < accepted)
                                        && regime.key(o.message).equals(key));
    }

    /** The client works again, and all is done. */
    void check() {
        for (Held one : held) {
            Group group = one.obligation().group;
            ModelSession first = one.obligation().first;
            if (first != null
                    && group != null
                    && simulation.affinity.changed(group) == one.changed()
                    && simulation.regimes.of(group).number == one.regime()) {
                tried++;
                simulation.check(
                        first == one.by(),
                        "%s, %s, waited for %s, and then went to %s",
                        one.obligation(),
                        simulation.regimes.of(group).settings.choice(),
                        one.by(),
                        first);
            }
        }
        held.clear();
    }
}
