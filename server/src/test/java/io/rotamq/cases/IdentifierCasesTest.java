package io.rotamq.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.Type;
import io.rotamq.testkit.WillMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Subscription identifiers and overlapping subscriptions. */
class IdentifierCasesTest extends CaseTest {

    private static SubscribePacket subscription(String filter, int qos, int identifier) {
        return SubscribePacket.id(500).filter(filter, qos).identifier(identifier);
    }

    @Test
    @Tag("C47")
    void movedAndQueuedGroupMessagesCarryTheIdentifierOfTheirReceiver() {
        String id = Fresh.id();
        RawClient a = broker.client(lasting(id));
        a.subscribe(subscription(shared, 1, 7));
        publisher.publish(topic, "moved", 1);
        assertThat(a.delivery().identifiers()).containsExactly(7L);
        RawClient b = broker.v5();
        b.subscribe(subscription(shared, 1, 9));
        a.leave();
        assertThat(b.receive().identifiers()).containsExactly(9L);
        b.leave();
        publisher.publish(topic, "queued", 1);
        RawClient back = broker.client(lasting(id));
        assertThat(back.receive().identifiers()).containsExactly(7L);
    }

    @Test
    @Tag("C48")
    void retainedAndWillMessagesCarryTheIdentifier() {
        retain(topic, "kept");
        RawClient client = broker.v5();
        client.subscribe(subscription(topic, 1, 3));
        assertThat(client.receive().identifiers()).containsExactly(3L);
        RawClient dying =
                broker.client(
                        ConnectPacket.v5(Fresh.id()).will(WillMessage.of(topic, "will").qos(1)));
        dying.reset();
        Received will = client.receive();
        assertThat(will.text()).isEqualTo("will");
        assertThat(will.identifiers()).containsExactly(3L);
        retain(topic, "");
    }

    @Test
    @Tag("C50")
    void nobodySeesTheIdentifiersOfOthers() {
        Random random = new Random(50);
        List<RawClient> clients = new ArrayList<>();
        List<List<Long>> expected = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            RawClient client = broker.v5();
            int exact = 1 + random.nextInt(1_000);
            int wildcard = random.nextInt(1_000);
            client.subscribe(subscription(topic, i % 3, exact));
            List<Long> own = new ArrayList<>(List.of((long) exact));
            if (wildcard % 2 == 1) {
                client.subscribe(subscription(topic + "/#", 0, wildcard));
                own.add((long) wildcard);
            }
            clients.add(client);
            expected.add(own);
        }
        for (int qos = 0; qos <= 2; qos++) {
            publisher.publish(topic, "to all", qos);
            for (int i = 0; i < clients.size(); i++) {
                assertThat(clients.get(i).receive().identifiers())
                        .containsExactlyInAnyOrderElementsOf(expected.get(i));
            }
        }
    }

    @Test
    @Tag("C51")
    void anIdentifierInAPublishFromAClientIsAProtocolError() {
        RawClient client = broker.v5();
        client.send("3007 0001 74 02 0b05 78");
        client.expectDisconnect(0x82);
    }

    @ParameterizedTest
    @Tag("C52")
    @ValueSource(ints = {1, 127, 128, 16_384, 268_435_455})
    void identifiersOfAllLengthsAreKept(int identifier) {
        RawClient client = broker.v5();
        client.subscribe(subscription(topic, 1, identifier));
        publisher.publish(topic, "x", 1);
        assertThat(client.receive().identifiers()).containsExactly((long) identifier);
    }

    @ParameterizedTest
    @Tag("C52")
    @CsvSource({
        "8209 0001 02 0b00 0001 74 00, 0x82",
        "820b 0001 03 0b8080 0100 0174 01, 0x81",
    })
    void identifierZeroAndAWrongLengthAreRefused(String hex, String code) {
        RawClient client = broker.v5();
        client.send(hex);
        client.expectDisconnect(Integer.decode(code), 0x81);
    }

    @Test
    @Tag("C53")
    void aMergedCopyCarriesAllIdentifiers() {
        RawClient client = broker.v5();
        client.subscribe(subscription(topic + "/#", 1, 1));
        client.subscribe(subscription(topic + "/+", 1, 2));
        client.subscribe(topic + "/b", 1);
        publisher.publish(topic + "/b", "x", 1);
        assertThat(client.receive().identifiers()).containsExactlyInAnyOrder(1L, 2L);
        nothingMoreAt(client);
    }

    @Test
    @Tag("C54")
    void sharedAndPlainCopiesOfOneClientAreNotMerged() {
        RawClient client = broker.v5();
        client.subscribe(subscription(shared, 1, 1));
        client.subscribe(subscription(topic, 1, 2));
        publish(3, 1);
        List<Received> copies = client.receive(6);
        assertThat(identified(copies, 1L)).isEqualTo(numbers(1, 3));
        assertThat(identified(copies, 2L)).isEqualTo(numbers(1, 3));
        RawClient second = member(1);
        publish(4, 1);
        copies = client.receive(6);
        assertThat(identified(copies, 2L)).isEqualTo(numbers(1, 4));
        List<String> both = new ArrayList<>(identified(copies, 1L));
        both.addAll(texts(second.receive(2)));
        assertThat(both).containsExactlyInAnyOrderElementsOf(numbers(1, 4));
        nothingMoreAt(client, second);
    }

    private static List<String> identified(List<Received> copies, long identifier) {
        return copies.stream()
                .filter(copy -> copy.identifiers().equals(List.of(identifier)))
                .map(Received::text)
                .toList();
    }

    @ParameterizedTest(name = "wide first {0}, online {1}")
    @Tag("C55")
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void overlappingFiltersGetTheHighestQosInAnyOrder(boolean wideFirst, boolean online) {
        String id = Fresh.id();
        RawClient client = broker.client(lasting(id));
        client.subscribe(wideFirst ? topic + "/#" : topic + "/b", wideFirst ? 0 : 2);
        client.subscribe(wideFirst ? topic + "/b" : topic + "/#", wideFirst ? 2 : 0);
        if (!online) {
            client.leave();
        }
        publisher.publish(topic + "/b", "x", 2);
        RawClient receiver = online ? client : broker.client(lasting(id));
        assertThat(receiver.receive().qos()).isEqualTo(2);
        nothingMoreAt(receiver);
    }

    @Test
    @Tag("C55")
    void aSharedSubscriptionAtQos0DoesNotLowerThePlainOne() {
        String id = Fresh.id();
        RawClient client = broker.client(lasting(id));
        client.subscribe(shared, 0);
        client.subscribe(topic, 1);
        client.leave();
        publisher.publish(topic, "x", 1);
        RawClient back = broker.client(lasting(id));
        List<Received> all = drain(back);
        assertThat(all.stream().filter(copy -> copy.qos() == 1)).hasSize(1);
    }

    @ParameterizedTest
    @Tag("C56")
    @ValueSource(ints = {0, 1, 2})
    void overlapsAreMergedOnEveryPathAndRetainedComePerSubscribe(int qos) {
        retain(topic + "/a", "kept");
        String id = Fresh.id();
        RawClient client = broker.client(lasting(id));
        client.send(SubscribePacket.id(9).filter(topic + "/a", qos).filter(topic + "/+", qos));
        client.await(Type.SUBACK, 9);
        assertThat(texts(drain(client))).containsExactly("kept", "kept");
        publisher.publish(topic + "/a", "live", qos);
        assertThat(texts(drain(client))).containsExactly("live");
        if (qos > 0) {
            client.leave();
            publisher.publish(topic + "/a", "queued", qos);
            assertThat(texts(drain(broker.client(lasting(id))))).containsExactly("queued");
        }
        retain(topic + "/a", "");
    }
}
