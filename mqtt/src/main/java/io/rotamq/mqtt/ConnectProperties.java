package io.rotamq.mqtt;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an MQTT 5 client asks for in CONNECT, with the standard's defaults filled in.
 *
 * @param sessionExpiry seconds, 0 to 0xFFFFFFFF, which means never. MQTT 3: 0 for a clean session,
 *     else never
 * @param receiveMaximum 1 to 65,535, the default
 * @param maximumPacketSize bytes; {@link Long#MAX_VALUE} if absent
 * @param topicAliasMaximum 0 to 65,535; 0, the default, forbids aliases
 */
public record ConnectProperties(
        long sessionExpiry,
        int receiveMaximum,
        long maximumPacketSize,
        int topicAliasMaximum,
        boolean requestResponseInformation,
        boolean requestProblemInformation,
        @Nullable String authenticationMethod,
        byte @Nullable [] authenticationData,
        List<UserProperty> userProperties) {

    /** The session expiry that means never. */
    public static final long NEVER = 0xFFFF_FFFFL;

    /** The standard's defaults with this session expiry: all that an MQTT 3 client can ask for. */
    public static ConnectProperties defaults(long sessionExpiry) {
        return new ConnectProperties(
                sessionExpiry, 65_535, Long.MAX_VALUE, 0, false, true, null, null, List.of());
    }
}
