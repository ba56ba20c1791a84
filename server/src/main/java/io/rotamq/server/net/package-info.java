/**
 * Listeners and connections on Netty: bytes in and out of the core, TLS, WebSocket, limits and
 * time-outs.
 */
@NullMarked
package io.rotamq.server.net;

import org.jspecify.annotations.NullMarked;
