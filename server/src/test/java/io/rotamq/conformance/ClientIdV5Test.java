package io.rotamq.conformance;

import static io.rotamq.testkit.Property.ASSIGNED_CLIENT_ID;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MQTT 5.0 chapter 3.1.3.1: client identifiers. */
@Tag("mqtt5")
@Execution(ExecutionMode.CONCURRENT)
class ClientIdV5Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "Z",
                "0123456789abcdefghijklm",
                "nopqrstuvwxyzABCDEFGHIJ",
                "KLMNOPQRSTUVWXYZ"
            })
    @Tag("MQTT-3.1.3-5")
    @Tag("MQTT-3.1.4-5")
    void clientIdentifiersOfLettersAndDigitsAreAccepted(String id) {
        Received connack = broker.open().connect(ConnectPacket.v5(id));
        assertThat(connack.code()).isZero();
        assertThat(connack.properties().has(ASSIGNED_CLIENT_ID)).isFalse();
    }

    @Test
    @Tag("X5-3.1.3.1-a")
    void otherClientIdentifiersAreAcceptedOrRefusedCleanly() {
        List<String> ids =
                List.of(
                        "a".repeat(24),
                        "b".repeat(1000),
                        "c".repeat(65_535),
                        "a/b c",
                        "\u5DE5\u5EE0");
        for (String id : ids) {
            RawClient client = broker.open();
            Received connack = client.tryConnect(ConnectPacket.v5(id));
            if (connack.code() == 0) {
                client.ping();
            } else {
                assertThat(connack.code()).isEqualTo(0x85);
                client.expectClosed();
            }
        }
    }

    @Test
    @Tag("MQTT-3.1.3-6")
    @Tag("MQTT-3.2.2-16")
    void emptyClientIdentifiersGetDistinctOnes() {
        RawClient stored = broker.v5();
        Set<String> assigned = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            RawClient client = broker.open();
            Received connack = client.connect(ConnectPacket.v5(""));
            assertThat(assigned.add(connack.properties().text(ASSIGNED_CLIENT_ID))).isTrue();
            if (i == 199) {
                client.ping();
            } else if (i > 0) {
                client.close();
            }
        }
        stored.ping();
    }

    @Test
    @Tag("MQTT-3.1.3-7")
    void anAssignedClientIdentifierWorksLikeAnother() {
        RawClient first = broker.open();
        Received connack = first.connect(ConnectPacket.v5("").lasting(60));
        String id = connack.properties().text(ASSIGNED_CLIENT_ID);
        first.reset();
        Received again = broker.open().connect(ConnectPacket.v5(id).lasting(60));
        assertThat(again.sessionPresent()).isTrue();
    }
}
