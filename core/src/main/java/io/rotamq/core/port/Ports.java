package io.rotamq.core.port;

import org.jspecify.annotations.Nullable;

/**
 * The surroundings of a node's core.
 *
 * @param store null if nothing is to outlive the process
 */
public record Ports(
        Clock clock,
        Waker waker,
        Authenticator authenticator,
        Authorizer authorizer,
        @Nullable Store store) {
    /** Of a node that stores nothing. */
    public Ports(Clock clock, Waker waker, Authenticator authenticator, Authorizer authorizer) {
        this(clock, waker, authenticator, authorizer, null);
    }
}
