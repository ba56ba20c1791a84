package io.rotamq.server.net;

import io.netty.channel.EventLoop;
import io.netty.channel.SingleThreadEventLoop;
import io.rotamq.core.Shard;
import io.rotamq.mqtt.TopicNames;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * One event loop with the shard it owns and what its connections share. Everything but {@link
 * #wake()} happens on the loop's thread.
 *
 * <p>Output is flushed by one task for each turn of the loop, after the sockets were read and the
 * mailbox was drained: a connection is written once however many messages the turn brought it.
 */
final class ShardLoop {
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
    private List<MqttConnection> dirty = new ArrayList<>();
    private List<MqttConnection> flushing = new ArrayList<>();
    private boolean flushScheduled;

    /** Connections on their way out, in the order of their deadlines, which are equally far. */
    private final ArrayDeque<MqttConnection> closing = new ArrayDeque<>();

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

    Failures failures() {
        return failures;
    }

    TransportCounters counters() {
        return counters;
    }

    /** Makes the loop drain its mailbox soon; any thread. */
    void wake() {
        executor.execute(run);
    }

    private void run() {
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
        long now = System.nanoTime();
        for (MqttConnection c; (c = closing.peek()) != null && c.closesAt() - now <= 0; ) {
            closing.remove();
            c.closeNow();
        }
    }

    /** The connection has output; it is flushed at the end of this turn. */
    void flushLater(MqttConnection connection) {
        dirty.add(connection);
        if (!flushScheduled) {
            scheduleFlush();
        }
    }

    /** Runs after the tasks of this turn, among them the mailbox. */
    private void scheduleFlush() {
        flushScheduled = true;
        executor.executeAfterEventLoopIteration(flush);
    }

    private void flush() {
        List<MqttConnection> batch = dirty;
        dirty = flushing;
        flushing = batch;
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).flush();
        }
        batch.clear();
        flushScheduled = !dirty.isEmpty();
        if (flushScheduled) {
            // What flushing itself made room for waits a turn, so that sockets are read between.
            executor.execute(flushAfterTurn);
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
