package io.rotamq.core.port;

import org.jspecify.annotations.Nullable;

/**
 * Where a connection comes from.
 *
 * @param listener name of the listener, for example {@code mqtt} or {@code websocket}
 * @param remoteAddress {@code host:port} of the peer
 * @param certificateSubject distinguished name of the verified client certificate, if any
 */
public record ConnectionInfo(
        String listener, String remoteAddress, @Nullable String certificateSubject) {}
