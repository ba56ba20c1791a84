package io.rotamq.storage;

import static org.awaitility.Awaitility.await;

import io.rotamq.core.port.Batch;
import io.rotamq.core.port.Store;
import io.rotamq.core.port.Store.Commit;
import io.rotamq.core.port.Store.Failure;
import io.rotamq.core.port.Store.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Writes, and waits for what became of it. */
final class Recorder {
    private final AtomicInteger open = new AtomicInteger();
    private final List<Failure> failures = new CopyOnWriteArrayList<>();

    /** Hands a batch over. */
    void write(Store store, Batch batch) {
        open.incrementAndGet();
        store.write(batch, new Counting());
    }

    void put(Store store, Kind kind, String key, String value) {
        write(store, new Batch().put(kind, bytes(key), bytes(value)));
    }

    /** Waits until all that was handed over was answered; says what failed since the last time. */
    List<Failure> settle() {
        await().atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMillis(2))
                .until(() -> open.get() == 0);
        List<Failure> result = List.copyOf(failures);
        failures.clear();
        return result;
    }

    static List<String> all(Store store, Kind kind) {
        List<String> found = new ArrayList<>();
        store.forEach(kind, (key, value) -> found.add(text(key) + "=" + text(value)));
        return found;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private final class Counting implements Commit {
        @Override
        public void committed() {
            hear(null);
        }

        @Override
        public void failed(Failure failure) {
            hear(failure);
        }

        private void hear(@Nullable Failure failure) {
            if (failure != null) {
                failures.add(failure);
            }
            open.decrementAndGet();
        }
    }
}
