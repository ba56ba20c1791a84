package io.rotamq.server.net;

import io.netty.util.internal.PlatformDependent;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of cut packets that wait for their rest, on all loops together. Many peers that send
 * most of a large packet must not use up the memory from which all connections take their buffers:
 * beyond the limit those go that have held theirs for the longest time, whoever it is that needs
 * the room. Small pieces do not count, so that what is shared is rarely touched.
 */
final class HeldBytes {
    /** Pieces up to this size are free. */
    private static final int FREE = 16 * 1024;

    private final long limit;
    private final AtomicLong used = new AtomicLong();
    private final AtomicLong tickets = new AtomicLong();

    /** Whether a holder is about to give up: nobody else has to before it has. */
    private final AtomicBoolean relieving = new AtomicBoolean();

    private final ConcurrentSkipListMap<Long, Holder> holders = new ConcurrentSkipListMap<>();

    HeldBytes(long limit) {
        this.limit = limit;
    }

    /** Whoever holds a cut packet. */
    interface Holder {
        /** Lets go of it soon, and of its connection; any thread. */
        void giveUp();
    }

    /** Half of what there is for buffers outside of the heap. */
    static HeldBytes ofThisProcess() {
        return new HeldBytes(PlatformDependent.maxDirectMemory() / 2);
    }

    /** What a buffer of this capacity counts. */
    static int charge(int capacity) {
        return capacity <= FREE ? 0 : capacity;
    }

    /** One buffer grew or shrank. */
    void change(long difference) {
        used.addAndGet(difference);
    }

    /** A holder begins to hold; its ticket says since when. */
    long enter(Holder holder) {
        long ticket = tickets.incrementAndGet();
        holders.put(ticket, holder);
        return ticket;
    }

    void leave(long ticket) {
        holders.remove(ticket);
    }

    /** If all that is held is too much, makes one holder give up, the one that began first. */
    void relieve() {
        if (used.get() > limit && relieving.compareAndSet(false, true)) {
            Map.Entry<Long, Holder> oldest = holders.pollFirstEntry();
            if (oldest == null) {
                relieving.set(false);
            } else {
                oldest.getValue().giveUp();
            }
        }
    }

    /** A holder has given up, and its bytes do not count any more. */
    void relieved() {
        relieving.set(false);
        relieve();
    }

    long used() {
        return used.get();
    }

    long limit() {
        return limit;
    }
}
