package io.rotamq.clients;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt3.Mqtt3AsyncClient;
import com.hivemq.client.mqtt.mqtt3.Mqtt3Client;
import com.hivemq.client.mqtt.mqtt3.Mqtt3ClientBuilder;
import com.hivemq.client.mqtt.mqtt3.message.publish.Mqtt3Publish;
import io.rotamq.clients.Inbox.Delivery;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The HiveMQ MQTT client, MQTT 3.1.1. */
final class HiveMq3 implements ForeignClient {
    private final Mqtt3AsyncClient client;
    private final Inbox inbox = new Inbox();

    HiveMq3(Address address) {
        Mqtt3ClientBuilder builder =
                Mqtt3Client.builder()
                        .identifier(address.clientId())
                        .serverHost("127.0.0.1")
                        .serverPort(address.port());
        Certificate certificate = address.certificate();
        if (certificate != null) {
            builder = builder.sslConfig().trustManagerFactory(certificate.trust()).applySslConfig();
        }
        if (address.transport().isWebSocket()) {
            builder = builder.webSocketConfig().serverPath("mqtt").applyWebSocketConfig();
        }
        client = builder.buildAsync();
        client.publishes(MqttGlobalPublishFilter.ALL, this::received);
        done(client.connect());
    }

    @Override
    public void subscribe(String filter, int qos) {
        done(client.subscribeWith().topicFilter(filter).qos(MqttQos.fromCode(qos)).send());
    }

    @Override
    public void publish(String topic, String payload, int qos) {
        done(
                client.publishWith()
                        .topic(topic)
                        .qos(MqttQos.fromCode(qos))
                        .payload(payload.getBytes(StandardCharsets.UTF_8))
                        .send());
    }

    @Override
    public Inbox inbox() {
        return inbox;
    }

    @Override
    public void close() {
        if (client.getState().isConnected()) {
            done(client.disconnect());
        }
    }

    private void received(Mqtt3Publish publish) {
        inbox.add(
                new Delivery(
                        publish.getTopic().toString(),
                        new String(publish.getPayloadAsBytes(), StandardCharsets.UTF_8),
                        publish.getQos().getCode(),
                        publish.isRetain()));
    }

    private static void done(CompletableFuture<?> future) {
        future.orTimeout(30, TimeUnit.SECONDS).join();
    }
}
