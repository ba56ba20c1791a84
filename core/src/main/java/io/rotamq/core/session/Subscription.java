package io.rotamq.core.session;

import io.rotamq.core.index.Ranked;
import io.rotamq.core.share.Member;
import io.rotamq.core.strategy.Grant;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import org.jspecify.annotations.Nullable;

/**
 * One subscription of a session, as it is now; replaced whole when the client subscribes again.
 *
 * @param member the session's place in the group; null for a plain subscription
 * @param since generation of the first SUBSCRIBE to the filter
 */
public record Subscription(
        Session session,
        SubscriptionFilter filter,
        Grant grant,
        @Nullable Member member,
        long since)
        implements Ranked {
    /** Among those to the same filter: as old as its generation. */
    @Override
    public long place() {
        return generation();
    }

    public long generation() {
        return grant.generations()[0];
    }
}
