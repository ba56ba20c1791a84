package io.rotamq.core.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublisherTest {
    private final Publisher publisher = new Publisher("p");

    @Test
    void keepsABookmarkForEachStrategy() {
        Strategy one = new RoundRobin();
        Strategy other = new RoundRobin();
        Bookmark first = publisher.bookmark(one);
        assertThat(publisher.bookmark(other)).isNotSameAs(first);
        assertThat(publisher.bookmark(one)).isSameAs(first);
    }

    @Test
    void forgetsGroupsThatEnded() {
        List<Strategy> lasting = new ArrayList<>();
        List<Bookmark> bookmarks = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            Strategy strategy = new RoundRobin();
            Bookmark bookmark = publisher.bookmark(strategy);
            if (i % 1_000 == 0) {
                lasting.add(strategy);
                bookmarks.add(bookmark);
            } else {
                strategy.retire();
            }
        }
        assertThat(publisher.bookmarks()).isLessThan(200);
        for (int i = 0; i < lasting.size(); i++) {
            assertThat(publisher.bookmark(lasting.get(i))).isSameAs(bookmarks.get(i));
        }
    }
}
