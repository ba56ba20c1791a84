package io.rotamq.clients;

import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.TestBroker;
import org.jspecify.annotations.Nullable;

/**
 * Where and as whom to connect.
 *
 * @param certificate what the client trusts; null where the transport is not secure
 */
record Address(Transport transport, int port, String clientId, @Nullable Certificate certificate) {

    static Address of(TestBroker broker, Transport transport, @Nullable Certificate certificate) {
        int port =
                switch (transport) {
                    case TCP -> broker.port();
                    case TLS -> broker.tlsPort();
                    case WEBSOCKET -> broker.webSocketPort();
                    case SECURE_WEBSOCKET -> broker.secureWebSocketPort();
                };
        return new Address(transport, port, Fresh.id(), transport.isSecure() ? certificate : null);
    }
}
