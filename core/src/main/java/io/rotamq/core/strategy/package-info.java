/**
 * Whose turn it is: the strategies, the roster of a group that they choose from, the window that a
 * choice takes its credit from, and what they know of messages and publishers. Nothing here knows
 * what becomes of a message that nobody can take.
 */
@NullMarked
package io.rotamq.core.strategy;

import org.jspecify.annotations.NullMarked;
