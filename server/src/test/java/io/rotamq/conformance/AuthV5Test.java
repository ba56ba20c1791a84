package io.rotamq.conformance;

import static io.rotamq.testkit.Property.AUTH_METHOD;

import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.TestBroker;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MQTT 5.0 chapters 3.15 and 4.12, as far as a broker without enhanced authentication goes. */
@Tag("mqtt5")
@Execution(ExecutionMode.CONCURRENT)
class AuthV5Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    @Test
    @Tag("MQTT-4.12.0-7")
    void anAuthOnAConnectionWithoutAMethodEndsIt() {
        RawClient client = broker.v5();
        client.send(AckPacket.auth().code(0x19).with(AUTH_METHOD, "PLAIN")).expectDisconnect(0x82);
    }

    @Test
    @Tag("MQTT-3.15.1-1")
    void anAuthWithReservedFlagsEndsTheConnection() {
        broker.v5().send("F1 00").expectDisconnect(0x81);
        broker.open().send("F1 00").expectClosed();
    }

    @ParameterizedTest
    @ValueSource(ints = {0x00, 0x55})
    @Tag("MQTT-3.15.2-1")
    void anAuthWithACodeNoClientSendsEndsTheConnection(int code) {
        RawClient client = broker.v5();
        client.send(AckPacket.auth().code(code).with(AUTH_METHOD, "PLAIN"));
        client.expectDisconnect(0x81, 0x82);
    }

    @Test
    @Tag("X5-3.15.2-a")
    void anAuthWithoutAMethodEndsTheConnection() {
        broker.v5().send("F0 02 18 00").expectDisconnect(0x82);
    }
}
