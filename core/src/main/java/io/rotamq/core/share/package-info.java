/**
 * Sharing work: groups, their members, the backlog that belongs to the group, and redispatch. Who
 * is chosen is the business of the strategies. Nothing here knows how a session talks to its
 * client.
 */
@NullMarked
package io.rotamq.core.share;

import org.jspecify.annotations.NullMarked;
