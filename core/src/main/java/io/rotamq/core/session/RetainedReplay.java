package io.rotamq.core.session;

import io.rotamq.core.index.Replay;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.Message;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import org.jspecify.annotations.Nullable;

/** Retained messages on their way to a new subscription, one at a time as the client takes them. */
final class RetainedReplay {
    private final SubscriptionFilter filter;
    private final Replay<Message> messages;
    private final Grant grant;
    private @Nullable Message next;

    RetainedReplay(SubscriptionFilter filter, Replay<Message> messages, Grant grant) {
        this.filter = filter;
        this.messages = messages;
        this.grant = grant;
    }

    /** Of the subscription that asked for it. */
    SubscriptionFilter filter() {
        return filter;
    }

    Grant grant() {
        return grant;
    }

    /** The next message that has not expired; null when all have been passed. */
    @Nullable Message peek(long now) {
        while (next == null && !messages.done()) {
            messages.advance(1, Integer.MAX_VALUE, message -> next = message);
            Message found = next;
            if (found != null && found.isExpired(now)) {
                next = null;
            }
        }
        return next;
    }

    void pass() {
        next = null;
    }
}
