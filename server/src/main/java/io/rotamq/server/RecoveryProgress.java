package io.rotamq.server;

import io.rotamq.core.port.Store.Kind;
import io.rotamq.core.port.Store.Progress;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells in the log how far the recovery is: once a second. Owned by the thread that recovers. */
final class RecoveryProgress implements Progress {
    private static final Logger LOG = LoggerFactory.getLogger(RecoveryProgress.class);
    private static final long INTERVAL = 1_000_000_000;

    private final Map<Kind, Long> seen = new EnumMap<>(Kind.class);
    private final long start = System.nanoTime();
    private long told = start;

    @Override
    public void seen(Kind kind, long done, long estimate) {
        seen.put(kind, done);
        long now = System.nanoTime();
        if (now - told >= INTERVAL) {
            told = now;
            LOG.info(
                    "Recovering: {} of about {} {} entries, {} s so far",
                    done,
                    estimate,
                    kind.label(),
                    (now - start) / INTERVAL);
        }
    }

    /** What there was: {@code : 3 session, 5 subscription entries}. */
    String summary() {
        String counts =
                seen.entrySet().stream()
                        .filter(each -> each.getValue() > 0)
                        .map(each -> each.getValue() + " " + each.getKey().label())
                        .collect(Collectors.joining(", "));
        return counts.isEmpty() ? "" : String.format(Locale.ROOT, ": %s entries", counts);
    }
}
