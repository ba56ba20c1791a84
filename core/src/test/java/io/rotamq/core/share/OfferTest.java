package io.rotamq.core.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.strategy.FakeRecipient;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class OfferTest {
    private static final int RACES = 3_000;

    private final FakeRecipient holder = new FakeRecipient("holder", 1);

    @Test
    void goesToTheGroupOrBackToItsHolderOnce() {
        Offer taken = new Offer(holder, 1);
        assertThat(taken.isOpen()).isTrue();
        assertThat(taken.take()).isTrue();
        assertThat(taken.isOpen()).isFalse();
        assertThat(taken.reclaim()).isFalse();
        assertThat(taken.take()).isFalse();
        Offer reclaimed = new Offer(holder, 2);
        assertThat(reclaimed.reclaim()).isTrue();
        assertThat(reclaimed.take()).isFalse();
        assertThat(reclaimed.reclaim()).isFalse();
    }

    @Test
    void hasOneWinnerWhenBothReachForIt() throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        Offer[] offers = new Offer[RACES];
        for (int i = 0; i < RACES; i++) {
            offers[i] = new Offer(holder, 1);
        }
        boolean[] takes = new boolean[RACES];
        boolean[] reclaims = new boolean[RACES];
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<?> group =
                    threads.submit(
                            () -> {
                                start.await();
                                for (int i = 0; i < RACES; i++) {
                                    takes[i] = offers[i].take();
                                }
                                return null;
                            });
            Future<?> session =
                    threads.submit(
                            () -> {
                                start.await();
                                for (int i = 0; i < RACES; i++) {
                                    reclaims[i] = offers[i].reclaim();
                                }
                                return null;
                            });
            group.get();
            session.get();
        }
        for (int i = 0; i < RACES; i++) {
            assertThat(takes[i]).as("race %d", i).isNotEqualTo(reclaims[i]);
        }
    }
}
