package io.rotamq.clients;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.Mqtt5ClientBuilder;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.rotamq.clients.Inbox.Delivery;
import io.rotamq.testkit.TestBroker;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The HiveMQ MQTT client, MQTT 5. */
public final class HiveMq5 implements ForeignClient {
    private final Mqtt5AsyncClient client;
    private final Inbox inbox = new Inbox();

    HiveMq5(Address address) {
        Mqtt5ClientBuilder builder =
                Mqtt5Client.builder()
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

    /** The client itself, for what the interface does not have; over plain TCP. */
    public static HiveMq5 connect(TestBroker broker) {
        return new HiveMq5(Address.of(broker, Transport.TCP, null));
    }

    @Override
    public void subscribe(String filter, int qos) {
        done(client.subscribeWith().topicFilter(filter).qos(MqttQos.fromCode(qos)).send());
    }

    public void unsubscribe(String filter) {
        done(client.unsubscribeWith().topicFilter(filter).send());
    }

    @Override
    public void publish(String topic, String payload, int qos) {
        done(publishing(topic, payload, qos));
    }

    /** Does not wait for anything but the room that the client makes itself. */
    public CompletableFuture<?> publishing(String topic, String payload, int qos) {
        return client.publishWith()
                .topic(topic)
                .qos(MqttQos.fromCode(qos))
                .payload(payload.getBytes(StandardCharsets.UTF_8))
                .send();
    }

    /** All at once, as fast as the broker's Receive Maximum allows. */
    @Override
    public void publishAll(String topic, List<String> payloads, int qos) {
        done(
                CompletableFuture.allOf(
                        payloads.stream()
                                .map(payload -> publishing(topic, payload, qos))
                                .toArray(CompletableFuture<?>[]::new)));
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

    private void received(Mqtt5Publish publish) {
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
