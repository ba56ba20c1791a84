package io.rotamq.core.port;

import org.jspecify.annotations.Nullable;

/** Who a client is, for authorisation. */
public record Identity(String clientId, @Nullable String username, ConnectionInfo connection) {}
