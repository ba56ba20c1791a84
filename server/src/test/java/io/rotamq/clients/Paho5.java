package io.rotamq.clients;

import io.rotamq.clients.Inbox.Delivery;
import java.nio.charset.StandardCharsets;
import org.eclipse.paho.mqttv5.client.IMqttToken;
import org.eclipse.paho.mqttv5.client.MqttCallback;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.MqttDisconnectResponse;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;

/** Eclipse Paho for MQTT 5. */
final class Paho5 implements ForeignClient, MqttCallback {
    private final MqttClient client;
    private final Inbox inbox = new Inbox();

    Paho5(Address address) {
        MqttConnectionOptions options = new MqttConnectionOptions();
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
    public void disconnected(MqttDisconnectResponse response) {}

    @Override
    public void mqttErrorOccurred(MqttException exception) {}

    @Override
    public void deliveryComplete(IMqttToken token) {}

    @Override
    public void connectComplete(boolean reconnect, String serverUri) {}

    @Override
    public void authPacketArrived(int reasonCode, MqttProperties properties) {}
}
