package io.rotamq.server.net;

import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.rotamq.core.Node;
import io.rotamq.core.port.Waker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The broker's threads: one event loop for each shard of the node. Made before the node, which
 * needs it as its {@link Waker}; {@link #start} then gives each loop its shard.
 */
public final class EventLoops implements Waker {
    private static final long TICK_MILLIS = 100;

    private final Transport transport;
    private final IoEventLoopGroup group;
    private final TransportCounters counters = new TransportCounters();
    private final Failures failures = new Failures(counters);
    private final HeldBytes heldBytes = HeldBytes.ofThisProcess();
    private final WaitingBytes waitingBytes = WaitingBytes.ofThisProcess();

    /** Written once by {@link #start}, before any connection exists. */
    private List<ShardLoop> loops = List.of();

    private Map<EventExecutor, ShardLoop> byExecutor = Map.of();

    private Preparation preparation = Preparation.NONE;

    /** Whether a drained mailbox should be told; written by all loops. */
    private volatile boolean waitingReaders;

    private EventLoops(int count, Transport transport) {
        this.transport = transport;
        this.group =
                new MultiThreadIoEventLoopGroup(
                        count,
                        new DefaultThreadFactory("rotamq-loop", false, Thread.NORM_PRIORITY),
                        transport.handlers());
    }

    /** So many loops on the best transport of this machine. */
    public static EventLoops create(int count) {
        return new EventLoops(count, Transport.best());
    }

    static EventLoops create(int count, Transport transport) {
        return new EventLoops(count, transport);
    }

    /** The same without anything to find out before CONNECT. */
    public void start(Node node) {
        start(node, Preparation.NONE);
    }

    /** Gives each loop its shard and starts the timers; before anything listens. */
    public void start(Node node, Preparation before) {
        preparation = before;
        List<ShardLoop> made = new ArrayList<>();
        Map<EventExecutor, ShardLoop> index = new HashMap<>();
        for (EventExecutor executor : group) {
            int i = made.size();
            ShardLoop loop = new ShardLoop(i, (EventLoop) executor, node.shard(i), this);
            made.add(loop);
            index.put(executor, loop);
        }
        byExecutor = index;
        loops = List.copyOf(made);
        for (ShardLoop loop : loops) {
            loop.executor()
                    .scheduleWithFixedDelay(
                            loop::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
            loop.wake(); // something may have been posted before
        }
    }

    /** Whether {@link #start} was called. */
    public boolean areStarted() {
        return !loops.isEmpty();
    }

    @Override
    public void wake(int shard) {
        if (!loops.isEmpty()) { // else start() does it
            loops.get(shard).wake();
        }
    }

    boolean isCongestedBesides(ShardLoop reader) {
        for (int i = 0; i < loops.size(); i++) {
            ShardLoop loop = loops.get(i);
            if (loop != reader && loop.isBehind()) {
                return true;
            }
        }
        return false;
    }

    /** Somebody stopped reading until the others' mailboxes are drained. */
    void readersWait() {
        waitingReaders = true;
    }

    boolean haveWaitingReaders() {
        return waitingReaders;
    }

    /** A mailbox was drained: each loop looks whether its readers may go on. */
    void resumeReaders() {
        waitingReaders = false; // whoever has to wait on says so again; the tick catches a race
        for (ShardLoop loop : loops) {
            loop.executor().execute(loop::resumeReaders);
        }
    }

    /** {@code epoll} or {@code nio}. */
    public String transport() {
        return transport.name();
    }

    /** What the transport counts. */
    public TransportCounters counters() {
        return counters;
    }

    Preparation preparation() {
        return preparation;
    }

    Failures failures() {
        return failures;
    }

    HeldBytes heldBytes() {
        return heldBytes;
    }

    WaitingBytes waitingBytes() {
        return waitingBytes;
    }

    Transport sockets() {
        return transport;
    }

    IoEventLoopGroup group() {
        return group;
    }

    ShardLoop loop(int shard) {
        return loops.get(shard);
    }

    /** The loop that a channel is registered with. */
    ShardLoop of(EventExecutor executor) {
        ShardLoop loop = byExecutor.get(executor);
        if (loop == null) {
            throw new IllegalStateException("not one of these loops: " + executor);
        }
        return loop;
    }

    /** Closes what is still open and ends the threads. Last of all; false: not in time. */
    public boolean stop(Duration limit) {
        long millis = limit.toMillis();
        for (ShardLoop loop : loops) {
            if (!loop.executor().isShuttingDown()) {
                loop.executor().execute(loop::end);
            }
        }
        return group.shutdownGracefully(0, millis, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(millis + 1_000);
    }
}
