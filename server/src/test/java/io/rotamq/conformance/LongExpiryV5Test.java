package io.rotamq.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.Client;
import io.rotamq.core.Node;
import io.rotamq.core.port.Authenticator;
import io.rotamq.core.port.Authorizer;
import io.rotamq.core.port.Connection;
import io.rotamq.core.port.ConnectionInfo;
import io.rotamq.core.port.CoreSettings;
import io.rotamq.core.port.Ports;
import io.rotamq.mqtt.Connack;
import io.rotamq.mqtt.ConnackProperties;
import io.rotamq.mqtt.Connect;
import io.rotamq.mqtt.ConnectProperties;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.ReasonCode;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * MQTT 5.0 chapter 3.1.2.11.2: session expiries of many years, at the core with a clock of its own.
 */
@Tag("mqtt5")
class LongExpiryV5Test {
    private static final long YEAR = 365L * 24 * 60 * 60 * 1000;
    private static final long LONGEST = 0xFFFF_FFFEL; // seconds; one more means never

    private final AtomicLong millis = new AtomicLong(1);
    private final Node node =
            new Node(
                    CoreSettings.defaults(1),
                    new Ports(
                            millis::get,
                            shard -> {},
                            Authenticator.ACCEPT_ALL,
                            Authorizer.ALLOW_ALL),
                    1);

    /** Connects, disconnects, and tells whether there was a session. */
    private boolean visit(long sessionExpiry) {
        Recorder connection = new Recorder();
        Client client = node.shard(0).accept(connection);
        ConnectProperties properties = ConnectProperties.defaults(sessionExpiry);
        client.receive(
                new Connect(
                        ProtocolVersion.MQTT_5, "device", false, 0, properties, null, null, null));
        client.closed();
        assertThat(connection.connack.reasonCode()).isEqualTo(ReasonCode.SUCCESS);
        return connection.connack.sessionPresent();
    }

    private void pass(long years) {
        millis.addAndGet(years * YEAR);
        node.shard(0).tick();
    }

    @Test
    @Tag("X5-3.1.2.11.2-b")
    void theExpiryOfAllOnesNeverComes() {
        assertThat(visit(ConnectProperties.NEVER)).isFalse();
        pass(10);
        assertThat(visit(ConnectProperties.NEVER)).isTrue();
        pass(1_000);
        assertThat(visit(ConnectProperties.NEVER)).isTrue();
    }

    @Test
    @Tag("X5-3.1.2.11.2-b")
    void theLongestExpiryComesAfter136Years() {
        assertThat(visit(LONGEST)).isFalse();
        pass(135);
        assertThat(visit(LONGEST)).isTrue();
        pass(137);
        assertThat(visit(LONGEST)).isFalse();
    }

    /** A connection of which only the CONNACK matters. */
    private static final class Recorder implements Connection {
        private Connack connack =
                new Connack(false, ReasonCode.UNSPECIFIED_ERROR, ConnackProperties.NONE);

        @Override
        public void established(
                ProtocolVersion version,
                long maximumPacketSize,
                int topicAliasMaximum,
                boolean problemInformation) {}

        @Override
        public void send(Packet packet) {
            if (packet instanceof Connack answer) {
                connack = answer;
            }
        }

        @Override
        public boolean fits(Publish publish, long messageExpiry, int[] subscriptionIds) {
            return true;
        }

        @Override
        public void publish(
                Publish publish,
                int packetId,
                int qos,
                boolean dup,
                boolean retain,
                long messageExpiry,
                int[] subscriptionIds) {
            throw new AssertionError("nobody is subscribed");
        }

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public void setReading(boolean reading) {}

        @Override
        public void close() {}

        @Override
        public void moveTo(int shard, Connect connect) {
            throw new AssertionError("there is one shard");
        }

        @Override
        public ConnectionInfo info() {
            return new ConnectionInfo("mqtt", "test", null);
        }
    }
}
