package io.rotamq.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rotamq.core.port.Log;
import io.rotamq.core.port.Log.Cursor;
import io.rotamq.core.port.LogContract;
import io.rotamq.core.port.Store.State;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

class RocksDbLogTest extends LogContract {
    private static final long RESERVE = 1_000;

    @TempDir Path directory;
    private @Nullable RocksDbStore store;
    private volatile boolean broken;
    private volatile boolean full;
    private volatile long freeBytes = Long.MAX_VALUE;
    private final List<String> heard = new CopyOnWriteArrayList<>();

    @Override
    protected Log open() {
        store =
                RocksDbStore.open(
                        StorageSettings.of(directory, Sync.OS).withReserve(RESERVE),
                        () -> freeBytes,
                        sink ->
                                (part, sync) -> {
                                    if (broken) {
                                        throw failure(Status.SubCode.None);
                                    }
                                    sink.write(part, sync);
                                    if (full) {
                                        throw failure(Status.SubCode.NoSpace);
                                    }
                                });
        return store.log("test");
    }

    @Override
    protected void close() {
        Objects.requireNonNull(store).close();
    }

    @Override
    protected void breakDisk(Log log) {
        broken = true;
    }

    private static RocksDBException failure(Status.SubCode code) {
        return new RocksDBException(new Status(Status.Code.IOError, code, "eio"));
    }

    /** The batch that failed is there all the same, and longer than the one in its place. */
    @Test
    void hasNoTraceOfAnAppendThatFailedBehindTheNext() {
        RocksDbLog log = Objects.requireNonNull(store).log("test");
        log.takeover(1, answer());
        append(log, "a");
        full = true;
        append(log, "b", "c", "d");
        full = false;
        await().until(() -> Objects.requireNonNull(store).state() instanceof State.Accepting);
        append(log, "e");
        assertThat(heard).containsExactly("0", "0", "refused", "1");
        close();
        open();
        Objects.requireNonNull(store).log("test").takeover(2, answer());
        await().until(() -> heard.size() == 5);
        assertThat(heard).last().isEqualTo("2");
    }

    @Test
    void hasNoGapWhereAnAppendWasRefused() {
        RocksDbStore all = Objects.requireNonNull(store);
        RocksDbLog log = all.log("test");
        log.takeover(1, answer());
        append(log, "a");
        freeBytes = RESERVE - 1;
        await().until(() -> all.state() instanceof State.NearlyFull);
        append(log, "b", "c");
        log.saveCursor(1, "reader", new Cursor(7, new long[0]), answer());
        await().until(() -> heard.size() == 4);
        freeBytes = Long.MAX_VALUE;
        await().until(() -> all.state() instanceof State.Accepting);
        append(log, "d");
        assertThat(heard).containsExactly("0", "0", "refused", "7", "1");
    }

    @Test
    void keepsLogsApart() {
        RocksDbStore both = Objects.requireNonNull(store);
        RocksDbLog log = both.log("test");
        RocksDbLog longer = both.log("test2");
        log.takeover(1, answer());
        longer.takeover(1, answer());
        append(longer, "x", "y");
        append(log, "a");
        log.trim(1, 1, answer());
        append(longer, "z");
        assertThat(heard).containsExactly("0", "0", "0", "0", "1", "2");
        assertThat(both.log("test")).isSameAs(log);
    }

    private void append(RocksDbLog log, String... records) {
        int answers = heard.size();
        log.append(1, Stream.of(records).map(Recorder::bytes).toList(), answer());
        await().until(() -> heard.size() > answers);
    }

    private Log.Answer answer() {
        return new Log.Answer() {
            @Override
            public void done(long offset) {
                heard.add(Long.toString(offset));
            }

            @Override
            public void refused(Log.Refusal refusal) {
                heard.add("refused");
            }
        };
    }
}
