package io.rotamq.core.durable;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.MemoryStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class JournalTest {
    private final MemoryStore store = new MemoryStore(10);
    private final Shard shard = new Shard();
    private final Journal journal = new Journal(store, shard);
    private final List<String> told = new ArrayList<>();

    private static final class Shard implements Journal.Home {
        private final Queue<Journal.Flight> landed = new ArrayDeque<>();
        private int wakes;

        @Override
        public void wake() {
            wakes++;
        }

        @Override
        public void landed(Journal.Flight flight) {
            landed.add(flight);
        }

        void settle() {
            while (!landed.isEmpty()) {
                landed.remove().settle();
            }
        }
    }

    private final class Note implements Journal.Action {
        private final String name;

        Note(String name) {
            this.name = name;
        }

        @Override
        public void committed() {
            told.add(name);
        }

        @Override
        public void failed() {
            told.add("not " + name);
        }
    }

    @Test
    void nothingWaitsWhenNothingIsWritten() {
        journal.afterCommit(new Note("a"));
        assertThat(told).containsExactly("a");
        assertThat(shard.wakes).isZero();
        journal.flush();
        assertThat(store.queued()).isZero();
    }

    @Test
    void whatWaitsGoesOnInOrderOnceAllBeforeItIsSafe() {
        write(1);
        journal.afterCommit(new Note("1"));
        write(2);
        journal.afterCommit(new Note("2"));
        journal.endTurn();
        write(3);
        journal.afterCommit(new Note("3"));
        assertThat(store.queued()).isEqualTo(1);
        store.run();
        assertThat(told).isEmpty();
        shard.settle();
        assertThat(told).containsExactly("1", "2");
        store.run();
        shard.settle();
        assertThat(told).containsExactly("1", "2", "3");
    }

    @Test
    void theShardIsWokenOncePerTurn() {
        write(1);
        write(2);
        assertThat(shard.wakes).isEqualTo(1);
        journal.endTurn();
        write(3);
        assertThat(shard.wakes).isEqualTo(2);
    }

    @Test
    void fewBatchesAreUnderWayUnlessAnotherShardIsToHearOfThem() {
        for (int i = 0; i < 10; i++) {
            write(i);
            journal.endTurn();
        }
        assertThat(store.queued()).isEqualTo(4);
        journal.flush();
        assertThat(store.queued()).isEqualTo(5);
        store.run();
        shard.settle();
        journal.afterCommit(new Note("all"));
        assertThat(told).containsExactly("all");
    }

    @Test
    void whatWaitsForTheHandingOverGoesOnWithIt() {
        write(1);
        journal.afterHanding(() -> told.add("handed"));
        assertThat(told).isEmpty();
        journal.endTurn();
        assertThat(told).containsExactly("handed");
        journal.afterHanding(() -> told.add("at once"));
        assertThat(told).hasSize(2);
    }

    @Test
    void everythingFailsWithTheStore() {
        write(1);
        journal.afterCommit(new Note("1"));
        journal.endTurn();
        write(2);
        journal.afterCommit(new Note("2"));
        store.fail("broken");
        assertThat(journal.accepts()).isFalse();
        store.run();
        shard.settle();
        assertThat(told).containsExactly("not 1", "not 2");
        write(3);
        journal.afterCommit(new Note("3"));
        assertThat(told).endsWith("not 3");
    }

    @Test
    void whatWasAcceptedIsWrittenAlsoWhenTheDiskHasBecomeNearlyFull() {
        assertThat(journal.accepts()).isTrue();
        write(1);
        store.setFreeBytes(5);
        assertThat(journal.accepts()).isFalse();
        journal.afterCommit(new Note("1"));
        journal.endTurn();
        store.run();
        shard.settle();
        assertThat(told).containsExactly("1");
    }

    private void write(int number) {
        new InboundRecord(1, number).put(journal.record());
    }
}
