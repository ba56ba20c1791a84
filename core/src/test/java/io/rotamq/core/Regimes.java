package io.rotamq.core;

import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.SharingSettings.GroupRules;
import io.rotamq.core.share.Group;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import java.util.ArrayList;
import java.util.List;

/** How each group is to behave: the rules that the broker was given last, and when that was. */
final class Regimes {
    private final Simulation simulation;
    private final List<Regime> kinds = new ArrayList<>();

    /** The broker is about to change its rules, group by group. */
    boolean changing;

    Regimes(Simulation simulation) {
        this.simulation = simulation;
        simulation.scenario.kinds().forEach(settings -> kinds.add(new Regime(settings)));
    }

    /** Rules by which every group is of one of several kinds. */
    static GroupRules rules(List<GroupSettings> kinds) {
        List<GroupSettings> settled = List.copyOf(kinds);
        return (name, filter) -> settled.get(kind(name, filter, settled.size()));
    }

    private static int kind(String shareName, String filter, int kinds) {
        return Math.floorMod(31 * shareName.hashCode() + filter.hashCode(), kinds);
    }

    Regime of(Group group) {
        return of(group.shareName(), group.filter().toString());
    }

    Regime of(SubscriptionFilter filter) {
        return of(String.valueOf(filter.shareName()), filter.filter().toString());
    }

    private Regime of(String shareName, String filter) {
        return kinds.get(kind(shareName, filter, kinds.size()));
    }

    /** The operator changes his mind while the broker works. */
    void change() {
        List<GroupSettings> next = new ArrayList<>();
        for (Regime regime : kinds) {
            next.add(
                    simulation.random.nextBoolean()
                            ? simulation.scenario.changed(regime.settings, simulation.random)
                            : regime.settings);
        }
        simulation.trace("rules become %s", next);
        for (int i = 0; i < next.size(); i++) {
            kinds.get(i).changes(next.get(i), simulation.step);
        }
        changing = true;
        simulation.node.regroup(rules(next));
        changing = false;
        kinds.forEach(regime -> regime.changed(simulation.ledger.accepted()));
        simulation.node.forEachGroup(this::checkObeys);
        simulation.trace("rules are changed");
    }

    /** Whether a group has the settings that the rules give it. */
    void checkObeys(Group group) {
        simulation.check(
                group.settings().equals(of(group).settings),
                "%s has other settings than its rule: %s",
                group,
                group.settings());
    }
}
