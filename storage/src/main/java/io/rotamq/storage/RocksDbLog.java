package io.rotamq.storage;

import io.rotamq.core.port.Batch;
import io.rotamq.core.port.Log;
import io.rotamq.core.port.Store;
import io.rotamq.core.port.Store.Failure;
import io.rotamq.core.port.Store.Kind;
import io.rotamq.core.port.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/**
 * A log in a store. Offsets are given, and owners are fenced, by the storage thread when the turn
 * of an append comes: so there are no gaps, whatever was refused before. What the next append
 * starts from belongs to that thread; what readers may see is {@link #end}.
 *
 * <p>Keys: length and name of the log, then the offset (kind LOG), or {@code m} for epoch and first
 * offset, or {@code c} and the name of a cursor (kind CURSOR).
 */
public final class RocksDbLog implements Log {
    private static final int META = 'm';
    private static final int CURSOR = 'c';

    private final byte[] name;
    private final GroupCommit commits;
    private final Reads reads;

    /** The storage thread's. */
    private long owner;

    private long next;
    private long first;

    /** A write failed: what it was to write may lie behind the end, and must go first. */
    private boolean torn;

    /** Everything before it is committed. */
    private volatile long end;

    private RocksDbLog(byte[] name, GroupCommit commits, Reads reads) {
        this.name = name;
        this.commits = commits;
        this.reads = reads;
    }

    /** Finds where the log was left. */
    static RocksDbLog open(String name, GroupCommit commits, Reads reads, Gate gate) {
        RocksDbLog log = new RocksDbLog(name.getBytes(StandardCharsets.UTF_8), commits, reads);
        try {
            return gate.pass(
                    () -> {
                        log.recover();
                        return log;
                    });
        } catch (RocksDBException e) {
            throw new StoreException("cannot open log %s: %s".formatted(name, e.getMessage()), e);
        }
    }

    private void recover() throws RocksDBException {
        byte[] meta = reads.get(Kind.CURSOR, key(META, new byte[0]));
        if (meta != null) {
            ByteBuffer fields = ByteBuffer.wrap(meta);
            owner = fields.getLong();
            first = fields.getLong();
        }
        next = first;
        reads.last(
                Kind.LOG,
                record(first),
                record(Long.MAX_VALUE),
                entry -> next = offset(entry.key()) + 1);
        end = next;
    }

    @Override
    public void takeover(long epoch, Answer answer) {
        commits.submit(
                new Work(0, answer) {
                    @Override
                    boolean isAllowed() {
                        return epoch > owner;
                    }

                    @Override
                    long fill(Batch batch) {
                        owner = epoch;
                        return putMeta(batch.essential());
                    }
                });
    }

    @Override
    public void append(long epoch, List<byte[]> records, Answer answer) {
        long bytes = 0;
        for (byte[] record : records) {
            bytes += record.length;
        }
        commits.submit(
                new Work(bytes, answer) {
                    @Override
                    boolean isAllowed() {
                        return isOwner(epoch);
                    }

                    @Override
                    long fill(Batch batch) {
                        mends = torn;
                        return put(records, batch);
                    }
                });
    }

    /** Nobody owns a log that nobody took over. */
    private boolean isOwner(long epoch) {
        return epoch == owner && owner > 0;
    }

    private long put(List<byte[]> records, Batch batch) {
        if (torn) {
            batch.deleteRange(Kind.LOG, record(next), record(Long.MAX_VALUE));
        }
        long from = next;
        for (byte[] record : records) {
            start(batch.put(Kind.LOG)).u64(next++).value().bytes(record).end();
        }
        return from;
    }

    @Override
    public void trim(long epoch, long to, Answer answer) {
        commits.submit(
                new Work(0, answer) {
                    @Override
                    boolean isAllowed() {
                        return isOwner(epoch);
                    }

                    @Override
                    long fill(Batch batch) {
                        long target = Math.max(first, Math.min(to, next));
                        batch.deleteRange(Kind.LOG, record(first), record(target));
                        first = target;
                        putMeta(batch.essential());
                        return first;
                    }
                });
    }

    @Override
    public void saveCursor(long epoch, String reader, Cursor cursor, Answer answer) {
        byte[] key = key(CURSOR, reader.getBytes(StandardCharsets.UTF_8));
        commits.submit(
                new Work(0, answer) {
                    @Override
                    boolean isAllowed() {
                        return isOwner(epoch);
                    }

                    @Override
                    long fill(Batch batch) {
                        batch.essential().put(Kind.CURSOR).bytes(key).value();
                        batch.u64(cursor.position());
                        for (long word : cursor.acknowledged()) {
                            batch.u64(word);
                        }
                        batch.end();
                        return cursor.position();
                    }
                });
    }

    @Override
    public void read(long from, int max, Reading reading) {
        long limit = end;
        reads.answer(
                () -> reads.range(Kind.LOG, record(Math.min(from, limit)), record(limit), max),
                new Reads.Answer<List<Store.Entry>>() {
                    @Override
                    public void read(List<Store.Entry> found) {
                        reading.read(
                                found.stream()
                                        .map(e -> new Entry(offset(e.key()), e.value()))
                                        .toList(),
                                limit);
                    }

                    @Override
                    public void failed(Failure failure) {
                        reading.failed(failure);
                    }
                });
    }

    @Override
    public void cursor(String reader, CursorReading reading) {
        byte[] key = key(CURSOR, reader.getBytes(StandardCharsets.UTF_8));
        reads.answer(
                () -> reads.byKey(Kind.CURSOR, List.of(key)),
                new Reads.Answer<List<Store.Entry>>() {
                    @Override
                    public void read(List<Store.Entry> found) {
                        reading.read(found.isEmpty() ? null : decode(found.getFirst().value()));
                    }

                    @Override
                    public void failed(Failure failure) {
                        reading.failed(failure);
                    }
                });
    }

    private static Cursor decode(byte[] value) {
        ByteBuffer fields = ByteBuffer.wrap(value);
        long position = fields.getLong();
        long[] acknowledged = new long[fields.remaining() / Long.BYTES];
        fields.asLongBuffer().get(acknowledged);
        return new Cursor(position, acknowledged);
    }

    private long putMeta(Batch batch) {
        batch.put(Kind.CURSOR).bytes(key(META, new byte[0])).value().u64(owner).u64(first).end();
        return next;
    }

    private Batch start(Batch batch) {
        return batch.u16(name.length).bytes(name);
    }

    private byte[] record(long offset) {
        return ByteBuffer.allocate(Short.BYTES + name.length + Long.BYTES)
                .putShort((short) name.length)
                .put(name)
                .putLong(offset)
                .array();
    }

    private byte[] key(int sort, byte[] rest) {
        return ByteBuffer.allocate(Short.BYTES + name.length + 1 + rest.length)
                .putShort((short) name.length)
                .put(name)
                .put((byte) sort)
                .put(rest)
                .array();
    }

    private static long offset(byte[] key) {
        return ByteBuffer.wrap(key).getLong(key.length - Long.BYTES);
    }

    /** Something done to the log when its turn comes. */
    private abstract class Work extends Submission {
        private final Batch batch = new Batch();
        private final Answer answer;
        private @Nullable Refusal refusal;
        private long result;

        /** Clears what a failed write may have left. */
        boolean mends;

        /** Where the log was before this, and is again if this fails. */
        private long nextBefore;

        private long firstBefore;
        private long ownerBefore;

        Work(long bytes, Answer answer) {
            super(bytes);
            this.answer = answer;
        }

        /** Whether it is the owner who wants it. */
        abstract boolean isAllowed();

        /** Writes down what is to be done; returns the answer. */
        abstract long fill(Batch batch);

        @Override
        void prepare() {
            nextBefore = next;
            firstBefore = first;
            ownerBefore = owner;
            if (isAllowed()) {
                result = fill(batch);
            } else {
                refusal = new Refusal.Fenced(owner);
            }
        }

        @Override
        void undo() {
            next = nextBefore;
            first = firstBefore;
            owner = ownerBefore;
        }

        @Override
        Batch batch() {
            return batch;
        }

        @Override
        void committed() {
            Refusal reason = refusal;
            if (reason != null) {
                answer.refused(reason);
                return;
            }
            torn &= !mends;
            end = Math.max(end, next);
            answer.done(result);
        }

        @Override
        void failed(Failure failure) {
            torn |= failure.cause() == Failure.Cause.UNKNOWN;
            answer.refused(new Refusal.Failed(failure));
        }
    }
}
