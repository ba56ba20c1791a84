package io.rotamq.core.share;

import io.rotamq.core.durable.Keep;
import io.rotamq.core.strategy.Message;
import org.jspecify.annotations.Nullable;

/**
 * A message that waits in a group's backlog.
 *
 * @param offer the member that holds it unacknowledged while its client is away, if any
 * @param hold of the delivery that did not finish, if it had one
 * @param keep what keeps it in the store, if anything: with an offer that of the member
 */
public record Pending(
        Message message, @Nullable Offer offer, @Nullable Hold hold, @Nullable Keep keep) {
    /** With a line of its own, which a message with its own key has, and the key's text. */
    private static final int ENTRY = 256;

    /** Bytes that a message takes while it waits here, itself included. */
    public static long cost(Message message) {
        return message.size() + ENTRY;
    }

    /** A message that no member has. */
    static Pending fresh(Message message, @Nullable Keep keep) {
        return new Pending(message, null, null, keep);
    }

    /** Whether somebody may still take it; false when its first holder has resumed it. */
    boolean isOpen() {
        return offer == null || offer.isOpen();
    }

    boolean take() {
        return offer == null || offer.take();
    }
}
