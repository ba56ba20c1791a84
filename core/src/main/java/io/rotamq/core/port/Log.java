package io.rotamq.core.port;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records in the order of their offsets, without gaps, written by one owner at a time. An owner has
 * an epoch; once a higher epoch took the log over, nothing of a lower one enters it any more. May
 * be called by any thread; answers come in order on threads of the log, and neither wait nor write.
 */
public interface Log {
    /** Why something was not done. */
    sealed interface Refusal {
        /** The epoch is not that of the owner, which is told: somebody took the log over. */
        record Fenced(long epoch) implements Refusal {}

        /** As for a batch of a {@link Store}. */
        record Failed(Store.Failure failure) implements Refusal {}
    }

    /** Hears once the offset of a first record, or where a log ends. */
    interface Answer {
        void done(long offset);

        void refused(Refusal refusal);
    }

    /** A record that was read. */
    record Entry(long offset, byte[] record) {}

    /** Hears once what was read. */
    interface Reading {
        /**
         * What there is.
         *
         * @param end the offset that the next record will get: nothing below it is missing but what
         *     was trimmed
         */
        void read(List<Entry> entries, long end);

        void failed(Store.Failure failure);
    }

    /**
     * How far a reader is.
     *
     * @param position everything before this offset is acknowledged
     * @param acknowledged bit n (the lowest of each word first) says that {@code position + n} is
     *     too; the array is nobody's to change
     */
    record Cursor(long position, long[] acknowledged) {}

    /** Hears once where a cursor is. */
    interface CursorReading {
        void read(@Nullable Cursor cursor);

        void failed(Store.Failure failure);
    }

    /**
     * Makes an owner of this epoch, for good and durably; all that lower epochs appended comes
     * before the answer, which is where the log ends.
     *
     * @param epoch from 1, above that of each owner before, else {@link Refusal.Fenced}
     */
    void takeover(long epoch, Answer answer);

    /** Appends the records together or not at all; the answer is the offset of the first. */
    void append(long epoch, List<byte[]> records, Answer answer);

    /** Reads records from an offset, or from the first that was not trimmed. */
    void read(long from, int max, Reading reading);

    /**
     * Forgets what is before an offset; never beyond the end. The answer is the first offset that
     * is left.
     */
    void trim(long epoch, long to, Answer answer);

    /** Remembers how far a reader is; the answer is its position. */
    void saveCursor(long epoch, String name, Cursor cursor, Answer answer);

    /** Where a reader is; {@code null} if it was never saved. */
    void cursor(String name, CursorReading reading);
}
