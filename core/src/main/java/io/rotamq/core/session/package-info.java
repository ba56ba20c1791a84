/**
 * Sessions: subscriptions, what is in flight and what waits, packet identifiers, and the plain
 * (non-shared) routes of one shard. Everything here is owned by one shard.
 */
@NullMarked
package io.rotamq.core.session;

import org.jspecify.annotations.NullMarked;
