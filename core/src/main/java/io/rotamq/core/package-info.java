/**
 * Every decision of the broker: sessions, share groups, dispatch, backlog, redispatch. No thread,
 * clock, socket or file, so that a simulator can run it step by step from a seed; the world is
 * reached through the ports declared here.
 */
@NullMarked
package io.rotamq.core;

import org.jspecify.annotations.NullMarked;
