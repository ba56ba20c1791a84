package io.rotamq.core.port;

import io.rotamq.core.port.Store.Kind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Changes that a {@link Store} makes together or not at all, in their order. Kept in one array that
 * grows and is used again, so that a change costs no object: {@link #put(Kind)}, the parts of the
 * key, {@link #value()}, the parts of the value, {@link #end()}. Numbers are big-endian, so that
 * keys made of them sort like them.
 *
 * <p>Belongs to one thread; from {@link Store#write} until its {@link Store.Commit} is told to the
 * store, and whoever touches it meanwhile is told so.
 */
public final class Batch {
    private static final VarHandle LONG = view(long[].class);
    private static final VarHandle INT = view(int[].class);
    private static final VarHandle SHORT = view(short[].class);
    private static final Kind[] KINDS = Kind.values();

    private static final byte PUT = 0;
    private static final byte DELETE = 1;
    private static final byte DELETE_RANGE = 2;

    /** An array beyond this is not kept for the next use. */
    private static final int KEPT = 1 << 19;

    private static final int INITIAL = 512;
    private static final int NONE = -1;

    private byte[] bytes = new byte[INITIAL];
    private int size;
    private int entries;
    private int puts;
    private boolean essential;

    /** Where the length of the part being written goes; {@link #NONE} between entries. */
    private int part = NONE;

    private boolean inKey;
    private volatile boolean lent;

    /** What is done with the changes. The array is the batch's: copy what should stay. */
    public interface Visitor {
        /** An entry to store; the value lies at {@code value} of the same array. */
        void put(Kind kind, byte[] array, int key, int keyLength, int value, int valueLength);

        void delete(Kind kind, byte[] array, int key, int keyLength);

        /** All entries from one key to before another. */
        void deleteRange(Kind kind, byte[] array, int from, int fromLength, int to, int toLength);
    }

    /** Stores an entry, in place of what has the same key. */
    public Batch put(Kind kind, byte[] key, byte[] value) {
        return put(kind).bytes(key).value().bytes(value).end();
    }

    /** Removes an entry; nothing happens when there is none. */
    public Batch delete(Kind kind, byte[] key) {
        return delete(kind).bytes(key).end();
    }

    /** Removes all entries from a key to before another; cheap however many there are. */
    public Batch deleteRange(Kind kind, byte[] from, byte[] to) {
        begin(DELETE_RANGE, kind);
        return bytes(from).value().bytes(to).end();
    }

    /** Begins an entry with its key; {@link #value()} and {@link #end()} must follow. */
    public Batch put(Kind kind) {
        begin(PUT, kind);
        puts++;
        return this;
    }

    /** Begins the key of an entry to remove; {@link #end()} must follow. */
    public Batch delete(Kind kind) {
        begin(DELETE, kind);
        inKey = false;
        return this;
    }

    /** Ends the key and begins the value. */
    public Batch value() {
        if (!inKey) {
            throw new IllegalStateException("no key is being written");
        }
        inKey = false;
        endPart();
        beginPart();
        return this;
    }

    /** Ends the entry. */
    public Batch end() {
        if (inKey) {
            throw new IllegalStateException("an entry without a value");
        }
        endPart();
        entries++;
        return this;
    }

    public Batch u8(int value) {
        room(1);
        bytes[size++] = (byte) value;
        return this;
    }

    public Batch u16(int value) {
        room(Short.BYTES);
        SHORT.set(bytes, size, (short) value);
        size += Short.BYTES;
        return this;
    }

    public Batch u32(int value) {
        room(Integer.BYTES);
        INT.set(bytes, size, value);
        size += Integer.BYTES;
        return this;
    }

    public Batch u64(long value) {
        room(Long.BYTES);
        LONG.set(bytes, size, value);
        size += Long.BYTES;
        return this;
    }

    /** Seven bits a byte, the lowest first: short where numbers are small. Does not sort. */
    public Batch varint(long value) {
        room(10);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
        return this;
    }

    public Batch bytes(byte[] source) {
        return bytes(source, 0, source.length);
    }

    public Batch bytes(byte[] source, int offset, int length) {
        room(length);
        System.arraycopy(source, offset, bytes, size, length);
        size += length;
        return this;
    }

    /** The text alone, without its length. */
    public Batch utf8(String text) {
        return bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The batch only keeps the books of what is stored already: a store that is nearly full takes
     * it all the same.
     */
    public Batch essential() {
        mine();
        essential = true;
        return this;
    }

    /** Whether a store that is nearly full should take it. */
    public boolean isTakenWhenNearlyFull() {
        return essential || puts == 0;
    }

    public int entries() {
        return entries;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** How many bytes it holds, with some for each entry. */
    public int size() {
        return size;
    }

    /** Makes it empty, to be used again. */
    public void clear() {
        mine();
        if (bytes.length > KEPT) {
            bytes = new byte[INITIAL];
        }
        size = 0;
        entries = 0;
        puts = 0;
        essential = false;
        part = NONE;
        inKey = false;
    }

    /** For stores: from now on nobody else may change the batch. */
    public void lend() {
        mine();
        if (part != NONE) {
            throw new IllegalStateException("an entry is not ended");
        }
        lent = true;
    }

    /** For stores, before the commit is told: the batch is its owner's again. */
    public void giveBack() {
        lent = false;
    }

    /** Shows the changes in their order. */
    public void forEach(Visitor visitor) {
        int at = 0;
        while (at < size) {
            Kind kind = KINDS[bytes[at + 1]];
            int key = at + 2 + Integer.BYTES;
            int keyLength = length(key);
            int rest = key + keyLength;
            if (bytes[at] == DELETE) {
                visitor.delete(kind, bytes, key, keyLength);
                at = rest;
                continue;
            }
            int value = rest + Integer.BYTES;
            int valueLength = length(value);
            if (bytes[at] == PUT) {
                visitor.put(kind, bytes, key, keyLength, value, valueLength);
            } else {
                visitor.deleteRange(kind, bytes, key, keyLength, value, valueLength);
            }
            at = value + valueLength;
        }
    }

    private int length(int part) {
        return (int) INT.get(bytes, part - Integer.BYTES);
    }

    @SuppressWarnings("EnumOrdinal") // a batch does not outlive the process
    private void begin(byte change, Kind kind) {
        mine();
        if (part != NONE) {
            throw new IllegalStateException("an entry is not ended");
        }
        ensure(2);
        bytes[size++] = change;
        bytes[size++] = (byte) kind.ordinal();
        beginPart();
        inKey = true;
    }

    private void beginPart() {
        ensure(Integer.BYTES);
        size += Integer.BYTES;
        part = size;
    }

    private void endPart() {
        if (part == NONE) {
            throw new IllegalStateException("no entry is being written");
        }
        INT.set(bytes, part - Integer.BYTES, size - part);
        part = NONE;
    }

    private void mine() {
        if (lent) {
            throw new IllegalStateException("the store has the batch until its commit is told");
        }
    }

    private void room(int length) {
        if (part == NONE) {
            throw new IllegalStateException("no entry is being written");
        }
        ensure(length);
    }

    private void ensure(int length) {
        int needed = Math.addExact(size, length);
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8L, needed * 2L));
        }
    }

    private static VarHandle view(Class<?> type) {
        return MethodHandles.byteArrayViewVarHandle(type, ByteOrder.BIG_ENDIAN);
    }
}
