package io.rotamq.core.strategy;

import org.jspecify.annotations.Nullable;

/** The session behind a member, as far as a group cares. Read from any shard. */
public interface Recipient {
    String clientId();

    /** Index of the shard that owns the session. */
    int shard();

    Window window();

    boolean isOnline();

    /** The present connection; null without one. */
    default @Nullable Attachment attachment() {
        return null;
    }

    /** Whether the session outlives its connection. */
    boolean isPersistent();

    /** Whether the session survives the process. */
    default boolean isDurable() {
        return false;
    }

    /** Whether the delivery stays within the Maximum Packet Size of the connected client. */
    boolean fits(Message message, Grant grant);
}
