package io.rotamq.core.share;

import io.rotamq.core.durable.Keep;
import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.MemoryBudget;
import io.rotamq.core.port.Meter;
import io.rotamq.core.share.Placement.Outcome;
import io.rotamq.core.strategy.Message;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The backlogs of the groups that one shard owns: takes what nobody could take, lets it wait in its
 * line, and serves the lines in order of arrival when a member can take work, when a routing key is
 * free again, or when the members or the rules of the group have changed.
 */
public final class GroupOwner {
    private final GroupPort port;
    private final Accounts accounts;
    private final Throttle throttle;
    private final Placement placement;
    private final Meter meter;
    private final Set<Group> waiting = new LinkedHashSet<>();

    public GroupOwner(GroupPort port, Dispatcher dispatcher, Meter meter, MemoryBudget memory) {
        this.port = port;
        this.accounts = new Accounts(port, meter, memory);
        this.throttle = new Throttle(port, accounts, memory);
        this.placement = new Placement(port, dispatcher, accounts, throttle);
        this.meter = meter;
    }

    /**
     * A message that nobody could take when it was published, or one of a group whose messages all
     * come this way; already counted as pending.
     *
     * @param keep what keeps it in the store; null for nothing
     */
    public void enqueue(Group group, Message message, @Nullable Keep keep) {
        Pending pending = Pending.fresh(message, keep);
        if (group.hasEnded()) {
            accounts.discard(group, pending, DropReason.GROUP_ENDED);
            end(group);
            return;
        }
        Backlog backlog = current(group);
        Line line = backlog.lineOf(message);
        if (!line.isFree()) {
            backlog.add(line, pending);
            serveUnowned(group);
        } else {
            Outcome outcome = placement.place(group, line, pending);
            if (outcome == Outcome.GONE) {
                backlog.close(line);
                settle(group);
                return;
            }
            backlog.add(line, pending);
            placement.hang(group, line, outcome);
        }
        if (backlog.regime().isKeyed()) {
            meter.count(Counter.SHARED_BACKLOGGED);
        }
        bound(group, line);
    }

    /** Messages that a member did not finish, already counted as pending: they come first. */
    public void takeBack(Group group, List<Pending> returned) {
        meter.add(Counter.SHARED_REDISPATCHED, returned.size());
        Backlog backlog = current(group);
        NavigableSet<Line> ready = new TreeSet<>(Line.BY_AGE);
        for (Pending pending : returned) {
            comesBack(backlog, pending);
            if (pending.isOpen()) {
                Line line = backlog.lineOf(pending.message());
                backlog.addReturned(line, pending);
                backlog.hang(line, ready);
            } else {
                // Its first holder is back already.
                accounts.discard(group, pending, DropReason.EXPIRED);
            }
        }
        if (group.hasEnded()) {
            end(group);
            return;
        }
        placement.serve(group, ready);
        waiting.add(group);
        throttle.bound(group);
        settle(group);
    }

    private static void comesBack(Backlog backlog, Pending pending) {
        Hold hold = pending.hold();
        if (hold != null && !hold.isOver()) {
            hold.back = pending;
            Line held = backlog.release(hold);
            if (held != null) {
                backlog.close(held);
            }
        }
    }

    /**
     * A delivery that held a routing key is over. At once if nothing follows from it; else false,
     * and {@link #release} has to be called later: what follows may be a delivery to the very
     * session that is at work now.
     */
    public boolean releases(Hold hold) {
        Line line = hold.line;
        if (line != null && !line.isEmpty() && !placement.isPlacing(line)) {
            return false;
        }
        letGo(hold);
        return true;
    }

    /** Whether it is giving out a message: what follows from that has to wait. */
    public boolean isBusy() {
        return placement.isBusy();
    }

    /** A delivery that held a routing key is over: the next message of the key may go. */
    public void release(Hold hold) {
        Group group = hold.group();
        Line line = letGo(hold);
        if (group.hasEnded()) {
            return;
        }
        current(group);
        if (line != null && group.backlog.has(line)) {
            placement.serve(group, line);
            settle(group);
        }
    }

    private static @Nullable Line letGo(Hold hold) {
        hold.over();
        Backlog backlog = hold.group().backlog;
        Line line = backlog.release(hold);
        if (line != null) {
            backlog.close(line);
        }
        return line;
    }

    /** The members changed, or some of them may be able to take work: all lines are tried. */
    public void drain(Group group) {
        if (group.hasEnded()) {
            end(group);
            return;
        }
        Backlog backlog = current(group);
        placement.serve(group, backlog.ready());
        settle(group);
    }

    /** A session has given back what it announced ({@link Group#awaitReturns}). */
    public void returned(Group group) {
        group.returned();
        drain(group);
    }

    /**
     * A member may be able to take work: the lines that wait for it, and one that anybody may have.
     */
    public void serve(Member member) {
        Group group = member.group();
        if (group.hasEnded()) {
            end(group);
            return;
        }
        current(group);
        placement.serve(group, member.lines());
        serveUnowned(group);
        settle(group);
    }

    private void serveUnowned(Group group) {
        placement.serve(group, group.backlog.unowned(true));
        placement.serve(group, group.backlog.unowned(false));
    }

    /** The last session has left: what waits is dropped. */
    public void end(Group group) {
        Backlog backlog = group.backlog;
        for (Line line = backlog.oldest(); line != null; line = backlog.oldest()) {
            Pending pending = backlog.poll(line);
            if (pending != null) {
                accounts.discard(group, pending, DropReason.GROUP_ENDED);
            }
        }
        throttle.releaseLanes(group);
        settle(group);
    }

    /** Drops what expired and ends the slowing of publishers when its time is over. */
    public void tick() {
        for (Group group : new ArrayList<>(waiting)) {
            purge(group);
            throttle.tick(group);
            settle(group);
        }
    }

    /** Groups of this shard that hold messages. */
    public int waiting() {
        return waiting.size();
    }

    /** The backlog, laid by the rules of this moment. */
    @SuppressWarnings("ReferenceEquality") // the same rules say: nothing to do
    private Backlog current(Group group) {
        Backlog backlog = group.backlog;
        Regime regime = group.regime();
        if (backlog.regime() != regime) {
            throttle.releaseLanes(group);
            if (backlog.follow(regime)) {
                placement.serve(group, backlog.ready());
            }
        }
        return backlog;
    }

    private void bound(Group group, Line line) {
        waiting.add(group);
        throttle.bound(group);
        if (group.backlog.regime().isKeyed()) {
            throttle.boundLane(group, line);
        }
        settle(group);
    }

    /** Takes out what expired, and what its first holder has resumed. */
    private void purge(Group group) {
        Backlog backlog = group.backlog;
        for (Line line : backlog.all()) {
            for (Pending dead : backlog.purge(line, port.now())) {
                accounts.discard(group, dead, DropReason.EXPIRED);
            }
            throttle.relieve(group, line);
        }
    }

    private void settle(Group group) {
        if (group.backlog.isEmpty()) {
            waiting.remove(group);
        }
        throttle.relieve(group);
    }
}
