package io.rotamq.core.port;

import io.rotamq.core.port.Store.Failure;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A log in memory; {@link #run} does what was handed over, as with {@link MemoryStore}. */
public final class MemoryLog implements Log {
    private final TreeMap<Long, byte[]> records = new TreeMap<>();
    private final Map<String, Cursor> cursors = new HashMap<>();
    private final Queue<Runnable> queue = new ArrayDeque<>();
    private long owner;
    private long end;
    private @Nullable Failure failure;

    /** Does all that was handed over; says how much that was. */
    public int run() {
        int done = 0;
        for (Runnable work = queue.poll(); work != null; work = queue.poll()) {
            work.run();
            done++;
        }
        return done;
    }

    /** What the next process finds after a crash: none of what was queued. */
    public MemoryLog crash() {
        MemoryLog next = new MemoryLog();
        next.records.putAll(records);
        next.cursors.putAll(cursors);
        next.owner = owner;
        next.end = end;
        return next;
    }

    /** From now on the disk does not work. */
    public void fail(String reason) {
        failure = new Failure(Failure.Cause.UNKNOWN, reason);
    }

    @Override
    public void takeover(long epoch, Answer answer) {
        queue.add(
                () -> {
                    if (failure == null && epoch > owner) {
                        owner = epoch;
                        answer.done(end);
                    } else {
                        refuse(answer);
                    }
                });
    }

    @Override
    public void append(long epoch, List<byte[]> batch, Answer answer) {
        queue.add(() -> owned(epoch, answer, () -> store(batch)));
    }

    private long store(List<byte[]> batch) {
        long first = end;
        for (byte[] record : batch) {
            records.put(end++, record.clone());
        }
        return first;
    }

    @Override
    public void read(long from, int max, Reading reading) {
        queue.add(
                () -> {
                    Failure broken = failure;
                    if (broken != null) {
                        reading.failed(broken);
                        return;
                    }
                    List<Entry> found =
                            records.tailMap(from, true).entrySet().stream()
                                    .limit(max)
                                    .map(e -> new Entry(e.getKey(), e.getValue().clone()))
                                    .toList();
                    reading.read(found, end);
                });
    }

    @Override
    public void trim(long epoch, long to, Answer answer) {
        queue.add(
                () ->
                        owned(
                                epoch,
                                answer,
                                () -> {
                                    records.headMap(to).clear();
                                    return records.isEmpty() ? end : records.firstKey();
                                }));
    }

    @Override
    public void saveCursor(long epoch, String name, Cursor cursor, Answer answer) {
        queue.add(
                () ->
                        owned(
                                epoch,
                                answer,
                                () -> {
                                    cursors.put(name, cursor);
                                    return cursor.position();
                                }));
    }

    @Override
    public void cursor(String name, CursorReading reading) {
        queue.add(
                () -> {
                    Failure broken = failure;
                    if (broken == null) {
                        reading.read(cursors.get(name));
                    } else {
                        reading.failed(broken);
                    }
                });
    }

    /** What an owner does to the log. */
    private interface Change {
        long make();
    }

    private void owned(long epoch, Answer answer, Change change) {
        if (failure == null && epoch == owner && owner > 0) {
            answer.done(change.make());
        } else {
            refuse(answer);
        }
    }

    private void refuse(Answer answer) {
        Failure broken = failure;
        answer.refused(broken == null ? new Refusal.Fenced(owner) : new Refusal.Failed(broken));
    }
}
