/**
 * The process: {@code Broker} wires the whole by hand and says in which order it starts and stops.
 */
@NullMarked
package io.rotamq.server;

import org.jspecify.annotations.NullMarked;
