package io.rotamq.core.session;

import io.rotamq.core.port.MemoryBudget;
import org.jspecify.annotations.Nullable;

/**
 * The unfinished deliveries of one session: by packet identifier, and in the order in which they
 * were first sent. Identifiers are handed out in a cycle, so that one which was freed is used again
 * as late as possible. An open-addressing table keyed by the identifier's low bits: with a cycle
 * the identifiers in use are neighbours, so that probes are short.
 */
final class Inflight {
    static final int MAXIMUM_ID = 65_535;

    private static final int SMALLEST_TABLE = 16;

    /**
     * From so many bytes on a message is charged to the memory budget. The number of small ones is
     * bounded, and touching a word that all shards share for each of them would cost more.
     */
    private static final int CHARGED_SIZE = 1_024;

    private final MemoryBudget memory;

    private @Nullable Outbound[] table = new Outbound[0];
    private int size;
    private long bytes;
    private int lastId;
    private @Nullable Outbound first;
    private @Nullable Outbound last;

    Inflight(MemoryBudget memory) {
        this.memory = memory;
    }

    int size() {
        return size;
    }

    /** Bytes of the large messages among them. */
    long bytes() {
        return bytes;
    }

    @Nullable Outbound first() {
        return first;
    }

    /** The next free identifier [MQTT-2.2.1-4]; 0 if all are in use. */
    int nextId() {
        for (int tries = 0; tries < MAXIMUM_ID; tries++) {
            lastId = lastId == MAXIMUM_ID ? 1 : lastId + 1;
            if (get(lastId) == null) {
                return lastId;
            }
        }
        return 0;
    }

    @Nullable Outbound get(int packetId) {
        if (size == 0) {
            return null;
        }
        int mask = table.length - 1;
        for (int i = packetId & mask; ; i = (i + 1) & mask) {
            Outbound outbound = table[i];
            if (outbound == null || outbound.packetId == packetId) {
                return outbound;
            }
        }
    }

    void add(Outbound outbound) {
        if (2 * (size + 1) > table.length) {
            grow();
        }
        place(outbound);
        size++;
        long charge = chargeOf(outbound);
        bytes += charge;
        if (charge > 0 && outbound.message.hold()) {
            memory.charge(charge);
        }
        Outbound tail = last;
        outbound.previous = tail;
        if (tail == null) {
            first = outbound;
        } else {
            tail.next = outbound;
        }
        last = outbound;
    }

    void remove(Outbound outbound) {
        unlink(outbound);
        unplace(outbound);
        size--;
        letGo(outbound);
        if (size == 0 && table.length > SMALLEST_TABLE) {
            table = new Outbound[0];
        }
    }

    /** Forgets all: the session is over. */
    void clear() {
        for (Outbound o = first; o != null; o = o.next) {
            letGo(o);
        }
        table = new Outbound[0];
        size = 0;
        first = null;
        last = null;
    }

    private void letGo(Outbound outbound) {
        long charge = chargeOf(outbound);
        bytes -= charge;
        if (charge > 0 && outbound.message.letGo()) {
            memory.release(charge);
        }
    }

    private static long chargeOf(Outbound outbound) {
        long bytes = outbound.message.size();
        return bytes < CHARGED_SIZE ? 0 : bytes;
    }

    private void unlink(Outbound outbound) {
        Outbound before = outbound.previous;
        Outbound after = outbound.next;
        if (before == null) {
            first = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previous = before;
        }
    }

    private void place(Outbound outbound) {
        int mask = table.length - 1;
        int i = outbound.packetId & mask;
        while (table[i] != null) {
            i = (i + 1) & mask;
        }
        table[i] = outbound;
    }

    /** Removes by shifting back those behind it, so that no tombstones are left. */
    private void unplace(Outbound outbound) {
        int mask = table.length - 1;
        int hole = outbound.packetId & mask;
        while (table[hole] != outbound) {
            hole = (hole + 1) & mask;
        }
        for (int i = (hole + 1) & mask; ; i = (i + 1) & mask) {
            Outbound moved = table[i];
            if (moved == null) {
                break;
            }
            int home = moved.packetId & mask;
            if (((i - home) & mask) >= ((i - hole) & mask)) {
                table[hole] = moved;
                hole = i;
            }
        }
        table[hole] = null;
    }

    private void grow() {
        @Nullable Outbound[] old = table;
        table = new Outbound[Math.max(SMALLEST_TABLE, 2 * old.length)];
        for (Outbound outbound : old) {
            if (outbound != null) {
                place(outbound);
            }
        }
    }
}
