package io.rotamq.server.net;

import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that wait for peers to read them, on all loops together. Each connection has its own
 * bound; when very many peers do not read, those bounds together are more than there is, and each
 * gets only a little. Touched only when a socket did not take all that it was given.
 */
final class WaitingBytes {
    /** What one connection may have waiting while memory is short. */
    private static final int SHARE = 16 * 1024;

    private final long plenty;
    private final AtomicLong used = new AtomicLong();

    WaitingBytes(long plenty) {
        this.plenty = plenty;
    }

    /** A quarter of what there is for buffers outside of the heap. */
    static WaitingBytes ofThisProcess() {
        return new WaitingBytes(PlatformDependent.maxDirectMemory() / 4);
    }

    void change(long difference) {
        used.addAndGet(difference);
    }

    /** What is left of a connection's bound. */
    int bound(int configured) {
        return used.get() <= plenty ? configured : Math.min(configured, SHARE);
    }

    long used() {
        return used.get();
    }
}
