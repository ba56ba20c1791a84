package io.rotamq.clients;

import io.rotamq.clients.Inbox.Delivery;
import java.nio.charset.StandardCharsets;
import org.eclipse.paho.client.mqttv3.IMqttDeliveryToken;
import org.eclipse.paho.client.mqttv3.MqttCallback;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.client.mqttv3.MqttException;
import org.eclipse.paho.client.mqttv3.MqttMessage;
import org.eclipse.paho.client.mqttv3.persist.MemoryPersistence;

/** Eclipse Paho for MQTT 3.1.1. */
final class Paho3 implements ForeignClient, MqttCallback {
    private final MqttClient client;
    private final Inbox inbox = new Inbox();

    Paho3(Address address) {
        MqttConnectOptions options = new MqttConnectOptions();
        options.setMqttVersion(MqttConnectOptions.MQTT_VERSION_3_1_1);
        Certificate certificate = address.certificate();
        if (certificate != null) {
            options.setSocketFactory(certificate.context().getSocketFactory());
        }
        try {
            client =
                    new MqttClient(
                            address.transport().pahoUri(address.port()),
                            address.clientId(),
                            new MemoryPersistence());
            client.setTimeToWait(30_000);
            client.setCallback(this);
            client.connect(options);
        } catch (MqttException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void subscribe(String filter, int qos) {
        try {
            client.subscribe(filter, qos);
        } catch (MqttException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void publish(String topic, String payload, int qos) {
        try {
            client.publish(topic, payload.getBytes(StandardCharsets.UTF_8), qos, false);
        } catch (MqttException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Inbox inbox() {
        return inbox;
    }

    @Override
    public void close() {
        try {
            if (client.isConnected()) {
                client.disconnect();
            }
            client.close();
        } catch (MqttException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void messageArrived(String topic, MqttMessage message) {
        String payload = new String(message.getPayload(), StandardCharsets.UTF_8);
        inbox.add(new Delivery(topic, payload, message.getQos(), message.isRetained()));
    }

    @Override
    public void connectionLost(Throwable cause) {}

    @Override
    public void deliveryComplete(IMqttDeliveryToken token) {}
}
