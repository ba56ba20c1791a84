package io.rotamq.core.share;

import io.rotamq.core.strategy.Message;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The messages a group holds because no member can take them now, in lines. A line waits for its
 * owner – among the lines of that member – or for anybody, or for the delivery that holds its key.
 * Owned by the shard that owns the group; the counts may be read by anybody.
 */
final class Backlog {
    private final Map<Object, Line> lines = new HashMap<>();

    /** Those that have messages, the one with the oldest first. */
    private final NavigableSet<Line> byAge = new TreeSet<>(Line.BY_AGE);

    private final NavigableSet<Line> unowned = new TreeSet<>(Line.BY_AGE);
    private final NavigableSet<Line> unownedAtMostOnce = new TreeSet<>(Line.BY_AGE);

    /** Of deliveries made by {@code key_shared}, while the group has another strategy. */
    private final Set<Hold> asleep = new HashSet<>(0);

    private final AtomicInteger size = new AtomicInteger();
    private final AtomicInteger waitingLines = new AtomicInteger();
    private final AtomicInteger longest = new AtomicInteger();
    private final AtomicInteger held = new AtomicInteger();
    private Regime regime;
    private long nextLine;

    Backlog(Regime regime) {
        this.regime = regime;
    }

    /** The rules by which the lines are laid. */
    Regime regime() {
        return regime;
    }

    int size() {
        return size.getPlain();
    }

    boolean isEmpty() {
        return size.getPlain() == 0;
    }

    /** Lines that have messages. */
    int lines() {
        return waitingLines.getOpaque();
    }

    /** Messages in the longest line since the backlog was empty. */
    int longestLine() {
        return longest.getOpaque();
    }

    /** Deliveries under way that hold a routing key. */
    int held() {
        return held.getOpaque();
    }

    /** The line of a message, be it empty; to be closed by who leaves it so. */
    Line lineOf(Message message) {
        Object key = regime.lineOf(message);
        Line line = lines.get(key);
        if (line == null) {
            line = new Line(key, regime.isApart(message), nextLine++);
            lines.put(key, line);
        }
        return line;
    }

    /** Forgets a line that has nothing and that nothing holds. */
    void close(Line line) {
        if (line.isFree()) {
            lines.remove(line.key(), line);
        }
    }

    void add(Line line, Pending pending) {
        boolean first = line.isEmpty();
        line.add(pending);
        added(line);
        if (first) {
            link(line);
        }
    }

    void addReturned(Line line, Pending pending) {
        unlink(line);
        line.addReturned(pending);
        added(line);
        link(line);
    }

    private void added(Line line) {
        add(size, 1);
        if (line.size() > longest.getPlain()) {
            longest.setOpaque(line.size());
        }
    }

    @Nullable Pending poll(Line line) {
        unlink(line);
        Pending first = line.poll();
        removed(line, first == null ? 0 : 1);
        return first;
    }

    /** Takes out of a line what expired and what its first holder has resumed. */
    List<Pending> purge(Line line, long now) {
        unlink(line);
        List<Pending> dead =
                line.removeAll(pending -> !pending.isOpen() || pending.message().isExpired(now));
        removed(line, dead.size());
        return dead;
    }

    private void removed(Line line, int count) {
        add(size, -count);
        if (isEmpty()) {
            longest.setOpaque(0);
        }
        link(line);
        close(line);
    }

    /** The line with the oldest message, or with the oldest of QoS 0 if there is any. */
    @Nullable Line oldest() {
        return byAge.isEmpty() ? null : byAge.first();
    }

    /** Those that have messages. */
    List<Line> all() {
        return List.copyOf(byAge);
    }

    NavigableSet<Line> unowned(boolean atMostOnce) {
        return atMostOnce ? unownedAtMostOnce : unowned;
    }

    /** The line waits among these from now on. */
    void hang(Line line, NavigableSet<Line> queue) {
        unlink(line);
        line.queue = queue;
        link(line);
    }

    /** The lines that may go on, in a queue of their own: to be chosen for anew. */
    NavigableSet<Line> ready() {
        NavigableSet<Line> ready = new TreeSet<>(Line.BY_AGE);
        for (Line line : all()) {
            hang(line, ready);
        }
        return ready;
    }

    /** The delivery of a message from this line begins. */
    Hold hold(Line line, Group group, Message message) {
        Hold hold = new Hold(group, message);
        unlink(line);
        line.hold(hold);
        add(held, 1);
        link(line);
        return hold;
    }

    /** A delivery is over, or comes back; the line that it held, if the strategy has such. */
    @Nullable Line release(Hold hold) {
        Line line = hold.line;
        if (line != null) {
            unlink(line);
            line.release(hold);
            add(held, -1);
            link(line);
        } else {
            asleep.remove(hold);
        }
        return line;
    }

    /** The first holder of a message has resumed it, so that its delivery goes on as before. */
    @SuppressWarnings("ReferenceEquality") // the very piece that came back last
    void resumed(Pending pending) {
        Hold hold = pending.hold();
        if (hold == null || hold.isOver() || hold.back != pending) {
            return;
        }
        hold.back = null;
        lay(hold);
    }

    private void lay(Hold hold) {
        if (!regime.isKeyed()) {
            asleep.add(hold);
            return;
        }
        Line line = lineOf(hold.message());
        unlink(line);
        line.hold(hold);
        add(held, 1);
        link(line);
    }

    /** Whether the line is still one of this backlog. */
    @SuppressWarnings("ReferenceEquality") // lines are told apart, not compared
    boolean has(Line line) {
        return lines.get(line.key()) == line;
    }

    /** Other rules from now on; true if they laid the lines anew, so that all may go on. */
    boolean follow(Regime next) {
        boolean anew = !next.choosesLike(regime);
        if (anew) {
            lay(next);
        }
        regime = next;
        return anew;
    }

    /** All messages in other lines, in order of arrival, and those given back before the others. */
    private void lay(Regime next) {
        Collection<Line> before = List.copyOf(lines.values());
        List<Pending> returned = new ArrayList<>();
        List<Pending> fresh = new ArrayList<>();
        List<Hold> holds = new ArrayList<>(asleep);
        for (Line line : before) {
            unlink(line);
            returned.addAll(line.returned());
            fresh.addAll(line.fresh());
            holds.addAll(line.holds());
        }
        lines.clear();
        asleep.clear();
        regime = next;
        size.setOpaque(0);
        longest.setOpaque(0);
        held.setOpaque(0);
        for (Hold hold : holds) {
            hold.line = null;
            hold.next = null;
            lay(hold);
        }
        fresh.sort(Line.BY_ARRIVAL);
        fresh.forEach(pending -> add(lineOf(pending.message()), pending));
        returned.forEach(pending -> addReturned(lineOf(pending.message()), pending));
    }

    /** Before any change to a line: its place depends on its first message and its holds. */
    private void unlink(Line line) {
        if (line.isEmpty()) {
            return;
        }
        byAge.remove(line);
        NavigableSet<Line> queue = line.queue;
        if (queue != null) {
            queue.remove(line);
        }
    }

    private void link(Line line) {
        Pending first = line.peek();
        if (first != null) {
            line.age = first.message().arrival();
            byAge.add(line);
        }
        NavigableSet<Line> queue = line.queue;
        if (queue != null && line.isReady()) {
            queue.add(line);
        } else {
            line.queue = null;
        }
        if (waitingLines.getPlain() != byAge.size()) {
            waitingLines.setOpaque(byAge.size());
        }
    }

    /** Written by the owner alone, without a locked instruction. */
    private static void add(AtomicInteger count, int n) {
        count.setOpaque(count.getPlain() + n);
    }
}
