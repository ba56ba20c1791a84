package io.rotamq.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rotamq.core.port.Batch;
import io.rotamq.core.port.Store.Commit;
import io.rotamq.core.port.Store.Failure;
import io.rotamq.core.port.Store.Kind;
import io.rotamq.core.port.Store.State;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

class GroupCommitTest {
    private static final long LIMIT = 10_000;

    @TempDir Path directory;
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<Boolean> writes = new CopyOnWriteArrayList<>();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private volatile @Nullable Error fault;
    private RocksDbStore store;

    @BeforeEach
    void open() {
        StorageSettings settings =
                new StorageSettings(directory, Sync.COMMIT, 0, LIMIT, 8 << 20, 8 << 20);
        store =
                RocksDbStore.open(
                        settings,
                        null,
                        sink ->
                                (part, sync) -> {
                                    awaitGate();
                                    if (fault != null) {
                                        throw fault;
                                    }
                                    writes.add(sync);
                                    sink.write(part, sync);
                                });
    }

    private void awaitGate() throws RocksDBException {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new RocksDBException(e.toString());
        }
    }

    @AfterEach
    void close() {
        gate.countDown();
        store.close();
    }

    @Test
    void whatGathersWhileTheDiskIsBusyShareOneSync() {
        write(put("first", 1));
        for (int i = 0; i < 50; i++) {
            write(put("k" + i, 10));
        }
        gate.countDown();
        await().atMost(Duration.ofMinutes(1)).until(() -> told.size() == 51);
        assertThat(writes).hasSizeLessThanOrEqualTo(3).containsOnly(true);
        Activity activity = store.activity();
        assertThat(activity.batches()).isEqualTo(51);
        assertThat(activity.entries()).isEqualTo(51);
        assertThat(activity.groups()).isLessThanOrEqualTo(3);
        assertThat(activity.longestNanos()).isPositive().isLessThanOrEqualTo(activity.nanos());
    }

    @Test
    void aGroupTooLargeForOneWriteSharesTheSync() {
        write(put("first", 1));
        gate.countDown();
        await().atMost(Duration.ofMinutes(1)).until(() -> told.size() == 1);
        writes.clear();
        Batch large = put("large", 3 << 20);
        write(large);
        write(put("next", 1));
        await().atMost(Duration.ofMinutes(1)).until(() -> told.size() == 3);
        assertThat(writes).last().isEqualTo(true);
        assertThat(told).containsOnly("committed");
    }

    @Test
    void whoeverWritesWaitsWhileTheQueueIsFull() throws InterruptedException {
        AtomicInteger handedOver = new AtomicInteger();
        Thread writer =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    for (int i = 0; i < 30; i++) {
                                        write(put("k" + i, 1_000));
                                        handedOver.incrementAndGet();
                                    }
                                });
        await().atMost(Duration.ofMinutes(1))
                .until(() -> writer.getState() == Thread.State.WAITING);
        assertThat(handedOver.get()).isBetween(9, 12);
        assertThat(store.queuedBytes()).isGreaterThanOrEqualTo(store.queueLimit());
        gate.countDown();
        writer.join();
        await().atMost(Duration.ofMinutes(1)).until(() -> told.size() == 30);
        assertThat(store.queuedBytes()).isZero();
    }

    @Test
    void anAnswerMayWriteWithoutWaitingForItself() {
        gate.countDown();
        write(
                put("first", 20_000),
                failure -> {
                    for (int i = 0; i < 5; i++) {
                        write(put("k" + i, 20_000));
                    }
                });
        await().atMost(Duration.ofMinutes(1)).until(() -> told.size() == 6);
        assertThat(told).containsOnly("committed");
    }

    @Test
    void oneWhoFailsWhenToldHarmsNobodyElse() {
        write(
                put("first", 1),
                failure -> {
                    throw new AssertionError("a fault of the listener");
                });
        write(put("second", 1));
        gate.countDown();
        await().atMost(Duration.ofMinutes(1)).until(() -> told.size() == 2);
        write(put("third", 1));
        await().atMost(Duration.ofMinutes(1)).until(() -> told.size() == 3);
    }

    @Test
    void everybodyIsToldOfAFaultInTheStoreItself() {
        fault = new AssertionError("a fault of the store");
        for (int i = 0; i < 3; i++) {
            write(put("k" + i, 1));
        }
        gate.countDown();
        await().atMost(Duration.ofMinutes(1)).until(() -> told.size() == 3);
        assertThat(told).first().isEqualTo("UNKNOWN");
        assertThat(store.state())
                .isEqualTo(new State.Failed("storage failed: a fault of the store"));
        write(put("late", 1));
        await().atMost(Duration.ofMinutes(1)).until(() -> told.size() == 4);
        assertThat(told).last().isEqualTo("CLOSED");
    }

    @Test
    void thoseWhoWaitForRoomAreToldWhenTheStoreIsClosed() throws InterruptedException {
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String name = "w" + i;
            writers.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        for (int j = 0; j < 5; j++) {
                                            write(put(name + j, 6_000));
                                        }
                                    }));
        }
        await().atMost(Duration.ofMinutes(1))
                .until(() -> writers.stream().allMatch(w -> w.getState() == Thread.State.WAITING));
        Thread closing = Thread.ofPlatform().start(store::close);
        gate.countDown();
        closing.join();
        for (Thread writer : writers) {
            writer.join();
        }
        assertThat(told).hasSize(20).containsAnyOf("committed").isSubsetOf("committed", "CLOSED");
    }

    private void write(Batch batch) {
        write(batch, failure -> {});
    }

    private void write(Batch batch, Consumer<@Nullable Failure> then) {
        store.write(
                batch,
                new Commit() {
                    @Override
                    public void committed() {
                        told.add("committed");
                        then.accept(null);
                    }

                    @Override
                    public void failed(Failure failure) {
                        told.add(failure.cause().toString());
                        then.accept(failure);
                    }
                });
    }

    private static Batch put(String key, int length) {
        return new Batch().put(Kind.META, Recorder.bytes(key), new byte[length]);
    }
}
