package io.rotamq.server.net;

import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of cut packets that wait for their rest, on all loops together. Many peers that send
 * most of a large packet must not use up the memory from which all connections take their buffers:
 * beyond the limit those go that want to hold more. Small pieces do not count, so that the shared
 * word is rarely touched.
 */
final class HeldBytes {
    /** Pieces up to this size are free. */
    private static final int FREE = 16 * 1024;

    private final long limit;
    private final AtomicLong used = new AtomicLong();

    HeldBytes(long limit) {
        this.limit = limit;
    }

    /** Half of what there is for buffers outside of the heap. */
    static HeldBytes ofThisProcess() {
        return new HeldBytes(PlatformDependent.maxDirectMemory() / 2);
    }

    /** What a buffer of this capacity counts. */
    static int charge(int capacity) {
        return capacity <= FREE ? 0 : capacity;
    }

    /** One buffer grew or shrank; false if that is too much. */
    boolean change(int difference) {
        return used.addAndGet(difference) <= limit || difference <= 0;
    }

    long used() {
        return used.get();
    }
}
