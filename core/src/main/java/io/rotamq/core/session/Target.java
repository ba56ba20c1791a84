package io.rotamq.core.session;

import io.rotamq.core.strategy.Grant;
import org.jspecify.annotations.Nullable;

/**
 * One copy that a topic owes to a session by its plain subscriptions.
 *
 * @param own the grant of a message that the client published itself: without its No Local
 *     subscriptions; null if that leaves none
 */
record Target(Session session, Grant grant, @Nullable Grant own) {}
