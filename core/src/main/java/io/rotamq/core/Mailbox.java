package io.rotamq.core;

import io.rotamq.core.port.Waker;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jctools.queues.MpscUnboundedArrayQueue;

/**
 * What other shards, and the shard itself, have for a shard to do: filled by any of them, emptied
 * by its own loop in batches. The loop is woken once per burst, not per entry.
 */
final class Mailbox {
    /** Entries run before the loop sees to its sockets again. */
    private static final int BATCH = 1_024;

    private static final int CHUNK = 256;

    private final MpscUnboundedArrayQueue<Object> queue = new MpscUnboundedArrayQueue<>(CHUNK);
    private final AtomicBoolean awake = new AtomicBoolean();
    private final Waker waker;
    private final int index;

    Mailbox(Waker waker, int index) {
        this.waker = waker;
        this.index = index;
    }

    /** What is done with an entry. */
    interface Reader {
        void read(Object entry);
    }

    void post(Object entry) {
        queue.offer(entry);
        wake();
    }

    /** Reads a batch; what lies behind it, or behind an entry that fails, has its turn later. */
    void run(Reader reader) {
        awake.set(false);
        try {
            for (int i = 0; i < BATCH; i++) {
                Object entry = queue.poll();
                if (entry == null) {
                    return;
                }
                reader.read(entry);
            }
        } finally {
            if (!queue.isEmpty()) {
                wake();
            }
        }
    }

    /** Reads all that is there now, in the middle of something else. */
    void catchUp(Reader reader) {
        for (int rest = queue.size(); rest > 0; rest--) {
            Object entry = queue.poll();
            if (entry == null) {
                return;
            }
            reader.read(entry);
        }
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    int size() {
        return queue.size();
    }

    /** Lets the loop have a turn soon, if only to look after itself. */
    void wake() {
        if (!awake.get() && awake.compareAndSet(false, true)) {
            waker.wake(index);
        }
    }
}
