package io.rotamq.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups with members that are away, as {@code offline-members: skip} treats them. */
class OfflineMemberCasesTest extends CaseTest {

    @Test
    @Tag("C24")
    void onlineMembersGetEverythingWhileAnotherIsAway() {
        String idA = Fresh.id();
        member(lasting(idA), 1).leave();
        RawClient b = member(lasting(Fresh.id()), 1);
        for (int i = 0; i < 100; i++) {
            publisher.publish(topic, "one " + i, 1);
            publisher.publish(topic, "zero " + i, 0);
            // Acknowledged at once: with a full window a member is passed over at QoS 0 too.
            assertThat(texts(b.receive(2))).containsExactly("one " + i, "zero " + i);
        }
        nothingMoreAt(broker.client(lasting(idA)), b);
    }

    @ParameterizedTest
    @Tag("C25")
    @ValueSource(ints = {1, 2})
    void theOnlyMemberGetsItsMessagesWhenItReturns(int qos) {
        String id = Fresh.id();
        member(lasting(id), qos).leave();
        assertThat(publisher.publish(topic, "while away", qos).code()).isZero();
        Received delivery = broker.client(lasting(id)).receive();
        assertThat(delivery.text()).isEqualTo("while away");
        assertThat(delivery.qos()).isEqualTo(qos);
        assertThat(delivery.dup()).isFalse();
    }

    @Test
    @Tag("C25")
    void fourMembersThatAreAwayLoseNothing() {
        List<String> ids = List.of(Fresh.id(), Fresh.id(), Fresh.id(), Fresh.id());
        ids.forEach(id -> member(lasting(id), 1).leave());
        List<String> published = publish(12, 1);
        List<String> received = new ArrayList<>();
        for (String id : ids) {
            received.addAll(texts(drain(broker.client(lasting(id)))));
        }
        assertThat(received).containsExactlyInAnyOrderElementsOf(published);
    }

    @ParameterizedTest
    @Tag("C26")
    @ValueSource(booleans = {true, false})
    void theBacklogBelongsToTheGroupAndDrainsToWhoeverComes(boolean oneOfThem) {
        String id1 = Fresh.id();
        String id2 = Fresh.id();
        member(lasting(id1), 1).leave();
        member(lasting(id2), 1).leave();
        List<String> published = publish(100, 1);
        RawClient first = oneOfThem ? broker.client(lasting(id1)) : member(1);
        assertThat(texts(first.receive(100))).isEqualTo(published);
        nothingMoreAt(broker.client(lasting(id2)), first);
    }

    @ParameterizedTest
    @Tag("C27")
    @ValueSource(ints = {4, 5})
    void aResumedMemberGetsEveryProperty(int level) {
        String id = Fresh.id();
        RawClient away = broker.client(lasting(id));
        away.subscribe(SubscribePacket.id(1).filter(shared, 1).identifier(5));
        away.leave();
        publisher.publish(
                PublishPacket.of(topic, "rich")
                        .qos(1, 1)
                        .with(Property.MESSAGE_EXPIRY, 100)
                        .with(Property.CONTENT_TYPE, "text/plain")
                        .with(Property.RESPONSE_TOPIC, "answers/1")
                        .with(Property.CORRELATION_DATA, "abc".getBytes(StandardCharsets.UTF_8))
                        .user("b", "2")
                        .user("a", "1")
                        .user("b", "2"));
        RawClient back = broker.open();
        ConnectPacket connect = ConnectPacket.of(level, id).resume();
        assertThat(back.connect(connect).sessionPresent()).isTrue();
        Received delivery = back.receive();
        assertThat(delivery.text()).isEqualTo("rich");
        if (level == 5) {
            assertThat(delivery.identifiers()).containsExactly(5L);
            assertThat(delivery.properties().number(Property.MESSAGE_EXPIRY)).isBetween(90L, 100L);
            assertThat(delivery.properties().text(Property.CONTENT_TYPE)).isEqualTo("text/plain");
            assertThat(delivery.properties().text(Property.RESPONSE_TOPIC)).isEqualTo("answers/1");
            assertThat(delivery.properties().binary(Property.CORRELATION_DATA))
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo("abc");
            assertThat(delivery.properties().users())
                    .extracting(pair -> pair.name() + pair.value())
                    .containsExactly("b2", "a1", "b2");
        }
    }

    @Test
    @Tag("C28")
    void wildcardGroupsMatchOfflineAsOnline() {
        String id = Fresh.id();
        RawClient away = broker.client(lasting(id));
        away.subscribe("$share/g/" + topic + "/+/#", 1);
        publisher.publish(topic + "/a/b", "online", 1);
        assertThat(away.receive().text()).isEqualTo("online");
        away.leave();
        publisher.publish(topic + "/a", "deep 0", 1);
        publisher.publish(topic + "/a/b/c", "deep 2", 1);
        publisher.publish(topic, "no match", 1);
        RawClient back = broker.client(lasting(id));
        assertThat(texts(back.receive(2))).containsExactly("deep 0", "deep 2");
        nothingMoreAt(back);
    }
}
