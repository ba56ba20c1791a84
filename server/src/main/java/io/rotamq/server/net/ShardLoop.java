package io.rotamq.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.SingleThreadEventLoop;
import io.rotamq.core.Shard;
import io.rotamq.mqtt.topic.TopicNames;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One event loop with the shard it owns and what its connections share. Everything but {@link
 * #wake()} happens on the loop's thread.
 *
 * <p>Output is flushed by one task for each turn of the loop, after the sockets were read and the
 * mailbox was drained: a connection is written once however many messages the turn brought it.
 */
final class ShardLoop {
    /** The mailbox's share of a turn. */
    private static final long DRAIN_NANOS = 5_000_000;

    private static final int SPARES = 256;
    private static final int SPARE_SIZE = 2 * 1024;

    private final int index;
    private final SingleThreadEventLoop executor;
    private final EventLoops loops;
    private final Shard shard;
    private final Failures failures;
    private final TransportCounters counters;
    private final TopicNames topics = new TopicNames();

    private final Runnable run = this::run;
    private final Runnable flush = this::flush;
    private final Runnable flushAfterTurn = this::scheduleFlush;

    /** When this turn began to drain the mailbox, in nanoseconds. */
    private long drainingSince;

    private boolean drained;
    private boolean drainAgain;
    private List<MqttConnection> dirty = new ArrayList<>();
    private List<MqttConnection> flushing = new ArrayList<>();
    private boolean flushScheduled;
    private final ByteBuf[] spares = new ByteBuf[SPARES];
    private int spareCount;
    private boolean ending;
    private byte @Nullable [] sharedPayload;
    private ByteBuf sharedCopy = Unpooled.EMPTY_BUFFER;

    /** Connections on their way out, in the order of their deadlines, which are equally far. */
    private final ArrayDeque<MqttConnection> closing = new ArrayDeque<>();

    /** Connections whose peers have not read all that they were sent. */
    private final List<MqttConnection> waiting = new ArrayList<>();

    /** Connections not read because another shard's mailbox is full. */
    private final List<ConnectionHandler> congested = new ArrayList<>();

    ShardLoop(int index, EventLoop executor, Shard shard, EventLoops loops) {
        this.index = index;
        this.loops = loops;
        this.executor = (SingleThreadEventLoop) executor;
        this.shard = shard;
        this.failures = loops.failures();
        this.counters = loops.counters();
    }

    EventLoop executor() {
        return executor;
    }

    /** The loop of another shard. */
    ShardLoop neighbour(int shard) {
        return loops.loop(shard);
    }

    Shard shard() {
        return shard;
    }

    TopicNames topics() {
        return topics;
    }

    Preparation preparation() {
        return loops.preparation();
    }

    Failures failures() {
        return failures;
    }

    TransportCounters counters() {
        return counters;
    }

    HeldBytes heldBytes() {
        return loops.heldBytes();
    }

    WaitingBytes waitingBytes() {
        return loops.waitingBytes();
    }

    /** The peer did not take all: to be looked at until it has. */
    void watch(MqttConnection connection) {
        waiting.add(connection);
    }

    /** Makes the loop drain its mailbox soon; any thread. */
    void wake() {
        executor.execute(run);
    }

    /** The mailbox gets its share of a turn, and the rest of it waits for the sockets' share. */
    private void run() {
        long now = System.nanoTime();
        if (!drained) {
            drained = true;
            drainingSince = now;
            scheduleFlush();
        } else if (now - drainingSince > DRAIN_NANOS) {
            drainAgain = true;
            return;
        }
        try {
            shard.run();
        } catch (Throwable failure) { // the edge of the loop
            failures.contain("draining the mailbox of shard " + index, failure);
        }
        if (loops.haveWaitingReaders() && !isBehind()) {
            loops.resumeReaders();
        }
    }

    void tick() {
        try {
            shard.tick();
        } catch (Throwable failure) { // the edge of the loop
            failures.contain("timers of shard " + index, failure);
        }
        resumeReaders();
        waiting.removeIf(connection -> !connection.stillWaits());
        long now = System.nanoTime();
        for (MqttConnection c; (c = closing.peek()) != null && c.closesAt() - now <= 0; ) {
            closing.remove();
            c.closeNow();
        }
    }

    /** A buffer to encode into; for a small turn one that was just used, and is in the cache. */
    ByteBuf buffer(int size) {
        if (size > SPARE_SIZE) {
            return PooledByteBufAllocator.DEFAULT.directBuffer(size);
        }
        return spareCount == 0
                ? PooledByteBufAllocator.DEFAULT.directBuffer(SPARE_SIZE)
                : spares[--spareCount];
    }

    /** Takes back a buffer whose content was written. */
    void recycle(ByteBuf buffer) {
        if (!ending && spareCount < spares.length && buffer.capacity() <= 2 * SPARE_SIZE) {
            spares[spareCount++] = buffer.clear();
        } else {
            buffer.release();
        }
    }

    /** Gives back what is kept for later: there is none. */
    void end() {
        ending = true;
        while (spareCount > 0) {
            spares[--spareCount].release();
        }
    }

    /** A large payload outside of the heap, copied once for all that get it in this turn. */
    @SuppressWarnings("ReferenceEquality") // the same message, or none that is worth comparing
    ByteBuf shared(byte[] payload) {
        if (payload != sharedPayload) {
            forgetShared(); // first: there may be no memory for another
            sharedCopy =
                    PooledByteBufAllocator.DEFAULT.directBuffer(payload.length).writeBytes(payload);
            sharedPayload = payload;
        }
        return sharedCopy.retainedDuplicate();
    }

    private void forgetShared() {
        if (sharedPayload != null) {
            sharedPayload = null;
            sharedCopy.release();
            sharedCopy = Unpooled.EMPTY_BUFFER;
        }
    }

    /** The connection has output; it is flushed at the end of this turn. */
    void flushLater(MqttConnection connection) {
        dirty.add(connection);
        scheduleFlush();
    }

    /** Runs after the tasks of this turn, among them the mailbox. */
    private void scheduleFlush() {
        if (!flushScheduled) {
            flushScheduled = true;
            executor.executeAfterEventLoopIteration(flush);
        }
    }

    private void flush() {
        forgetShared();
        List<MqttConnection> batch = dirty;
        dirty = flushing;
        flushing = batch;
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).flush();
        }
        batch.clear();
        flushScheduled = false;
        drained = false;
        if (!dirty.isEmpty()) {
            // What flushing itself made room for waits a turn, so that sockets are read between.
            executor.execute(flushAfterTurn);
        }
        if (drainAgain) {
            drainAgain = false;
            executor.execute(run);
        }
    }

    /** Cuts the connection off if it is still there at {@link MqttConnection#closesAt()}. */
    void closeAtDeadline(MqttConnection connection) {
        closing.add(connection);
    }

    /**
     * Whether another shard has so much to do that nothing more may be read here, for it would only
     * pile up there.
     */
    boolean isCongested() {
        return loops.isCongestedBesides(this);
    }

    /** Whether this shard has more to do than its mailbox should hold; any thread. */
    boolean isBehind() {
        return shard.isCongested();
    }

    /** The connection stopped reading until {@link #isCongested()} is over. */
    void resumeWhenDrained(ConnectionHandler connection) {
        congested.add(connection);
        loops.readersWait();
    }

    void resumeReaders() {
        if (congested.isEmpty()) {
            return;
        }
        if (isCongested()) {
            loops.readersWait();
            return;
        }
        for (ConnectionHandler connection : congested) {
            connection.resume(ConnectionHandler.CONGESTED);
        }
        congested.clear();
    }
}
