package io.rotamq.clients;

import io.rotamq.testkit.TestBroker;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The clients there are. */
public enum Kind {
    HIVEMQ_5,
    HIVEMQ_3,
    PAHO_5,
    PAHO_3,
    MOSQUITTO_5,
    MOSQUITTO_3,
    MQTT_JS_5,
    MQTT_JS_3;

    /** Those that the client itself has. */
    Set<Transport> transports() {
        return switch (this) {
            case MOSQUITTO_5, MOSQUITTO_3 -> EnumSet.of(Transport.TCP, Transport.TLS);
            default -> EnumSet.allOf(Transport.class);
        };
    }

    /** A client over plain TCP, with an identifier of its own and a clean start. */
    public ForeignClient connect(TestBroker broker) {
        return connect(broker, Transport.TCP, null);
    }

    ForeignClient connect(
            TestBroker broker, Transport transport, @Nullable Certificate certificate) {
        Address address = Address.of(broker, transport, certificate);
        return switch (this) {
            case HIVEMQ_5 -> new HiveMq5(address);
            case HIVEMQ_3 -> new HiveMq3(address);
            case PAHO_5 -> new Paho5(address);
            case PAHO_3 -> new Paho3(address);
            case MOSQUITTO_5 -> new Mosquitto(address, 5);
            case MOSQUITTO_3 -> new Mosquitto(address, 3);
            case MQTT_JS_5 -> new MqttJs(address, 5);
            case MQTT_JS_3 -> new MqttJs(address, 4);
        };
    }
}
