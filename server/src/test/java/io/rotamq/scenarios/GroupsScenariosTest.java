package io.rotamq.scenarios;

import static io.rotamq.scenarios.Payloads.nothingMoreAt;
import static io.rotamq.scenarios.Payloads.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.clients.ForeignClient;
import io.rotamq.clients.HiveMq5;
import io.rotamq.clients.Kind;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which groups there are, who is in them, and who gets what while everybody keeps up. */
class GroupsScenariosTest {
    @AutoClose private static final TestBroker broker = TestBroker.start();

    private static final List<String> BAD =
            List.of(
                    "$share/g",
                    "$share/",
                    "$share//f",
                    "$share/g/",
                    "$share/g+/f",
                    "$share/g#/f",
                    "$share/g/a/#/b",
                    "$share/g/$share/h/t",
                    "$queue/$queue/t");
    private static final List<String> GOOD =
            List.of("$share/g/#", "$share/g/+/x", "$share/g//a", "$share/g/$SYS/#");

    @Test
    @DisplayName("A1: each group gets every message once, in turn, whatever else its members do")
    void eachGroupGetsEveryMessageOnceInTurn() {
        String root = Fresh.topic();
        try (ForeignClient a = Kind.HIVEMQ_5.connect(broker);
                ForeignClient b = Kind.PAHO_3.connect(broker);
                ForeignClient c = Kind.PAHO_5.connect(broker);
                ForeignClient d = Kind.HIVEMQ_3.connect(broker);
                ForeignClient e = Kind.HIVEMQ_5.connect(broker);
                ForeignClient p = Kind.PAHO_3.connect(broker);
                RawClient publisher = broker.v5()) {
            List.of(a, b, c).forEach(member -> member.subscribe("$share/g/" + root + "/#", 1));
            d.subscribe("$share/h/" + root + "/#", 1);
            e.subscribe("$share/g/" + root + "/x", 1);
            p.subscribe(root + "/#", 1);
            a.subscribe(root + "/#", 1);
            List<String> published = new ArrayList<>();
            for (int batch = 1; batch <= 300; batch += 60) {
                List<String> next = Payloads.range("x", batch, batch + 59);
                Payloads.publish(publisher, root + "/x", next, 1);
                published.addAll(next);
                // Nobody falls behind by more than a window, so nobody is passed over.
                a.inbox().await(published.size() + published.size() / 3);
                b.inbox().await(published.size() / 3);
                c.inbox().await(published.size() / 3);
            }
            Payloads.eachOnceAt(published, d);
            Payloads.eachOnceAt(published, e);
            Payloads.eachOnceAt(published, p);
            assertThat(b.inbox().payloads()).isEqualTo(everyThird(published, 1));
            assertThat(c.inbox().payloads()).isEqualTo(everyThird(published, 2));
            List<String> both = new ArrayList<>(published);
            both.addAll(everyThird(published, 0));
            assertThat(a.inbox().payloads()).containsExactlyInAnyOrderElementsOf(both);
        }
    }

    private static List<String> everyThird(List<String> all, int first) {
        return IntStream.range(0, all.size())
                .filter(i -> i % 3 == first)
                .mapToObj(all::get)
                .toList();
    }

    @ParameterizedTest(name = "A2: MQTT level {0}")
    @Tag("C09")
    @ValueSource(ints = {4, 5})
    void refusesBrokenShareFiltersOneByOneAndKeepsNothingOfThem(int level) {
        int groups = broker.groups();
        try (RawClient client = broker.client(level);
                RawClient publisher = broker.v5()) {
            SubscribePacket packet = SubscribePacket.id(7);
            BAD.forEach(filter -> packet.filter(filter, 1));
            GOOD.forEach(filter -> packet.filter(filter, 1));
            List<Integer> expected = new ArrayList<>();
            expected.addAll(Collections.nCopies(BAD.size(), level == 5 ? 0x8F : 0x80));
            expected.addAll(Collections.nCopies(GOOD.size(), 1));
            assertThat(client.trySubscribe(packet).codes()).isEqualTo(expected);
            assertThat(broker.groups()).isEqualTo(groups + GOOD.size());

            publisher.publish("$other/x", "hidden", 1);
            publisher.publish("t", "by $share/g/# alone", 1);
            assertThat(client.receive().text()).isEqualTo("by $share/g/# alone");

            client.unsubscribe(GOOD.toArray(String[]::new));
            assertThat(broker.groups()).isEqualTo(groups);
            for (String topic : List.of("f", "t", "a", "g", "h/t", "g/f")) {
                publisher.publish(topic, "nobody's", 1);
            }
            client.expectNothingFrom(publisher);
        }
    }

    @Test
    @Tag("C08")
    @DisplayName("A2: No Local on a shared subscription ends the connection with 0x82")
    void noLocalOnASharedSubscriptionIsAProtocolError() {
        try (RawClient client = broker.v5()) {
            client.send(SubscribePacket.id(1).filter("$share/g/t", 1 | SubscribePacket.NO_LOCAL));
            client.expectDisconnect(0x82);
        }
    }

    @Test
    @DisplayName("A4: one cursor per group, however many publishers there are")
    void oneCursorPerGroupHoweverManyPublishersThereAre() {
        String topic = Fresh.topic();
        List<ForeignClient> members = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                members.add(HiveMq5.connect(broker));
                members.get(i).subscribe("$share/g/" + topic, 0);
            }
            for (int i = 0; i < 1_000; i++) {
                try (RawClient publisher = broker.v4()) {
                    publisher.publish(topic, "p" + i, 1);
                }
            }
            for (ForeignClient member : members) {
                assertThat(member.inbox().await(250)).hasSize(250);
            }
        } finally {
            members.forEach(ForeignClient::close);
        }
    }

    @Test
    @DisplayName("A4: ten publishers at once, two groups of three, independent cursors")
    void groupsHaveIndependentCursorsUnderConcurrentPublishers() {
        String topic = Fresh.topic();
        List<ForeignClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 6; i++) {
                clients.add(HiveMq5.connect(broker));
                // At QoS 0 no window can make anybody lose a turn.
                clients.get(i).subscribe("$share/g" + i % 2 + "/" + topic, 0);
            }
            List<HiveMq5> publishers = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                publishers.add(HiveMq5.connect(broker));
            }
            publishers.parallelStream()
                    .forEach(each -> each.publishAll(topic, Payloads.of("p", 300), 1));
            for (ForeignClient member : clients) {
                assertThat(member.inbox().await(1_000)).hasSize(1_000);
            }
            publishers.forEach(HiveMq5::close);
        } finally {
            clients.forEach(ForeignClient::close);
        }
    }

    @Test
    @DisplayName("A17: a client in two groups on one filter gets two copies, then one")
    void aClientInTwoGroupsGetsTwoCopiesUntilItLeavesOne() {
        String topic = Fresh.topic();
        try (RawClient client = broker.v5();
                RawClient publisher = broker.v5()) {
            client.subscribe("$share/g/" + topic, 1);
            client.subscribe("$share/h/" + topic, 1);
            publisher.publish(topic, "both", 1);
            assertThat(texts(client.receive(2))).containsExactly("both", "both");
            Received unsuback = client.unsubscribe("$share/g/" + topic);
            assertThat(unsuback.codes()).containsExactly(0);
            publisher.publish(topic, "one", 1);
            assertThat(client.receive().text()).isEqualTo("one");
            nothingMoreAt(client);
        }
    }
}
