package io.rotamq.core.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.rotamq.core.port.Store.Kind;
import io.rotamq.core.port.Store.State;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every {@link Store} keeps. Public, because adapters in other modules pass it too. */
public abstract class StoreContract {
    protected static final long RESERVE = 1 << 20;

    private final Answers answers = new Answers();
    private Store store;

    /** Opens the store, which is nearly full below {@link #RESERVE}; again with what it has. */
    protected abstract Store open();

    protected abstract void close(Store store);

    /** Does what was handed over, where it is not done by itself. */
    protected void turn(Store store) {}

    /** From now on so many bytes of the disk are free. */
    protected abstract void setFreeBytes(Store store, long bytes);

    /** From now on writing to the disk fails. */
    protected abstract void breakDisk(Store store);

    @BeforeEach
    public void openIt() {
        store = open();
    }

    @AfterEach
    public void closeIt() {
        close(store);
    }

    @Test
    public void showsWhatWasCommittedInTheOrderOfUnsignedKeys() {
        Batch batch = new Batch();
        batch.put(Kind.SESSION).u8(0xf0).value().utf8("last").end();
        batch.put(Kind.SESSION).u8(0x10).value().utf8("first").end();
        batch.put(Kind.SESSION).u8(0x10).u8(0).value().utf8("second").end();
        commit(batch);
        assertThat(values(Kind.SESSION)).containsExactly("first", "second", "last");
    }

    @Test
    public void keepsKindsApart() {
        commit(
                new Batch()
                        .put(Kind.SESSION, key("a"), key("1"))
                        .put(Kind.META, key("a"), key("2")));
        commit(new Batch().delete(Kind.SESSION, key("a")));
        assertThat(all(Kind.SESSION)).isEmpty();
        assertThat(all(Kind.META)).containsExactly("a=2");
    }

    @Test
    public void appliesAndTellsBatchesInTheirOrder() {
        for (int i = 0; i < 100; i++) {
            Batch batch = new Batch();
            batch.put(Kind.META, key("last"), key("" + i));
            batch.delete(Kind.MESSAGE, key("m" + (i - 1)));
            batch.put(Kind.MESSAGE, key("m" + i), key("x"));
            store.write(batch, answers.commit("" + i));
        }
        settle();
        assertThat(answers.heard()).hasSize(100);
        for (int i = 0; i < 100; i++) {
            assertThat(answers.heard().get(i)).isEqualTo(i + " committed");
        }
        assertThat(all(Kind.META)).containsExactly("last=99");
        assertThat(all(Kind.MESSAGE)).containsExactly("m99=x");
    }

    @Test
    public void appliesTheChangesOfABatchInTheirOrder() {
        Batch batch = new Batch();
        batch.put(Kind.META, key("a"), key("1")).delete(Kind.META, key("a"));
        batch.put(Kind.META, key("b"), key("1")).put(Kind.META, key("b"), key("2"));
        batch.put(Kind.META, key("c"), key("1")).deleteRange(Kind.META, key("c"), key("d"));
        batch.deleteRange(Kind.META, key("d"), key("e")).put(Kind.META, key("d"), key("1"));
        commit(batch);
        assertThat(all(Kind.META)).containsExactly("b=2", "d=1");
    }

    @Test
    public void deletesARangeUpToBeforeItsEnd() {
        Batch batch = new Batch();
        for (String name : List.of("a", "b", "b1", "c", "d")) {
            batch.put(Kind.DELIVERY, key(name), key("x")).put(Kind.BACKLOG, key(name), key("x"));
        }
        commit(batch);
        commit(new Batch().deleteRange(Kind.DELIVERY, key("b"), key("c")));
        commit(new Batch().deleteRange(Kind.DELIVERY, key("d"), key("c")));
        assertThat(all(Kind.DELIVERY)).containsExactly("a=x", "c=x", "d=x");
        assertThat(all(Kind.BACKLOG)).hasSize(5);
    }

    @Test
    public void doesNotMindWhatThereIsNot() {
        commit(new Batch());
        commit(new Batch().delete(Kind.META, key("none")));
        commit(new Batch().put(Kind.META, key("empty"), new byte[0]));
        assertThat(all(Kind.META)).containsExactly("empty=");
        assertThat(answers.heard()).allMatch(answer -> answer.endsWith("committed"));
    }

    @Test
    public void keepsLargeValuesWhole() {
        byte[] large = new byte[9 << 20];
        large[large.length - 1] = 7;
        commit(
                new Batch()
                        .put(Kind.MESSAGE, key("large"), large)
                        .put(Kind.META, key("a"), key("1")));
        List<byte[]> found = new ArrayList<>();
        store.forEach(Kind.MESSAGE, (key, value) -> found.add(value));
        assertThat(found).hasSize(1);
        assertThat(found.getFirst()).isEqualTo(large);
    }

    @Test
    public void hasTheBatchUntilItsCommitIsTold() {
        Batch batch = new Batch().put(Kind.META, key("a"), key("1"));
        List<String> again = new ArrayList<>();
        store.write(
                batch,
                answers.commit(
                        "first",
                        () -> {
                            batch.clear();
                            batch.put(Kind.META, key("b"), key("2"));
                            again.add("filled");
                        }));
        settle();
        assertThat(again).containsExactly("filled");
        commit(batch);
        assertThat(all(Kind.META)).containsExactly("a=1", "b=2");
    }

    @Test
    public void letsNobodyChangeABatchThatItHas() {
        Batch batch = new Batch().put(Kind.META, key("a"), key("1"));
        batch.lend();
        assertThatThrownBy(() -> batch.put(Kind.META, key("b"), key("2")))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(batch::clear).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> store.write(batch, answers.commit("never")))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    public void countsTheBytesThatAreQueued() {
        assertThat(store.queuedBytes()).isZero();
        commit(new Batch().put(Kind.META, key("a"), key("1")));
        assertThat(store.queuedBytes()).isZero();
        assertThat(store.queueLimit()).isPositive();
    }

    @Test
    public void readsRanges() {
        Batch batch = new Batch();
        for (String name : List.of("a", "b", "b1", "c", "d")) {
            batch.put(Kind.DELIVERY, key(name), key("x"));
        }
        commit(batch);
        assertThat(read("b", "c", 10)).isEqualTo("[b=x, b1=x]");
        assertThat(read("b", null, 10)).isEqualTo("[b=x, b1=x, c=x, d=x]");
        assertThat(read("b", null, 4)).isEqualTo("[b=x, b1=x, c=x, d=x]");
        assertThat(read("b", null, 3)).isEqualTo("[b=x, b1=x, c=x] and more");
        assertThat(read("a", "c", 2)).isEqualTo("[a=x, b=x] and more");
        assertThat(read("c", "b", 2)).isEqualTo("[]");
        assertThat(read("e", null, 2)).isEqualTo("[]");
    }

    @Test
    public void readsByKey() {
        commit(
                new Batch()
                        .put(Kind.MESSAGE, key("a"), key("1"))
                        .put(Kind.MESSAGE, key("b"), key("2")));
        store.get(
                Kind.MESSAGE,
                List.of(key("b"), key("none"), key("a"), key("b")),
                answers.reading());
        store.get(Kind.MESSAGE, List.of(), answers.reading());
        settle();
        assertThat(answers.heard().subList(1, 3)).containsExactly("[b=2, a=1, b=2]", "[]");
    }

    @Test
    public void findsEverythingAgain() {
        commit(
                new Batch()
                        .put(Kind.SESSION, key("a"), key("1"))
                        .put(Kind.META, key("b"), key("2"))
                        .delete(Kind.META, key("none")));
        commit(new Batch().delete(Kind.SESSION, key("a")));
        close(store);
        store = open();
        assertThat(all(Kind.SESSION)).isEmpty();
        assertThat(all(Kind.META)).containsExactly("b=2");
    }

    @Test
    public void commitsWhatIsQueuedWhenItIsClosedAndTakesNothingLater() {
        store.write(new Batch().put(Kind.META, key("a"), key("1")), answers.commit("before"));
        close(store);
        store.write(new Batch().put(Kind.META, key("b"), key("2")), answers.commit("after"));
        store.read(Kind.META, key("a"), null, 1, answers.reading());
        settle();
        assertThat(answers.heard())
                .containsExactly("before committed", "after failed: CLOSED", "failed: CLOSED");
        assertThat(store.state()).isInstanceOf(State.Failed.class);
        store = open();
        assertThat(all(Kind.META)).containsExactly("a=1");
    }

    @Test
    public void saysHowFarItIs() {
        Batch batch = new Batch();
        for (int i = 0; i < 50_000; i++) {
            batch.put(Kind.RETAINED).u32(i).value().u32(i).end();
        }
        commit(batch);
        List<Long> seen = new ArrayList<>();
        List<Long> estimates = new ArrayList<>();
        int[] count = new int[1];
        store.forEach(
                Kind.RETAINED,
                (key, value) -> count[0]++,
                (kind, done, estimate) -> {
                    assertThat(kind).isEqualTo(Kind.RETAINED);
                    seen.add(done);
                    estimates.add(estimate);
                });
        assertThat(count[0]).isEqualTo(50_000);
        assertThat(seen).isSorted().last().isEqualTo(50_000L);
        assertThat(estimates).last().isEqualTo(50_000L);
    }

    @Test
    public void takesOnlyWhatDeletesOrIsEssentialWhenItIsNearlyFull() {
        commit(new Batch().put(Kind.MESSAGE, key("old"), key("1")));
        setFreeBytes(store, RESERVE - 1);
        store.write(new Batch().put(Kind.MESSAGE, key("new"), key("2")), answers.commit("put"));
        store.write(
                new Batch().delete(Kind.MESSAGE, key("old")).put(Kind.META, key("a"), key("1")),
                answers.commit("both"));
        store.write(
                new Batch().put(Kind.DELIVERY, key("d"), key("1")).essential(),
                answers.commit("essential"));
        settle();
        assertThat(store.state()).isInstanceOf(State.NearlyFull.class);
        assertThat(all(Kind.MESSAGE)).containsExactly("old=1");
        store.write(new Batch().delete(Kind.MESSAGE, key("old")), answers.commit("delete"));
        settle();
        assertThat(answers.heard())
                .containsExactly(
                        "commit committed",
                        "put failed: NEARLY_FULL",
                        "both failed: NEARLY_FULL",
                        "essential committed",
                        "delete committed");
        assertThat(all(Kind.MESSAGE)).isEmpty();
        assertThat(all(Kind.DELIVERY)).containsExactly("d=1");
        assertThat(all(Kind.META)).isEmpty();
    }

    @Test
    public void takesEverythingAgainWhenThereIsSpace() {
        setFreeBytes(store, RESERVE - 1);
        commit(new Batch().put(Kind.META, key("a"), key("1")));
        setFreeBytes(store, 3 * RESERVE);
        await().until(() -> store.state() instanceof State.Accepting);
        commit(new Batch().put(Kind.META, key("b"), key("2")));
        assertThat(all(Kind.META)).containsExactly("b=2");
    }

    @Test
    public void tellsEverybodyWhenTheDiskFails() {
        commit(new Batch().put(Kind.META, key("a"), key("1")));
        breakDisk(store);
        for (int i = 0; i < 3; i++) {
            store.write(new Batch().put(Kind.META, key("b"), key("2")), answers.commit("late"));
        }
        settle();
        assertThat(answers.heard()).hasSize(4);
        assertThat(answers.heard().subList(1, 4)).allMatch(a -> a.startsWith("late failed: "));
        assertThat(answers.heard().get(1)).isEqualTo("late failed: UNKNOWN");
        assertThat(store.state()).isInstanceOf(State.Failed.class);
        assertThat(store.queuedBytes()).isZero();
    }

    private void commit(Batch batch) {
        store.write(batch, answers.commit("commit"));
        settle();
    }

    private String read(String from, @Nullable String to, int max) {
        store.read(Kind.DELIVERY, key(from), to == null ? null : key(to), max, answers.reading());
        settle();
        return answers.heard().getLast();
    }

    private void settle() {
        turn(store);
        await().atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMillis(2))
                .until(answers::areComplete);
    }

    private List<String> all(Kind kind) {
        List<String> found = new ArrayList<>();
        store.forEach(kind, (key, value) -> found.add(text(key) + "=" + text(value)));
        return found;
    }

    private List<String> values(Kind kind) {
        List<String> found = new ArrayList<>();
        store.forEach(kind, (key, value) -> found.add(text(value)));
        return found;
    }

    private static byte[] key(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
