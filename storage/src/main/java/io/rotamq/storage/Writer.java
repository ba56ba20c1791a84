package io.rotamq.storage;

import io.rotamq.core.port.Batch;
import io.rotamq.core.port.Store.Kind;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Puts batches into RocksDB's form and writes them, the last of a group with a sync. Owned by the
 * storage thread. A batch goes through two buffers outside the heap, so that an entry costs one
 * native call and no object.
 */
final class Writer implements Batch.Visitor, AutoCloseable {
    /** Native memory of a group; a larger one is written in parts, which share the sync. */
    private static final long PART = 1 << 20;

    private static final byte[] PROOF = new byte[1];

    private static final int INITIAL = 1 << 12;

    /** A buffer beyond this is not kept for the next entry. */
    private static final int KEPT = 1 << 20;

    private final Map<Kind, ColumnFamilyHandle> columns;
    private final Sink sink;
    private final WriteBatch part = new WriteBatch();
    private final boolean synced;
    private ByteBuffer key = ByteBuffer.allocateDirect(INITIAL);
    private ByteBuffer value = ByteBuffer.allocateDirect(INITIAL);

    /** Something was written since the last sync, if only by a part. */
    private boolean dirty;

    /** Where the storage thread writes to; tests come between. */
    interface Sink {
        void write(WriteBatch part, boolean sync) throws RocksDBException;
    }

    Writer(Map<Kind, ColumnFamilyHandle> columns, Sink sink, Sync sync) {
        this.columns = columns;
        this.sink = sink;
        this.synced = sync == Sync.COMMIT;
    }

    /** Adds a batch to the group. */
    void add(Batch batch) throws RocksDBException {
        if (part.getDataSize() > PART) {
            sink.write(part, false);
            part.clear();
            dirty = true;
        }
        try {
            batch.forEach(this);
        } catch (NativeFailure e) {
            throw e.reason;
        }
    }

    /** Writes the group; from now on it is durable. */
    void commit() throws RocksDBException {
        if (part.count() > 0 || dirty) {
            sink.write(part, synced);
            part.clear();
            dirty = false;
        }
    }

    /** Writes something that changes nothing, to see whether the disk takes it. */
    void prove() throws RocksDBException {
        part.clear();
        part.putLogData(PROOF);
        sink.write(part, synced);
        part.clear();
    }

    /** Forgets the group. What was written of it may be there or not. */
    void abandon() {
        part.clear();
        dirty = false;
    }

    @Override
    public void put(
            Kind kind, byte[] array, int keyAt, int keyLength, int valueAt, int valueLength) {
        key = filled(key, array, keyAt, keyLength);
        value = filled(value, array, valueAt, valueLength);
        try {
            part.put(column(kind), key, value);
        } catch (RocksDBException e) {
            throw new NativeFailure(e);
        }
        if (value.capacity() > KEPT) {
            value = ByteBuffer.allocateDirect(INITIAL);
        }
    }

    @Override
    public void delete(Kind kind, byte[] array, int keyAt, int keyLength) {
        key = filled(key, array, keyAt, keyLength);
        try {
            part.delete(column(kind), key);
        } catch (RocksDBException e) {
            throw new NativeFailure(e);
        }
    }

    @Override
    public void deleteRange(
            Kind kind, byte[] array, int from, int fromLength, int to, int toLength) {
        byte[] first = Arrays.copyOfRange(array, from, from + fromLength);
        byte[] end = Arrays.copyOfRange(array, to, to + toLength);
        if (Arrays.compareUnsigned(first, end) >= 0) {
            return;
        }
        try {
            part.deleteRange(column(kind), first, end);
        } catch (RocksDBException e) {
            throw new NativeFailure(e);
        }
    }

    @Override
    public void close() {
        part.close();
    }

    private ColumnFamilyHandle column(Kind kind) {
        ColumnFamilyHandle column = columns.get(kind);
        if (column == null) {
            throw new IllegalStateException("no column for " + kind);
        }
        return column;
    }

    private static ByteBuffer filled(ByteBuffer buffer, byte[] array, int at, int length) {
        ByteBuffer target = buffer;
        if (length > target.capacity()) {
            target = ByteBuffer.allocateDirect(Math.max(length, 2 * target.capacity()));
        }
        return target.clear().put(array, at, length).flip();
    }

    /** Carries RocksDB's exception through the batch's visitor. */
    private static final class NativeFailure extends RuntimeException {
        private final RocksDBException reason;

        NativeFailure(RocksDBException reason) {
            super(reason);
            this.reason = reason;
        }
    }
}
