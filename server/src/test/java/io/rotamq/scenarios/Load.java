package io.rotamq.scenarios;

import static org.awaitility.Awaitility.await;

import io.rotamq.clients.HiveMq5;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** A publisher at 1,000 messages per second, QoS 1; the payloads are {@code load:0} and so on. */
final class Load {
    private final HiveMq5 publisher;
    private final String topic;
    private final AtomicInteger published = new AtomicInteger();
    private final Queue<Duration> latencies = new ConcurrentLinkedQueue<>();

    Load(HiveMq5 publisher, String topic) {
        this.publisher = publisher;
        this.topic = topic;
    }

    /** Returns when everything is published and acknowledged. */
    void run(Duration duration) {
        run(duration, () -> {});
    }

    /** The same with something that the thread of the test does meanwhile. */
    void run(Duration duration, Runnable meanwhile) {
        int count = (int) duration.toMillis();
        CompletableFuture<Void> sent = new CompletableFuture<>();
        try (ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor()) {
            timer.scheduleAtFixedRate(() -> round(count, sent), 0, 10, TimeUnit.MILLISECONDS);
            meanwhile.run();
            sent.orTimeout(duration.toSeconds() + 30, TimeUnit.SECONDS).join();
            timer.shutdownNow();
        }
        await().until(() -> latencies.size() == published.get());
    }

    private void round(int count, CompletableFuture<Void> sent) {
        if (published.get() >= count) {
            sent.complete(null);
            return;
        }
        for (int i = 0; i < 10; i++) {
            String payload = "load:" + published.getAndIncrement();
            long start = System.nanoTime();
            publisher.publishing(topic, payload, 1).thenRun(() -> acknowledged(start));
        }
    }

    private void acknowledged(long start) {
        latencies.add(Duration.ofNanos(System.nanoTime() - start));
    }

    Duration slowest() {
        return latencies.stream().max(Duration::compareTo).orElseThrow();
    }

    /** What was published so far; what is not among them will be published from now on. */
    List<String> published() {
        return IntStream.range(0, published.get()).mapToObj(i -> "load:" + i).toList();
    }
}
