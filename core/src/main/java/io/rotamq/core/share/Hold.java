package io.rotamq.core.share;

import io.rotamq.core.strategy.Message;
import org.jspecify.annotations.Nullable;

/**
 * One unfinished delivery's hold on its routing key: nothing else of the key is given out before it
 * ends. The session that has the delivery carries it and says when it is over; else its fields
 * belong to the shard that owns the group.
 *
 * <p>A delivery that is offered to the group may be resumed by its first holder at any moment
 * ({@link Offer}). Then the group finds an offer that is not open any more, and the same hold lies
 * on the key again, unless the session has said meanwhile that it is over.
 */
public final class Hold {
    private final Group group;
    private final Message message;

    /** The line of its key, while the delivery is with a session. */
    @Nullable Line line;

    /** Its neighbour in that line: more than one only if a change of rules has merged keys. */
    @Nullable Hold next;

    /** As what it came back to the group last, if it is there. */
    @Nullable Pending back;

    private boolean over;

    Hold(Group group, Message message) {
        this.group = group;
        this.message = message;
    }

    public Group group() {
        return group;
    }

    Message message() {
        return message;
    }

    boolean isOver() {
        return over;
    }

    void over() {
        over = true;
        back = null;
    }
}
