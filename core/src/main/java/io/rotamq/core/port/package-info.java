/**
 * What the core asks of its surroundings: ports that the process (or the simulator) implements, the
 * settings it is built with, and the counters it keeps. Apart from the decisions so that every
 * layer of the core may depend on it.
 */
@NullMarked
package io.rotamq.core.port;

import org.jspecify.annotations.NullMarked;
