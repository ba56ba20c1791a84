package io.rotamq.core.index;

import org.jspecify.annotations.Nullable;

/**
 * What a topic holds in {@link RetainedMessages}. It stays the same object for as long as the topic
 * has messages, wherever in the tree it comes to lie, so that a reader who is still in an old part
 * of the tree finds the present message. Once the message is removed it is empty for good. Written
 * under the lock of the tree.
 */
final class Held<M> {
    private volatile @Nullable M message;

    Held(M message) {
        this.message = message;
    }

    @Nullable M message() {
        return message;
    }

    void message(@Nullable M newMessage) {
        message = newMessage;
    }
}
