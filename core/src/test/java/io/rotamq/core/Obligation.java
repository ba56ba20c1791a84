package io.rotamq.core;

import io.rotamq.core.share.Group;
import org.jspecify.annotations.Nullable;

/**
 * One copy that the broker owes: a message to a group, or to the plain subscriptions of a session.
 */
final class Obligation {
    final Published message;
    final @Nullable Group group;
    final @Nullable ModelSession session;

    /** With separate copies for overlapping subscriptions: which one; else 0. */
    final int identifier;

    /** The delivery that is in progress, or was the last one. */
    @Nullable Exchange holder;

    boolean sent;

    /** A retained message, which does not stand for the copy of the publish itself. */
    boolean replayed;

    /** Acknowledged, or sent at QoS 0. */
    boolean finished;

    /** Discarded after a negative acknowledgement. */
    boolean rejected;

    /** The subscription or the session went before it was sent: nothing is owed any more. */
    boolean waived;

    /** Nothing was dropped in sight, but all is idle and nobody has it: it was. */
    boolean closed;

    /** A later message of its key was begun when it had come back to its group. */
    boolean passed;

    /** A later message of its line that went to the next owner when this one was to come back. */
    @Nullable Published overtaking;

    /** Who was sent it first. */
    @Nullable ModelSession first;

    private Obligation(
            Published message,
            @Nullable Group group,
            @Nullable ModelSession session,
            int identifier) {
        this.message = message;
        this.group = group;
        this.session = session;
        this.identifier = identifier;
    }

    /** Whether nothing of it can be under way any more. */
    boolean isDone() {
        if (closed || rejected) {
            return true;
        }
        return holder == null ? finished : holder.isDone();
    }

    static Obligation to(Published message, Group group) {
        return new Obligation(message, group, null, 0);
    }

    static Obligation to(Published message, ModelSession session, int identifier) {
        return new Obligation(message, null, session, identifier);
    }

    @Override
    public String toString() {
        return message + " for " + (group != null ? group : "plain of " + session);
    }
}
