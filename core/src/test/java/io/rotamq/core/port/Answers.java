package io.rotamq.core.port;

import io.rotamq.core.port.Store.Commit;
import io.rotamq.core.port.Store.Entry;
import io.rotamq.core.port.Store.Failure;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Notes what a store or a log answers, in the order of the answers, from any thread. */
final class Answers {
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final AtomicInteger open = new AtomicInteger();

    /** Answers so far. */
    List<String> heard() {
        return heard;
    }

    boolean areComplete() {
        return open.get() == 0;
    }

    Commit commit(String name) {
        return commit(name, () -> {});
    }

    /** Also does something on the thread that tells. */
    Commit commit(String name, Runnable then) {
        open.incrementAndGet();
        return new Commit() {
            @Override
            public void committed() {
                then.run();
                hear(name + " committed");
            }

            @Override
            public void failed(Failure failure) {
                then.run();
                hear(name + " failed: " + failure.cause());
            }
        };
    }

    /** Notes keys, as text. */
    Store.Reading reading() {
        open.incrementAndGet();
        return new Store.Reading() {
            @Override
            public void read(List<Entry> entries, boolean more) {
                List<String> found =
                        entries.stream().map(e -> text(e.key()) + "=" + text(e.value())).toList();
                hear(found + (more ? " and more" : ""));
            }

            @Override
            public void failed(Failure failure) {
                hear("failed: " + failure.cause());
            }
        };
    }

    Log.Answer answer(String name) {
        open.incrementAndGet();
        return new Log.Answer() {
            @Override
            public void done(long offset) {
                hear(name + " at " + offset);
            }

            @Override
            public void refused(Log.Refusal refusal) {
                hear(
                        switch (refusal) {
                            case Log.Refusal.Fenced(long epoch) -> name + " fenced by " + epoch;
                            case Log.Refusal.Failed(Failure failure) ->
                                    name + " failed: " + failure.cause();
                        });
            }
        };
    }

    /** Notes offsets and records, as text. */
    Log.Reading records() {
        open.incrementAndGet();
        return new Log.Reading() {
            @Override
            public void read(List<Log.Entry> entries, long end) {
                List<String> found =
                        entries.stream().map(e -> e.offset() + ":" + text(e.record())).toList();
                hear(found + " end " + end);
            }

            @Override
            public void failed(Failure failure) {
                hear("failed: " + failure.cause());
            }
        };
    }

    Log.CursorReading cursor() {
        open.incrementAndGet();
        return new Log.CursorReading() {
            @Override
            public void read(Log.@Nullable Cursor cursor) {
                hear(
                        cursor == null
                                ? "no cursor"
                                : cursor.position() + Arrays.toString(cursor.acknowledged()));
            }

            @Override
            public void failed(Failure failure) {
                hear("failed: " + failure.cause());
            }
        };
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private void hear(String what) {
        heard.add(what);
        open.decrementAndGet();
    }
}
