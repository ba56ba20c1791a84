package io.rotamq.core.port;

/** The surroundings of a node's core. */
public record Ports(Clock clock, Waker waker, Authenticator authenticator, Authorizer authorizer) {}
