package io.rotamq.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.rotamq.clients.Inbox.Delivery;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every client exchanges messages over every transport it has, at every QoS, and shares work. */
class ForeignClientsTest {
    private static TestBroker broker;
    private static Certificate certificate;

    @BeforeAll
    static void start(@TempDir Path directory) {
        certificate = Certificate.make(directory, "RotaMQ test");
        List<String> settings = new ArrayList<>(certificate.settings());
        settings.addAll(List.of("tls.enabled=true", "websocket.enabled=true", "wss.enabled=true"));
        broker = TestBroker.start(settings.toArray(String[]::new));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    static Stream<Arguments> kindsAndTransports() {
        return Arrays.stream(Kind.values())
                .flatMap(kind -> kind.transports().stream().map(t -> Arguments.of(kind, t)));
    }

    @ParameterizedTest(name = "{0} over {1}")
    @MethodSource("kindsAndTransports")
    void exchangesMessagesAtEveryQos(Kind kind, Transport transport) {
        String topic = "exchange/" + Fresh.topic();
        try (RawClient witness = broker.v5();
                ForeignClient client = kind.connect(broker, transport, certificate)) {
            witness.subscribe(topic, 2);
            client.subscribe(topic, 2);
            for (int qos = 0; qos <= 2; qos++) {
                client.publish(topic, "at QoS " + qos, qos);
                Received received = witness.receive();
                assertThat(received.qos()).isEqualTo(qos);
                assertThat(received.text()).isEqualTo("at QoS " + qos);
                client.inbox().await(qos + 1);
            }
            assertThat(client.inbox().all())
                    .extracting(Delivery::topic, Delivery::payload, Delivery::qos)
                    .containsExactly(
                            tuple(topic, "at QoS 0", 0),
                            tuple(topic, "at QoS 1", 1),
                            tuple(topic, "at QoS 2", 2));
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void fourPublishesToAGroupOfTwoGiveTwoEach(Kind kind) {
        String topic = "work/" + Fresh.topic();
        try (ForeignClient first = kind.connect(broker);
                ForeignClient second = kind.connect(broker);
                ForeignClient publisher = kind.connect(broker)) {
            first.subscribe("$share/workers/" + topic, 1);
            second.subscribe("$share/workers/" + topic, 1);
            publisher.publishAll(topic, List.of("1", "2", "3", "4"), 1);
            first.inbox().await(2);
            second.inbox().await(2);
            assertThat(first.inbox().payloads()).containsExactly("1", "3");
            assertThat(second.inbox().payloads()).containsExactly("2", "4");
        }
    }

    @Test
    void clientsOfAllKindsTakeTurnsInOneGroup() {
        String topic = "mixed/" + Fresh.topic();
        List<ForeignClient> members = new ArrayList<>();
        try (RawClient publisher = broker.v5()) {
            for (Kind kind : Kind.values()) {
                ForeignClient member = kind.connect(broker);
                members.add(member);
                member.subscribe("$share/all/mixed/+", 1);
            }
            int count = 3 * members.size();
            for (int i = 0; i < count; i++) {
                publisher.publish(topic, String.valueOf(i), 1);
            }
            for (int i = 0; i < members.size(); i++) {
                Inbox inbox = members.get(i).inbox();
                inbox.await(3);
                assertThat(inbox.payloads())
                        .containsExactly(
                                String.valueOf(i),
                                String.valueOf(i + members.size()),
                                String.valueOf(i + 2 * members.size()));
            }
        } finally {
            members.forEach(ForeignClient::close);
        }
    }
}
