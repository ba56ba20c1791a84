package io.rotamq.core.port;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Durable entries, each under a key of its kind. Keys of a kind sort as unsigned bytes.
 *
 * <p>What is written is told to the {@link Commit} once a crash can no longer take it back. Batches
 * are applied in the order in which they were handed over, each as a whole or not at all, and told
 * in that order. {@code write}, {@code read} and {@code get} may be called by any thread and do not
 * wait for the disk; their answers come on threads of the store, which have others to answer: an
 * answer is passed on to where it belongs, and neither waits nor writes. (Once the store is closed
 * they may come at once, on the caller's.)
 */
public interface Store {
    /** What sorts of entries there are; the labels are names on disk and never change. */
    enum Kind {
        SESSION("session"),
        SUBSCRIPTION("subscription"),
        /** Messages, once however many sessions and groups refer to them. */
        MESSAGE("message"),
        /** What waits for a session or is in flight to it. */
        DELIVERY("delivery"),
        /** QoS 2 publishes of a session that are not released. */
        INBOUND("inbound"),
        RETAINED("retained"),
        /** What waits for a member of a group. */
        BACKLOG("backlog"),
        /** Settings that were changed while running. */
        RULE("rule"),
        /** Counters and versions of those who use the store. */
        META("meta"),
        /** Records of logs; written through {@link Log} alone. */
        LOG("log"),
        /** Cursors and epochs of logs; written through {@link Log} alone. */
        CURSOR("cursor");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    /** Hears once what became of a batch, which is its owner's again from then on. */
    interface Commit {
        void committed();

        void failed(Failure failure);
    }

    /** Why a batch was not committed, or a read not answered. */
    record Failure(Cause cause, String message) {
        /** How much is known about what was not committed. */
        public enum Cause {
            /** Nothing of it was stored: the disk is nearly full. */
            NEARLY_FULL,
            /** Nothing of it was stored: the store was closed, or had failed before. */
            CLOSED,
            /** The disk failed: it may be there, whole, after the next start, or not. */
            UNKNOWN
        }
    }

    /** How the store is. */
    sealed interface State {
        /** Takes everything. */
        record Accepting() implements State {}

        /**
         * Takes only batches that delete or are {@linkplain Batch#essential() essential}, until
         * there is space again.
         */
        record NearlyFull(long freeBytes, long reserve) implements State {}

        /** Takes nothing any more: the broker must be started anew. */
        record Failed(String reason) implements State {}
    }

    /** Sees entries in the order of their keys; the arrays are the visitor's. */
    interface Visitor {
        void entry(byte[] key, byte[] value);
    }

    /** Hears how far a {@link #forEach} is: now and then, and at the end. */
    interface Progress {
        Progress NONE = (kind, done, estimate) -> {};

        /**
         * So many were seen.
         *
         * @param estimate how many there may be in total, at least {@code done}; exact at the end
         */
        void seen(Kind kind, long done, long estimate);
    }

    /** An entry that was read. */
    record Entry(byte[] key, byte[] value) {}

    /** Hears once what was read. */
    interface Reading {
        /**
         * What there is.
         *
         * @param more whether there were more than wanted
         */
        void read(List<Entry> entries, boolean more);

        void failed(Failure failure);
    }

    /**
     * Has the changes of the batch made. The batch is the store's until the commit is told. Does
     * not wait for the disk, unless so much is queued that the queue is full: see {@link
     * #queuedBytes()}.
     */
    void write(Batch batch, Commit commit);

    /**
     * Shows all entries of a kind, as they are at the beginning, on the caller's thread: for
     * recovery and inspection.
     *
     * @throws StoreException when they cannot be read
     */
    void forEach(Kind kind, Visitor visitor, Progress progress);

    /** Shows all entries of a kind. */
    default void forEach(Kind kind, Visitor visitor) {
        forEach(kind, visitor, Progress.NONE);
    }

    /**
     * Reads entries from one key to before another, in order. Sees all that was told as committed
     * before the call.
     *
     * @param to {@code null} for all to the end of the kind
     * @param max how many at most
     */
    void read(Kind kind, byte[] from, byte @Nullable [] to, int max, Reading reading);

    /** Reads the entries that have these keys, in their order, without those that do not exist. */
    void get(Kind kind, List<byte[]> keys, Reading reading);

    /** How the store is now; cheap enough to ask for each message. */
    State state();

    /**
     * Bytes handed over and not committed. Whoever feeds the store slows down long before this
     * reaches {@link #queueLimit()}, where {@link #write} waits.
     */
    long queuedBytes();

    /** The bound of {@link #queuedBytes()}. */
    long queueLimit();
}
