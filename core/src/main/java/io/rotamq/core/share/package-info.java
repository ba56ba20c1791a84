/**
 * Sharing work: groups, their members, the strategies that choose among them, the backlog that
 * belongs to the group, and redispatch. Nothing here knows how a session talks to its client.
 */
@NullMarked
package io.rotamq.core.share;

import org.jspecify.annotations.NullMarked;
