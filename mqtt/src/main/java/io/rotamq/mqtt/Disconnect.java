package io.rotamq.mqtt;

import org.jspecify.annotations.Nullable;

/**
 * The last packet of a connection.
 *
 * @param sessionExpiry seconds, from clients only; -1 if absent
 * @param serverReference another server to use, from servers only
 */
public record Disconnect(
        ReasonCode reasonCode,
        long sessionExpiry,
        Details details,
        @Nullable String serverReference)
        implements Packet {
    /** A server's DISCONNECT with nothing but its reason. */
    public static Disconnect of(ReasonCode reasonCode, Details details) {
        return new Disconnect(reasonCode, -1, details, null);
    }
}
