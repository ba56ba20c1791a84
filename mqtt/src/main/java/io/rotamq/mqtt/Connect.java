package io.rotamq.mqtt;

import org.jspecify.annotations.Nullable;

/**
 * A client's request for a connection.
 *
 * @param clientId empty if the client leaves the choice to the server
 * @param cleanStart Clean Start of MQTT 5, Clean Session of MQTT 3
 * @param keepAlive seconds, 0 to 65,535; 0 is none
 */
public record Connect(
        ProtocolVersion version,
        String clientId,
        boolean cleanStart,
        int keepAlive,
        ConnectProperties properties,
        @Nullable Will will,
        @Nullable String username,
        byte @Nullable [] password)
        implements Packet {

    /** Without the password, so that it ends in no log. */
    @Override
    public String toString() {
        return "Connect[version="
                + version
                + ", clientId="
                + clientId
                + ", cleanStart="
                + cleanStart
                + ", keepAlive="
                + keepAlive
                + ']';
    }
}
