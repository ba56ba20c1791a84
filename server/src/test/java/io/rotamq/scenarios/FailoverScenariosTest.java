package io.rotamq.scenarios;

import static io.rotamq.scenarios.Payloads.hold;
import static io.rotamq.scenarios.Payloads.nothingMoreAt;
import static io.rotamq.scenarios.Payloads.range;
import static io.rotamq.scenarios.Payloads.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A23, failover: one member at a time, the others stand by. */
class FailoverScenariosTest {
    @AutoClose
    private static final TestBroker broker = TestBroker.start("sharing.default-strategy=failover");

    private final String topic = Fresh.topic();
    private final String filter = "$share/g/" + topic;
    private RawClient publisher;

    @BeforeEach
    void connectPublisher() {
        publisher = broker.v5();
    }

    private RawClient member(ConnectPacket connect) {
        RawClient member = broker.client(connect);
        member.subscribe(filter, 1);
        return member;
    }

    private RawClient member() {
        return member(ConnectPacket.v5(Fresh.id()));
    }

    private void publish(int first, int last) {
        Payloads.publish(publisher, topic, range("p", first, last), 1);
    }

    private static void gets(RawClient member, int first, int last) {
        assertThat(texts(member.receive(last - first + 1))).isEqualTo(range("p", first, last));
    }

    @Test
    @DisplayName("A23: one active at a time, the next on loss, in order; who returns stands by")
    void theNextEldestTakesOverInOrderAndWhoReturnsStandsBy() {
        String idA = Fresh.id();
        RawClient a = member(ConnectPacket.v5(idA).lasting(600));
        RawClient b = member();
        RawClient c = member();
        publish(1, 10);
        gets(a, 1, 10);
        nothingMoreAt(b, c);

        publish(11, 15);
        hold(a, 5);
        a.reset();
        publish(16, 20);
        gets(b, 11, 20);

        RawClient back = broker.client(ConnectPacket.v5(idA).lasting(600));
        publish(21, 25);
        gets(b, 21, 25);
        nothingMoreAt(back, c);

        b.unsubscribe(filter);
        publish(26, 30);
        gets(back, 26, 30);
        back.leave();
        publish(31, 35);
        gets(c, 31, 35);
        nothingMoreAt(b, c);
    }

    @Test
    @DisplayName("A23: the stream waits for a slow active member and keeps its order")
    void standbysGetNothingWhileTheActiveMemberIsFull() {
        RawClient active = member(ConnectPacket.v5(Fresh.id()).with(Property.RECEIVE_MAXIMUM, 2));
        RawClient standby = member();
        publish(1, 20);
        List<Received> held = hold(active, 2);
        nothingMoreAt(active, standby);
        held.forEach(each -> active.send(AckPacket.puback(each.packetId())));
        gets(active, 3, 10);
        hold(active, 2);
        active.reset();
        gets(standby, 11, 20);
    }

    @ParameterizedTest(name = "starts {0}, ends {1}")
    @Tag("C139")
    @Tag("C140")
    @ValueSource(strings = {"abc", "acb", "bac", "bca", "cab", "cba"})
    void whateverTheOrderOfDeathsTheEldestAliveIsActiveAlone(String deaths) {
        List<RawClient> members = new ArrayList<>(List.of(member(), member(), member()));
        List<RawClient> eldestFirst = new ArrayList<>(members);
        int next = 1;
        RawClient active = members.getFirst();
        for (int i = 0; i < deaths.length(); i++) {
            publish(next, next + 9);
            gets(active, next, next + 9);
            nothingMoreAt(others(eldestFirst, active));
            next += 10;
            RawClient victim = members.get(deaths.charAt(i) - 'a');
            eldestFirst.remove(victim);
            victim.reset();
            if (victim == active && !eldestFirst.isEmpty()) {
                active = eldestFirst.getFirst();
            }
        }
    }

    private static RawClient[] others(List<RawClient> members, RawClient but) {
        return members.stream().filter(m -> m != but).toArray(RawClient[]::new);
    }

    @Test
    @Tag("C139")
    @DisplayName("A younger client with a smaller name does not become active")
    void whoComesLaterStandsByWhateverItsName() {
        RawClient b = member(ConnectPacket.v5("b" + Fresh.id()));
        RawClient a = member(ConnectPacket.v5("a" + Fresh.id()));
        publish(1, 20);
        gets(b, 1, 20);
        nothingMoreAt(a);
    }

    @Test
    @Tag("C141")
    void theFirstMessageGoesToTheActiveMemberAlone() {
        for (int round = 0; round < 200; round++) {
            String fresh = topic + "/" + round;
            try (RawClient one = broker.v5();
                    RawClient other = broker.v4()) {
                one.subscribe("$share/g/" + fresh, 1);
                other.subscribe("$share/g/" + fresh, 1);
                Payloads.publish(publisher, fresh, range("p", 1, 5), 1);
                gets(one, 1, 5);
                other.expectNothingFrom(publisher);
            }
        }
    }

    @Test
    @Tag("C143")
    void whenAllLeaveAtOnceAndReturnOneIsActive() {
        List<String> ids = new ArrayList<>(List.of(Fresh.id(), Fresh.id(), Fresh.id()));
        List<RawClient> members = new ArrayList<>();
        ids.forEach(id -> members.add(member(ConnectPacket.v5(id).lasting(600))));
        Random random = new Random(1);
        for (int round = 0; round < 60; round++) {
            publish(1, 3);
            members.forEach(RawClient::reset);
            publish(4, 6);
            Collections.shuffle(ids, random);
            members.clear();
            ids.forEach(id -> members.add(broker.client(ConnectPacket.v5(id).lasting(600))));
            // Each once. Whoever resumes is sent again what nobody took meanwhile, which may pass
            // what was taken and comes back.
            Pool pool = Pool.of(members);
            assertThat(Pool.texts(pool.take(6)))
                    .containsExactlyInAnyOrderElementsOf(range("p", 1, 6));
            publish(7, 12);
            List<Pool.Taken> later = pool.take(6);
            assertThat(Pool.texts(later)).isEqualTo(range("p", 7, 12));
            assertThat(Pool.takersOf(later)).hasSize(1);
            nothingMoreAt(members.getFirst());
        }
    }
}
