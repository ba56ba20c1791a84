package io.rotamq.core.strategy;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Who publishes: a connection, or the broker itself. What a strategy remembers of a publisher hangs
 * on this object, so that it is gone with the connection and with the last message that waits.
 *
 * <p>Used by the shard of the connection, and by the owners of the groups in which messages of it
 * wait.
 */
public final class Publisher {
    /** The broker itself. */
    public static final Publisher BROKER = new Publisher("");

    private final String clientId;
    private final long hash;
    private final ConcurrentMap<Strategy, Bookmark> bookmarks = new ConcurrentHashMap<>(2);

    /** The one used last, since most publishers feed one group; racy, as any will do. */
    private @Nullable Bookmark latest;

    /** Bookmarks from which on those of groups that ended are looked for; racy as well. */
    private int crowded = 64;

    public Publisher(String clientId) {
        this.clientId = clientId;
        this.hash = Rendezvous.hash(clientId);
    }

    /** Empty for the broker itself. */
    public String clientId() {
        return clientId;
    }

    /** Of the client identifier, 64 bits. */
    long hash() {
        return hash;
    }

    /** Where this publisher is in a group; gone when the strategy has retired. */
    @SuppressWarnings("ReferenceEquality") // an instance is one group's strategy for some time
    Bookmark bookmark(Strategy strategy) {
        Bookmark last = latest;
        if (last != null && last.strategy() == strategy) {
            return last;
        }
        Bookmark known = bookmarks.get(strategy);
        if (known == null) {
            known = newBookmark(strategy);
        }
        latest = known;
        return known;
    }

    /** How many groups it is known to; for tests. */
    int bookmarks() {
        return bookmarks.size();
    }

    private Bookmark newBookmark(Strategy strategy) {
        if (bookmarks.size() >= crowded) {
            bookmarks.keySet().removeIf(Strategy::hasRetired);
            crowded = Math.max(64, 2 * bookmarks.size());
        }
        return bookmarks.computeIfAbsent(strategy, Bookmark::new);
    }
}
