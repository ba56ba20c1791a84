package io.rotamq.core.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RanksTest {
    private record Entry(long place) implements Ranked {}

    @Test
    void isEmptyToBeginWith() {
        Ranks<Entry> none = Ranks.none();
        assertThat(none.size()).isZero();
        assertThat(none.find(7)).isEqualTo(-1);
        assertThat(list(Ranks.of(List.<Entry>of()))).isEmpty();
    }

    /** Against a tree map, over sizes of many chunks, growing and shrinking at any place. */
    @Test
    void isWhatASortedMapIs() {
        Random random = new Random(11);
        SortedMap<Long, Entry> expected = new TreeMap<>();
        Ranks<Entry> ranks = Ranks.none();
        for (int step = 0; step < 30_000; step++) {
            boolean grows = random.nextInt(10) < (step < 15_000 ? 7 : 3);
            if (grows) {
                Entry entry =
                        new Entry(random.nextBoolean() ? step * 10L : random.nextInt(300_000));
                if (expected.putIfAbsent(entry.place(), entry) == null) {
                    ranks = ranks.with(entry);
                }
            } else if (!expected.isEmpty()) {
                Entry entry = ranks.get(random.nextInt(ranks.size()));
                ranks = ranks.without(ranks.find(entry.place()));
                expected.remove(entry.place());
            }
            if (step % 1_000 == 0) {
                assertThat(list(ranks)).isEqualTo(new ArrayList<>(expected.values()));
                checkFinds(ranks, expected, random);
            }
            assertThat(ranks.size()).isEqualTo(expected.size());
        }
    }

    private static void checkFinds(
            Ranks<Entry> ranks, SortedMap<Long, Entry> expected, Random random) {
        for (int i = 0; i < 50; i++) {
            long place = random.nextInt(300_000);
            int before = expected.headMap(place).size();
            int found = expected.containsKey(place) ? before : -1 - before;
            assertThat(ranks.find(place)).isEqualTo(found);
        }
    }

    @Test
    void doesNotChangeForThoseWhoHoldAnOlderOne() {
        Ranks<Entry> older = Ranks.none();
        for (int i = 0; i < 2_000; i++) {
            older = older.with(new Entry(2L * i));
        }
        List<Entry> seen = list(older);
        Ranks<Entry> newer = older.with(new Entry(1_001)).without(3).with(new Entry(9_999));
        assertThat(list(older)).isEqualTo(seen);
        assertThat(newer.size()).isEqualTo(2_001);
    }

    @Test
    void takesASortedListAtOnce() {
        List<Entry> sorted = new ArrayList<>();
        for (int i = 0; i < 2 * Ranks.CHUNK + 1; i++) {
            sorted.add(new Entry(i));
        }
        Ranks<Entry> ranks = Ranks.of(sorted);
        assertThat(list(ranks)).isEqualTo(sorted);
        assertThat(ranks.find(Ranks.CHUNK)).isEqualTo(Ranks.CHUNK);
        assertThat(ranks.get(2 * Ranks.CHUNK).place()).isEqualTo(2 * Ranks.CHUNK);
    }

    private static List<Entry> list(Ranks<Entry> ranks) {
        List<Entry> byIndex = new ArrayList<>();
        for (int i = 0; i < ranks.size(); i++) {
            byIndex.add(ranks.get(i));
        }
        List<Entry> inOrder = new ArrayList<>();
        ranks.forEach(inOrder::add);
        assertThat(inOrder).isEqualTo(byIndex);
        return byIndex;
    }
}
