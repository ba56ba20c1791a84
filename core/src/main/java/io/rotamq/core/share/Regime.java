package io.rotamq.core.share;

import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.GroupSettings.StrategyName;
import io.rotamq.core.strategy.Message;
import io.rotamq.core.strategy.Strategy;

/**
 * The rules of a group at one moment. Replaced as one piece, so that nobody sees the strategy of
 * one rule with the bounds of another.
 */
record Regime(GroupSettings settings, Strategy strategy) {
    /** The same strategy goes on if the choice is the same. */
    Regime next(GroupSettings changed) {
        boolean same = changed.choice().equals(settings.choice());
        return new Regime(changed, same ? strategy : Strategy.of(changed.choice()));
    }

    /** Whether nothing has changed about who is chosen and what waits in which line. */
    @SuppressWarnings("ReferenceEquality") // a strategy is one group's for some time
    boolean choosesLike(Regime other) {
        return strategy == other.strategy;
    }

    /** Whether messages with equal routing keys go out one at a time. */
    boolean isKeyed() {
        return settings.choice().strategy() == StrategyName.KEY_SHARED;
    }

    int mostMembers() {
        boolean exclusive = settings.choice().strategy() == StrategyName.EXCLUSIVE;
        return exclusive ? 1 : settings.maximumMembers();
    }

    /** The line of QoS 0 where it waits apart: only for room in a socket, as a rule. */
    private record AtMostOnce(Object line) {}

    Object lineOf(Message message) {
        Object line = strategy.line(message);
        return isApart(message) ? new AtMostOnce(line) : line;
    }

    boolean isApart(Message message) {
        return message.qos() == 0 && !isKeyed();
    }
}
