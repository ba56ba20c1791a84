package io.rotamq.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import io.netty.util.concurrent.FastThreadLocal;

/**
 * One read buffer for each loop instead of one for each read. Packets are decoded in place, and
 * what is left of a cut packet is copied out, so the buffer is free again when a read event ends;
 * should somebody hold on to it, the loop takes a new one. Reads are as large as the system has
 * data, an idle connection owns no guess and no buffer, and one read for each readiness keeps loops
 * fair.
 *
 * <p>Only for connections without TLS: its handler keeps cut records, and so would keep buffers.
 */
final class ReadBuffers implements RecvByteBufAllocator {
    static final int SIZE = 64 * 1024;

    private static final FastThreadLocal<Slot> SLOTS =
            new FastThreadLocal<>() {
                @Override
                protected Slot initialValue() {
                    return new Slot();
                }

                @Override
                protected void onRemoval(Slot slot) {
                    slot.free();
                }
            };

    @Override
    @SuppressWarnings("deprecation") // the supertype, which the interface names
    public Handle newHandle() {
        return new OneRead();
    }

    /** The buffer of one loop. */
    private static final class Slot {
        private ByteBuf buffer = Unpooled.EMPTY_BUFFER;

        ByteBuf take(ByteBufAllocator allocator) {
            if (buffer.refCnt() != 1 || buffer.capacity() == 0) {
                free();
                buffer = allocator.directBuffer(SIZE, SIZE);
            }
            return buffer.clear().retain();
        }

        void free() {
            buffer.release();
        }
    }

    /** Reads once for each readiness; epoll tells again if there is more. */
    private static final class OneRead implements ExtendedHandle {
        private int attempted;
        private int last;

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            return SLOTS.get().take(allocator);
        }

        @Override
        public int guess() {
            return SIZE;
        }

        @Override
        public void reset(ChannelConfig config) {
            last = 0;
            attempted = 0;
        }

        @Override
        public void incMessagesRead(int messages) {}

        @Override
        public void lastBytesRead(int bytes) {
            last = bytes;
        }

        @Override
        public int lastBytesRead() {
            return last;
        }

        @Override
        public void attemptedBytesRead(int bytes) {
            attempted = bytes;
        }

        @Override
        public int attemptedBytesRead() {
            return attempted;
        }

        @Override
        public boolean continueReading() {
            return false;
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier more) {
            return false;
        }

        @Override
        public void readComplete() {}
    }
}
