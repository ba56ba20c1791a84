package io.rotamq.storage;

import io.rotamq.core.port.Batch;
import io.rotamq.core.port.Store.Commit;
import io.rotamq.core.port.Store.Failure;
import org.jspecify.annotations.Nullable;

/**
 * Something for the storage thread to write and to answer. All but the construction happens on that
 * thread.
 */
abstract class Submission {
    private final long bytes;

    /** Set when the group goes on without it. */
    private @Nullable Failure failure;

    /**
     * @param bytes what it counts for while it is queued
     */
    Submission(long bytes) {
        this.bytes = bytes;
    }

    /** What a shard hands over. */
    static Submission of(Batch batch, Commit commit) {
        return new Submission(batch.size()) {
            @Override
            Batch batch() {
                return batch;
            }

            @Override
            void committed() {
                batch.giveBack();
                commit.committed();
            }

            @Override
            void failed(Failure failure) {
                batch.giveBack();
                commit.failed(failure);
            }
        };
    }

    final long bytes() {
        return bytes;
    }

    /** Its turn has come: what is decided only now enters the batch. */
    void prepare() {}

    /** It will not be written after all: what was decided is taken back, the last one first. */
    void undo() {}

    abstract Batch batch();

    abstract void committed();

    abstract void failed(Failure failure);

    final void refuse(Failure reason) {
        failure = reason;
    }

    final boolean isRefused() {
        return failure != null;
    }

    /** Tells the one who waits. */
    final void tell() {
        Failure reason = failure;
        if (reason == null) {
            committed();
        } else {
            failed(reason);
        }
    }
}
