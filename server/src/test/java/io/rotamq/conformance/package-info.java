/**
 * A test for every statement of MQTT 5.0 and 3.1.1 that binds a server, over real sockets. Each
 * test names the statements it would fail on with tags: the version first, then the ids of the
 * checklists in {@code src/test/resources/conformance}. docs/conformance.md lists what has no test.
 */
@NullMarked
package io.rotamq.conformance;

import org.jspecify.annotations.NullMarked;
