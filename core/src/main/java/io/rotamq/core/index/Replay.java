package io.rotamq.core.index;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The retained messages that a filter matches, taken portion by portion as the subscriber has room
 * for them. It copies nothing: it holds on to the part of the tree that it is in, so a replay of
 * any size costs the same.
 *
 * <p>Owned by one thread at a time, usually the loop of the subscriber's session; the retained
 * messages may change meanwhile. A topic that has a message all the time is passed exactly once,
 * with the message that it has at that moment. A topic that gets its first message meanwhile may be
 * left out, one whose message was removed is, unless it was passed before; and one that lost its
 * message and got another may be passed a second time, with that.
 *
 * @param <M> a retained message
 */
public final class Replay<M> {
    private final TreeCursor<Held<M>> cursor;

    Replay(TreeCursor<Held<M>> cursor) {
        this.cursor = cursor;
    }

    /** Whether everything has been passed. */
    public boolean done() {
        return cursor.done();
    }

    /**
     * Hands over the next messages.
     *
     * @param maxMessages how many at most
     * @param maxSteps how many places of the tree to look at, at most; each is a fraction of a
     *     microsecond, and a filter with a wildcard in front of other levels may find nothing at
     *     many of them
     * @return how many messages were handed over; none does not mean {@link #done}
     */
    public int advance(int maxMessages, int maxSteps, Consumer<? super M> sink) {
        int messages = 0;
        for (int i = 0; i < maxSteps && messages < maxMessages && !cursor.done(); i++) {
            M message = next();
            if (message != null) {
                messages++;
                sink.accept(message);
            }
        }
        return messages;
    }

    private @Nullable M next() {
        Held<M> held = cursor.step();
        return held == null ? null : held.message();
    }
}
