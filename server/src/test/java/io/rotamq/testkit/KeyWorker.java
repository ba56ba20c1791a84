package io.rotamq.testkit;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A member of a group on a thread of its own, that takes some time for each message, finishes them
 * in any order, and writes all of it down in a {@link KeyLedger}.
 */
public final class KeyWorker {
    private static final Duration LOOK = Duration.ofMillis(2);
    private static final int SOME = 20;

    private enum Order {
        /** Unsubscribes, finishes what it was sent, and disconnects. */
        LEAVE,
        /** Its connection ends with what it holds. */
        KILL,
        /** Its connection breaks, and it comes back to its session. */
        BREAK
    }

    private record Held(Received delivery, long due) {}

    private final TestBroker broker;
    private final ConnectPacket connect;
    private final String filter;
    private final KeyLedger ledger;
    private final int slowest;
    private final Random random;
    private final Deque<Held> held = new ArrayDeque<>();
    private final AtomicReference<@Nullable Order> order = new AtomicReference<>();
    private final Thread thread;
    private RawClient client;

    private KeyWorker(
            TestBroker broker,
            ConnectPacket connect,
            String filter,
            KeyLedger ledger,
            int slowest) {
        this.broker = broker;
        this.connect = connect;
        this.filter = filter;
        this.ledger = ledger;
        this.slowest = slowest;
        random = new Random(connect.clientId().hashCode());
        client = broker.client(connect);
        client.subscribe(filter, 1);
        thread = Thread.ofVirtual().start(this::work);
    }

    /** A member that takes up to so many milliseconds for a message; it is subscribed. */
    public static KeyWorker start(
            TestBroker broker,
            ConnectPacket connect,
            String filter,
            KeyLedger ledger,
            int slowest) {
        return new KeyWorker(broker, connect, filter, ledger, slowest);
    }

    public String name() {
        return connect.clientId();
    }

    /** Unsubscribes, finishes what it was sent, disconnects; returns when it is gone. */
    public void leave() {
        order.set(Order.LEAVE);
        awaitEnd();
    }

    /** Its connection is reset with what it holds; returns when it is gone. */
    public void kill() {
        order.set(Order.KILL);
        awaitEnd();
    }

    /** Its connection is reset, and it comes back to its session, if that lasts. */
    public void breakConnection() {
        order.set(Order.BREAK);
    }

    private void awaitEnd() {
        try {
            if (!thread.join(Duration.ofSeconds(10))) {
                throw new AssertionError(name() + " does not end");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void work() {
        try {
            boolean leaving = false;
            while (!leaving || takeSome() || !held.isEmpty()) {
                Order next = order.getAndSet(null);
                if (next == Order.KILL) {
                    breakOff();
                    return;
                } else if (next == Order.BREAK) {
                    breakOff();
                    client = broker.client(connect);
                } else if (next == Order.LEAVE) {
                    client.unsubscribe(filter);
                    leaving = true;
                }
                takeSome();
                finishWhatIsDue();
            }
            client.leave();
        } catch (AssertionError | RuntimeException e) {
            ledger.failed(name(), e);
        }
    }

    private void breakOff() {
        ledger.breaks(name());
        held.clear();
        client.reset();
    }

    /** Whether there was anything. */
    private boolean takeSome() {
        int taken = 0;
        while (taken < SOME) {
            Received next = client.poll(LOOK);
            if (next == null) {
                break;
            }
            ledger.received(name(), next);
            held.add(new Held(next, System.nanoTime() + random.nextInt(slowest * 1_000_000)));
            taken++;
        }
        return taken > 0;
    }

    private void finishWhatIsDue() {
        List<Received> due = new ArrayList<>();
        for (Iterator<Held> all = held.iterator(); all.hasNext(); ) {
            Held each = all.next();
            if (each.due() <= System.nanoTime()) {
                due.add(each.delivery());
                all.remove();
            }
        }
        for (Received each : due) {
            ledger.done(name(), each);
            client.acknowledge(each);
        }
    }
}
