package io.rotamq.scenarios;

import static io.rotamq.scenarios.Payloads.nothingMoreAt;
import static io.rotamq.scenarios.Payloads.texts;
import static io.rotamq.testkit.SubscribePacket.RETAIN_IF_NEW;
import static io.rotamq.testkit.SubscribePacket.RETAIN_NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Subscription identifiers and overlapping subscriptions. */
class IdentifierScenariosTest {
    @AutoClose private static final TestBroker merging = TestBroker.start();

    @AutoClose
    private static final TestBroker separating = TestBroker.start("subscriptions.overlap=separate");

    private final String root = Fresh.topic();
    private RawClient client;
    private RawClient publisher;

    @BeforeEach
    void connect() {
        client = merging.v5();
        publisher = merging.v5();
    }

    private static void subscribe(RawClient client, String filter, int options, int identifier) {
        client.subscribe(SubscribePacket.id(100).filter(filter, options).identifier(identifier));
    }

    private void subscribeToTheFactory(RawClient to, int wildcardId, int deviceId) {
        subscribe(to, root + "/+/temperature", 1, wildcardId);
        subscribe(to, root + "/device07/#", 2, deviceId);
        subscribe(to, root + "/device08/#", 2, 33);
    }

    @Test
    @DisplayName("B1: merge: one copy with all matching identifiers at the highest QoS")
    void mergesOverlappingSubscriptionsIntoOneCopy() {
        subscribeToTheFactory(client, 11, 22);
        publisher.publish(root + "/device07/temperature", "21", 2);
        Received copy = client.receive();
        assertThat(copy.identifiers()).containsExactlyInAnyOrder(11L, 22L);
        assertThat(copy.qos()).isEqualTo(2);
        nothingMoreAt(client);
    }

    @Test
    @DisplayName("B1: separate: one copy for each subscription, with its identifier and QoS")
    void sendsSeparateCopiesWhenConfigured() {
        RawClient separate = separating.v5();
        RawClient source = separating.v5();
        subscribeToTheFactory(separate, 11, 22);
        source.publish(root + "/device07/temperature", "21", 2);
        List<Received> copies = separate.receive(2);
        assertThat(copies)
                .extracting(Received::identifiers)
                .containsExactlyInAnyOrder(List.of(11L), List.of(22L));
        assertThat(copies).extracting(Received::qos).containsExactlyInAnyOrder(1, 2);
        nothingMoreAt(separate);
    }

    @Test
    @DisplayName("B2: an identifier that two matching subscriptions share is there twice")
    void repeatsAnIdentifierThatTwoSubscriptionsShare() {
        subscribeToTheFactory(client, 7, 7);
        publisher.publish(root + "/device07/temperature", "21", 1);
        assertThat(client.receive().identifiers()).containsExactly(7L, 7L);
        nothingMoreAt(client);
    }

    @Test
    @DisplayName("B3: only subscriptions that have an identifier contribute one")
    void onlySubscriptionsWithAnIdentifierContributeOne() {
        subscribe(client, root + "/#", 1, 5);
        client.subscribe(root + "/a", 1);
        publisher.publish(root + "/a", "both", 1);
        assertThat(client.receive().identifiers()).containsExactly(5L);
        nothingMoreAt(client);
    }

    @Test
    @DisplayName("B3: a retained message carries the identifier of the new subscription alone")
    void aRetainedMessageCarriesTheIdentifierOfItsSubscription() {
        subscribe(client, root + "/+", 1, 4);
        publisher.publish(PublishPacket.of(root + "/a", "kept").retain().qos(1, 1));
        assertThat(client.receive().identifiers()).containsExactly(4L);
        subscribe(client, root + "/a", 1, 5);
        Received retained = client.receive();
        assertThat(retained.retain()).isTrue();
        assertThat(retained.identifiers()).containsExactly(5L);
        client.subscribe(root + "/#", 1);
        assertThat(client.receive().identifiers()).isEmpty();
        publisher.publish(PublishPacket.of(root + "/a", "").retain().qos(1, 1));
    }

    @Test
    @DisplayName("B3: a queued message carries its identifiers after the reconnect")
    void aQueuedMessageCarriesItsIdentifiers() {
        String id = Fresh.id();
        RawClient away = merging.client(ConnectPacket.v5(id).lasting(60));
        subscribe(away, root + "/+", 1, 8);
        subscribe(away, root + "/a", 1, 9);
        away.leave();
        publisher.publish(root + "/a", "queued", 1);
        RawClient back = merging.client(ConnectPacket.v5(id).lasting(60));
        assertThat(back.receive().identifiers()).containsExactlyInAnyOrder(8L, 9L);
    }

    @Test
    @DisplayName("B3: each group member sees its own identifier")
    void eachGroupMemberSeesItsOwnIdentifier() {
        RawClient other = merging.v5();
        subscribe(client, "$share/g/" + root, 1, 7);
        subscribe(other, "$share/g/" + root, 1, 9);
        RawClient plain = merging.v5();
        plain.subscribe("$share/g/" + root, 1);
        Payloads.publish(publisher, root, Payloads.of("p", 3), 1);
        assertThat(client.receive().identifiers()).containsExactly(7L);
        assertThat(other.receive().identifiers()).containsExactly(9L);
        assertThat(plain.receive().identifiers()).isEmpty();
    }

    @Test
    @DisplayName("B4: once the new identifier was sent, the old one never is again")
    void aReplacedIdentifierDoesNotComeBack() {
        String id = Fresh.id();
        RawClient first = merging.client(ConnectPacket.v5(id).lasting(60));
        subscribe(first, root, 1, 1);
        publisher.publish(root, "m1", 1);
        assertThat(first.delivery().identifiers()).containsExactly(1L);
        subscribe(first, root, 1 | RETAIN_NEVER, 2);
        publisher.publish(root, "m2", 1);
        assertThat(first.delivery().identifiers()).containsExactly(2L);
        first.reset();

        RawClient back = merging.client(ConnectPacket.v5(id).lasting(60));
        List<Received> again = back.receive(2);
        assertThat(texts(again)).containsExactly("m1", "m2");
        assertThat(again.getFirst().identifiers()).containsAnyOf(1L, 2L).hasSize(1);
        assertThat(again.getLast().identifiers()).containsExactly(2L);
        publisher.publish(root, "m3", 1);
        assertThat(back.receive().identifiers()).containsExactly(2L);
        nothingMoreAt(back);
    }

    @Test
    @DisplayName("B4: a replaced subscription gets retained messages as Retain Handling says")
    void aReplacedSubscriptionGetsRetainedMessagesAsAsked() {
        publisher.publish(PublishPacket.of(root, "kept").retain().qos(1, 1));
        subscribe(client, root, 1, 1);
        assertThat(client.receive().identifiers()).containsExactly(1L);
        subscribe(client, root, 1 | RETAIN_IF_NEW, 2);
        subscribe(client, root, 1 | RETAIN_NEVER, 3);
        nothingMoreAt(client);
        subscribe(client, root, 1, 4);
        assertThat(client.receive().identifiers()).containsExactly(4L);
        nothingMoreAt(client);
        publisher.publish(PublishPacket.of(root, "").retain().qos(1, 1));
    }

    @Test
    @DisplayName("B5: one refused filter among three: a code for each, and never a delivery for it")
    void aRefusedFilterNeverDelivers() {
        Received suback =
                client.trySubscribe(
                        SubscribePacket.id(1)
                                .filter(root + "/a", 1)
                                .filter(root + "/#/b", 1)
                                .filter(root + "/c", 2));
        assertThat(suback.codes()).containsExactly(1, 0x8F, 2);
        for (String level : List.of("/a", "/b", "/x/b", "/c")) {
            publisher.publish(root + level, level, 1);
        }
        assertThat(texts(client.receive(2))).containsExactly("/a", "/c");
        nothingMoreAt(client);
    }

    @Test
    @DisplayName("B6: an MQTT 3.1.1 client gets one copy at the highest QoS")
    void anOlderClientGetsOneCopyAtTheHighestQos() {
        RawClient older = merging.v4();
        older.subscribe(root + "/#", 0);
        older.subscribe(root + "/a", 2);
        older.subscribe(root + "/+", 1);
        publisher.publish(root + "/a", "once", 2);
        Received copy = older.receive();
        assertThat(copy.qos()).isEqualTo(2);
        nothingMoreAt(older);
    }
}
