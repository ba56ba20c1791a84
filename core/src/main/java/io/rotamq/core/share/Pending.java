package io.rotamq.core.share;

import org.jspecify.annotations.Nullable;

/**
 * A message that waits in a group's backlog.
 *
 * @param offer the member that holds it unacknowledged while its client is away, if any
 */
public record Pending(Message message, @Nullable Offer offer) {
    /** Whether somebody may still take it; false when its first holder has resumed it. */
    boolean isOpen() {
        return offer == null || offer.isOpen();
    }

    boolean take() {
        return offer == null || offer.take();
    }
}
