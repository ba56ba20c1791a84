package io.rotamq.core.port;

import io.rotamq.mqtt.Connect;
import io.rotamq.mqtt.ReasonCode;

/** Decides whether a client may connect. Called on the loop of the connection: must not block. */
@FunctionalInterface
public interface Authenticator {
    /** Accepts everybody. */
    Authenticator ACCEPT_ALL = (connect, info) -> Result.ACCEPTED;

    Result authenticate(Connect connect, ConnectionInfo info);

    /** The outcome; a refusal names the CONNACK reason code and a text for humans. */
    sealed interface Result {
        Result ACCEPTED = new Accepted();

        record Accepted() implements Result {}

        record Refused(ReasonCode reasonCode, String reason) implements Result {}
    }
}
