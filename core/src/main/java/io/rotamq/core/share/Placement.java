package io.rotamq.core.share;

import io.rotamq.core.port.DropReason;
import io.rotamq.core.strategy.Candidate;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.Message;
import java.util.NavigableSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Gives messages of a backlog to members, and counts those that cannot be given to any. Works for
 * the shard that owns the group.
 */
final class Placement {
    /** What became of a message. */
    enum Outcome {
        /** A member has it, or its loss is counted. */
        GONE,
        /** Its owner is there but full. */
        AWAITS_OWNER,
        /** Nobody can take it now, whoever it is. */
        AWAITS_ANYBODY
    }

    private final GroupPort port;
    private final Dispatcher dispatcher;
    private final Accounts accounts;
    private final Throttle throttle;

    private @Nullable Line placing;

    Placement(GroupPort port, Dispatcher dispatcher, Accounts accounts, Throttle throttle) {
        this.port = port;
        this.dispatcher = dispatcher;
        this.accounts = accounts;
        this.throttle = throttle;
    }

    /** Whether a message of that line is being given out: the line is looked at again then. */
    @SuppressWarnings("ReferenceEquality") // lines are told apart, not compared
    boolean isPlacing(Line line) {
        return placing == line;
    }

    boolean isBusy() {
        return placing != null;
    }

    /** Serves lines of one queue, the oldest message first, until one of them stays in it. */
    void serve(Group group, NavigableSet<Line> queue) {
        while (!queue.isEmpty()) {
            Line line = queue.first();
            if (step(group, line)) {
                if (line.isReady() && !line.waitsIn(queue)) {
                    // Its key was held, and is free again: QoS 0 that is sent is done.
                    group.backlog.hang(line, queue);
                }
            } else if (line.waitsIn(queue)) {
                return;
            }
        }
    }

    /** Serves one line that waits for nothing known. */
    void serve(Group group, Line line) {
        boolean goesOn = true;
        while (goesOn && line.isReady()) {
            goesOn = step(group, line);
        }
    }

    /** Gives out the first message of a line; else the line waits where it has to. */
    private boolean step(Group group, Line line) {
        Pending first = Objects.requireNonNull(line.peek());
        Outcome outcome = place(group, line, first);
        if (outcome == Outcome.GONE) {
            group.backlog.poll(line);
            throttle.relieve(group, line);
            return true;
        }
        hang(group, line, outcome);
        return false;
    }

    /** Lets a line wait, after an attempt that failed. */
    void hang(Group group, Line line, Outcome outcome) {
        Backlog backlog = group.backlog;
        if (outcome == Outcome.AWAITS_OWNER) {
            Candidate owner = Objects.requireNonNull(dispatcher.claim().awaited());
            backlog.hang(line, Member.of(owner).lines());
        } else {
            backlog.hang(line, backlog.unowned(line.isAtMostOnce()));
        }
    }

    /** Gives one message to a member if possible; it is in the line, or would be its only one. */
    Outcome place(Group group, Line line, Pending next) {
        Message message = next.message();
        if (!next.isOpen() || message.isExpired(port.now())) {
            accounts.discard(group, next, DropReason.EXPIRED);
            return Outcome.GONE;
        }
        if (group.isReturning()) {
            return Outcome.AWAITS_ANYBODY;
        }
        Member member = dispatcher.choose(group, group.backlog.regime(), message, line);
        if (group.isReturning()) {
            // A member was lost at this very moment: first what it had.
            if (member != null) {
                dispatcher.withdraw(member, message);
            }
            return Outcome.AWAITS_ANYBODY;
        }
        if (member != null) {
            placing = line;
            hand(group, line, next, member);
            placing = null;
            return Outcome.GONE;
        }
        if (dispatcher.claim().awaited() != null) {
            return Outcome.AWAITS_OWNER;
        }
        DropReason hopeless = dispatcher.hopeless(group, message);
        if (hopeless == null) {
            return Outcome.AWAITS_ANYBODY;
        }
        accounts.discard(group, next, hopeless);
        return Outcome.GONE;
    }

    private void hand(Group group, Line line, Pending next, Member member) {
        Message message = next.message();
        Grant grant = dispatcher.claim().grant();
        long epoch = dispatcher.claim().epoch();
        Backlog backlog = group.backlog;
        if (next.take()) {
            Hold hold = backlog.regime().isKeyed() ? backlog.hold(line, group, message) : null;
            port.deliver(member, grant, message, epoch, hold, next.keep());
            accounts.taken(next);
        } else {
            // Its first holder came back between the look and the grip.
            dispatcher.withdraw(member, message);
            backlog.resumed(next);
        }
        accounts.left(group, next);
    }
}
