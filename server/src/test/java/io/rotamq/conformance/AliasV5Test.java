package io.rotamq.conformance;

import static io.rotamq.testkit.Property.TOPIC_ALIAS;
import static io.rotamq.testkit.Property.TOPIC_ALIAS_MAXIMUM;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MQTT 5.0 chapter 3.3.2.3.4: topic aliases in both directions. */
@Tag("mqtt5")
@Execution(ExecutionMode.CONCURRENT)
class AliasV5Test {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    private final String topic = Fresh.topic();
    private final RawClient watcher = broker.v5();

    private static PublishPacket aliasOnly(int alias) {
        return PublishPacket.of("", "alias " + alias).alias(alias);
    }

    private RawClient reader(int maximum) {
        RawClient client =
                broker.client(ConnectPacket.v5(Fresh.id()).with(TOPIC_ALIAS_MAXIMUM, maximum));
        client.subscribe(topic + "/#", 0);
        return client;
    }

    @Test
    @Tag("MQTT-3.3.2-7")
    void mappingsDieWithTheConnection() {
        ConnectPacket connect = ConnectPacket.v5(Fresh.id()).lasting(60);
        RawClient client = broker.client(connect);
        client.publish(PublishPacket.of(topic, "x").alias(1));
        client.leave();
        broker.client(connect).send(aliasOnly(1)).expectDisconnect(0x82, 0x94);
    }

    @Test
    @Tag("MQTT-3.3.2-7")
    @Tag("MQTT-3.1.2-26")
    void theFirstUseOfAnAliasAfterAReconnectHasTheTopic() {
        ConnectPacket connect =
                ConnectPacket.v5(Fresh.id()).lasting(60).with(TOPIC_ALIAS_MAXIMUM, 2);
        RawClient publisher = broker.v5();
        RawClient client = broker.client(connect);
        client.subscribe(topic, 0);
        for (int round = 0; round < 2; round++) {
            publisher.publish(topic, "first", 0);
            assertThat(client.receive().topic()).isEqualTo(topic);
            publisher.publish(topic, "second", 0);
            client.receive();
            client.leave();
            client = broker.client(connect);
        }
        client.ping();
    }

    @Test
    @Tag("MQTT-3.3.2-8")
    void theAlias0EndsTheConnection() {
        broker.v5().send(PublishPacket.of(topic, "x").alias(0)).expectDisconnect(0x94);
    }

    @Test
    @Tag("MQTT-3.3.2-9")
    void anAliasAboveTheMaximumEndsTheConnection() {
        watcher.subscribe(topic, 0);
        RawClient client = broker.open();
        Received connack = client.connect(ConnectPacket.v5(Fresh.id()));
        int maximum = (int) connack.properties().number(TOPIC_ALIAS_MAXIMUM);
        client.send(PublishPacket.of(topic, "x").alias(maximum + 1)).expectDisconnect(0x94);
        watcher.expectNothingFrom(watcher);
    }

    @Test
    @Tag("MQTT-3.3.2-12")
    void everyAliasUpToTheMaximumIsAccepted() {
        watcher.subscribe(topic + "/+", 0);
        RawClient client = broker.open();
        Received connack = client.connect(ConnectPacket.v5(Fresh.id()));
        int maximum = (int) connack.properties().number(TOPIC_ALIAS_MAXIMUM);
        for (int alias = 1; alias <= maximum; alias++) {
            client.publish(PublishPacket.of(topic + "/" + alias, "defined").alias(alias));
            assertThat(watcher.receive().topic()).isEqualTo(topic + "/" + alias);
        }
        for (int alias = maximum; alias >= 1; alias--) {
            client.publish(aliasOnly(alias));
            Received delivery = watcher.receive();
            assertThat(delivery.topic()).isEqualTo(topic + "/" + alias);
            assertThat(delivery.text()).isEqualTo("alias " + alias);
        }
    }

    @Test
    @Tag("X5-3.3.2.3.4-a")
    void aMappingCanBeReplaced() {
        watcher.subscribe(topic + "/#", 0);
        RawClient client = broker.v5();
        client.publish(PublishPacket.of(topic + "/a", "1").alias(1));
        client.publish(aliasOnly(1));
        client.publish(PublishPacket.of(topic + "/b", "2").alias(1));
        client.publish(aliasOnly(1));
        assertThat(watcher.receive(4))
                .extracting(Received::topic)
                .containsExactly(topic + "/a", topic + "/a", topic + "/b", topic + "/b");
    }

    @Test
    @Tag("X5-3.3.4-a")
    @Tag("X5-3.3.2.1-a")
    void aPublishWithoutATopicThatIsKnownEndsTheConnection() {
        broker.v5().send(aliasOnly(3)).expectDisconnect(0x82, 0x94);
        broker.v5().send(PublishPacket.of("", "x")).expectDisconnect(0x82);
    }

    @Test
    @Tag("MQTT-3.1.2-27")
    void aClientWithoutAliasesGetsTopics() {
        RawClient absent = broker.v5();
        absent.subscribe(topic, 0);
        RawClient zero = broker.client(ConnectPacket.v5(Fresh.id()).with(TOPIC_ALIAS_MAXIMUM, 0));
        zero.subscribe(topic, 0);
        RawClient publisher = broker.v5();
        publisher.publish(PublishPacket.of(topic, "1").alias(1));
        publisher.publish(aliasOnly(1));
        for (int i = 0; i < 2; i++) {
            for (RawClient client : List.of(absent, zero)) {
                Received delivery = client.receive();
                assertThat(delivery.topic()).isEqualTo(topic);
                assertThat(delivery.properties().has(TOPIC_ALIAS)).isFalse();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 65_535})
    @Tag("MQTT-3.1.2-26")
    @Tag("MQTT-3.3.2-11")
    @Tag("MQTT-3.3.2-10")
    void aliasesOfTheBrokerStayWithinTheMaximumAndResolve(int maximum) {
        RawClient client = reader(maximum);
        RawClient publisher = broker.v5();
        String[] defined = new String[65_536];
        for (int i = 0; i < 60; i++) {
            String name = topic + "/" + i % 10 * (i % 3);
            publisher.publish(name, "x", 0);
            Received delivery = client.receive();
            int alias = (int) delivery.properties().number(TOPIC_ALIAS, 0);
            assertThat(alias).isLessThanOrEqualTo(maximum);
            if (!delivery.topic().isEmpty()) {
                defined[alias] = delivery.topic();
            }
            assertThat(alias == 0 ? delivery.topic() : defined[alias]).isEqualTo(name);
        }
    }

    @Test
    @Tag("X5-3.3.2.3.4-b")
    void anAliasOfThePublisherIsNotPassedOn() {
        RawClient client = reader(10);
        RawClient publisher = broker.v5();
        for (int i = 0; i < 3; i++) {
            publisher.publish(PublishPacket.of(topic + "/" + i, "x").alias(5).retain());
            Received delivery = client.receive();
            assertThat(delivery.topic()).isEqualTo(topic + "/" + i);
            assertThat(delivery.properties().number(TOPIC_ALIAS, 0)).isNotEqualTo(5);
        }
        RawClient late = broker.v5();
        late.subscribe(topic + "/2", 0);
        Received retained = late.receive();
        assertThat(retained.topic()).isEqualTo(topic + "/2");
        assertThat(retained.properties().has(TOPIC_ALIAS)).isFalse();
    }
}
