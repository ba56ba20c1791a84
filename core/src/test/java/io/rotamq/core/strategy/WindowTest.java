package io.rotamq.core.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WindowTest {
    private static final int THREADS = 3;
    private static final int CREDIT = 7;

    private final Window window = new Window();

    @Test
    void refusesWithoutAConnection() {
        assertThat(window.claim()).isEqualTo(Window.OFFLINE);
        assertThat(window.peek()).isEqualTo(Window.OFFLINE);
        assertThat(window.free()).isZero();
    }

    @Test
    void grantsAsMuchAsItWasOpenedWith() {
        window.open(2);
        assertThat(window.claim()).isEqualTo(window.epoch());
        assertThat(window.claim()).isEqualTo(window.epoch());
        assertThat(window.claim()).isEqualTo(Window.FULL);
        assertThat(window.peek()).isEqualTo(Window.FULL);
    }

    @Test
    void saysWhenTheFirstCreditIsBack() {
        window.open(2);
        window.claim();
        assertThat(window.release()).as("one was free already").isFalse();
        window.claim();
        window.claim();
        assertThat(window.release()).as("none was free").isTrue();
        assertThat(window.release()).isFalse();
        assertThat(window.free()).isEqualTo(2);
    }

    @Test
    void looksWithoutTaking() {
        window.open(1);
        assertThat(window.peek()).isEqualTo(window.epoch());
        assertThat(window.free()).isEqualTo(1);
    }

    @Test
    void refusesWhileTheSocketIsFullAndKeepsTheCredit() {
        window.open(3);
        window.block(true);
        assertThat(window.claim()).isEqualTo(Window.BLOCKED);
        assertThat(window.free()).isEqualTo(3);
        window.block(false);
        assertThat(window.claim()).isNotNegative();
    }

    @Test
    void tellsClaimsOfEarlierConnectionsApart() {
        window.open(1);
        long first = window.claim();
        window.close();
        assertThat(window.claim()).isEqualTo(Window.OFFLINE);
        window.open(1);
        assertThat(window.claim()).isNotEqualTo(first).isNotNegative();
    }

    @Test
    void forgetsAFullSocketWithItsConnection() {
        window.open(1);
        window.block(true);
        window.close();
        window.open(1);
        assertThat(window.claim()).isNotNegative();
    }

    /** Three shards claim while the owner gives back, blocks and reconnects. */
    @Test
    void neverGrantsMoreThanThereIsHoweverManyClaim() throws Exception {
        AtomicInteger[] claimed = new AtomicInteger[1 << 12];
        for (int i = 0; i < claimed.length; i++) {
            claimed[i] = new AtomicInteger();
        }
        window.open(CREDIT);
        AtomicInteger running = new AtomicInteger(THREADS);
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<?>> claimers = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                claimers.add(threads.submit(() -> claimAll(claimed, running)));
            }
            reopen(running);
            for (Future<?> claimer : claimers) {
                claimer.get();
            }
        }
        for (AtomicInteger epoch : claimed) {
            assertThat(epoch.get()).isLessThanOrEqualTo(CREDIT);
        }
    }

    private void claimAll(AtomicInteger[] claimed, AtomicInteger running) {
        long epoch = 0;
        while (epoch < claimed.length - 2) {
            epoch = window.epoch();
            long answer = window.claim();
            if (answer >= 0 && answer < claimed.length) {
                claimed[(int) answer].incrementAndGet();
            }
        }
        running.decrementAndGet();
    }

    private void reopen(AtomicInteger running) {
        while (running.get() > 0) {
            window.block(true);
            window.block(false);
            window.close();
            window.open(CREDIT);
        }
    }
}
