package io.rotamq.server.config;

import java.net.InetAddress;

/**
 * One place to listen.
 *
 * @param enabled whether to listen at all
 * @param host the host name or address to bind
 * @param port the port; 0 lets the system pick a free one
 */
public record Listener(boolean enabled, String host, int port) {

    /**
     * Whether only this machine can reach it. Names other than {@code localhost} are not looked up:
     * what they mean can change, and to believe that they are local would open the broker.
     */
    public boolean isLoopback() {
        if (host.equalsIgnoreCase("localhost")) {
            return true;
        }
        try {
            return InetAddress.ofLiteral(host).isLoopbackAddress();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
