package io.rotamq.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt3.Mqtt3BlockingClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.TestBroker;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.paho.mqttv5.client.IMqttMessageListener;
import org.eclipse.paho.mqttv5.common.MqttSubscription;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** That clients of other makers work with default settings, without any extension. */
@Execution(ExecutionMode.CONCURRENT)
class InteroperationTest {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    private final String topic = Fresh.topic();
    private final BlockingQueue<String> arrived = new LinkedBlockingQueue<>();

    private String address() {
        return "tcp://127.0.0.1:" + broker.port();
    }

    private void expectArrived(String... payloads) throws InterruptedException {
        for (String payload : payloads) {
            assertThat(arrived.poll(10, TimeUnit.SECONDS)).isEqualTo(payload);
        }
    }

    @Test
    @Tag("mqtt5")
    @Tag("X5-7.1.1-a")
    void hiveMqClientWithMqtt5() throws InterruptedException {
        Mqtt5BlockingClient client =
                MqttClient.builder()
                        .useMqttVersion5()
                        .serverHost("127.0.0.1")
                        .serverPort(broker.port())
                        .buildBlocking();
        client.connect();
        client.toAsync()
                .subscribeWith()
                .topicFilter(topic)
                .qos(MqttQos.EXACTLY_ONCE)
                .callback(publish -> arrived.add(new String(publish.getPayloadAsBytes(), UTF_8)))
                .send()
                .join();
        for (MqttQos qos : MqttQos.values()) {
            client.publishWith().topic(topic).qos(qos).payload(qos.name().getBytes(UTF_8)).send();
            expectArrived(qos.name());
        }
        client.disconnect();
    }

    @Test
    @Tag("mqtt311")
    @Tag("MQTT-7.0.0-2")
    void hiveMqClientWithMqtt311() throws InterruptedException {
        Mqtt3BlockingClient client =
                MqttClient.builder()
                        .useMqttVersion3()
                        .serverHost("127.0.0.1")
                        .serverPort(broker.port())
                        .buildBlocking();
        client.connect();
        client.toAsync()
                .subscribeWith()
                .topicFilter(topic)
                .qos(MqttQos.EXACTLY_ONCE)
                .callback(publish -> arrived.add(new String(publish.getPayloadAsBytes(), UTF_8)))
                .send()
                .join();
        for (MqttQos qos : MqttQos.values()) {
            client.publishWith().topic(topic).qos(qos).payload(qos.name().getBytes(UTF_8)).send();
            expectArrived(qos.name());
        }
        client.disconnect();
    }

    @Test
    @Tag("mqtt5")
    @Tag("X5-7.1.1-a")
    void pahoWithMqtt5() throws Exception {
        org.eclipse.paho.mqttv5.client.MqttClient client =
                new org.eclipse.paho.mqttv5.client.MqttClient(address(), Fresh.id(), null);
        client.connect();
        MqttSubscription subscription = new MqttSubscription(topic, 2);
        client.subscribe(
                new MqttSubscription[] {subscription},
                new IMqttMessageListener[] {
                    (name, message) -> arrived.add(new String(message.getPayload(), UTF_8))
                });
        for (int qos = 0; qos <= 2; qos++) {
            client.publish(topic, ("q" + qos).getBytes(UTF_8), qos, false);
            expectArrived("q" + qos);
        }
        client.disconnect();
        client.close();
    }

    @Test
    @Tag("mqtt311")
    @Tag("MQTT-7.0.0-2")
    void pahoWithMqtt311() throws Exception {
        org.eclipse.paho.client.mqttv3.MqttClient client =
                new org.eclipse.paho.client.mqttv3.MqttClient(address(), Fresh.id(), null);
        client.connect();
        client.subscribe(
                topic, 2, (name, message) -> arrived.add(new String(message.getPayload(), UTF_8)));
        for (int qos = 0; qos <= 2; qos++) {
            client.publish(topic, ("q" + qos).getBytes(UTF_8), qos, false);
            expectArrived("q" + qos);
        }
        client.disconnect();
        client.close();
    }
}
