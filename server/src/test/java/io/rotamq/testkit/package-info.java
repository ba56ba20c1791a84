/**
 * A client and a broker for tests over real sockets. The client has its own codec, so that it
 * judges the broker from outside, and it is strict: a packet the standard forbids a server to send
 * fails the test that read it.
 */
@NullMarked
package io.rotamq.testkit;

import org.jspecify.annotations.NullMarked;
