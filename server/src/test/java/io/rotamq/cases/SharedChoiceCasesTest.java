package io.rotamq.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.Bytes;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.Type;
import io.rotamq.testkit.UnsubscribePacket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is in a group, and who gets the next message. */
class SharedChoiceCasesTest extends CaseTest {

    @Test
    @Tag("C02")
    void anUnsubscribedSharedFilterStaysDeadWhenItsSiblingIsSubscribed() {
        String first = topic + "/c1";
        String second = topic + "/c2";
        RawClient client = broker.v5();
        client.subscribe("$share/g1/" + first, 1);
        publisher.publish(first, "early", 1);
        assertThat(client.receive().text()).isEqualTo("early");
        assertThat(client.unsubscribe("$share/g1/" + first).codes()).containsExactly(0);
        client.subscribe("$share/g1/" + second, 1);
        RawClient other = broker.v5();
        publisher.publish(first, "to nobody", 1);
        other.subscribe("$share/g1/" + first, 1);
        publisher.publish(first, "to the other", 1);
        publisher.publish(second, "to the client", 1);
        assertThat(client.receive().text()).isEqualTo("to the client");
        assertThat(other.receive().text()).isEqualTo("to the other");
        nothingMoreAt(client, other);
    }

    @ParameterizedTest
    @Tag("C03")
    @ValueSource(booleans = {true, false})
    void leavingOneGroupChangesNothingInAnother(boolean leaveTheLaterOne) {
        String stays = topic + "/stays";
        String left = topic + "/left";
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            RawClient client = broker.v5();
            client.subscribe("$share/code2/" + (leaveTheLaterOne ? stays : left), 1);
            client.subscribe("$share/code1/" + (leaveTheLaterOne ? left : stays), 1);
            clients.add(client);
        }
        String leaving = leaveTheLaterOne ? "$share/code1/" : "$share/code2/";
        clients.forEach(client -> client.unsubscribe(leaving + left));
        for (String payload : numbers(1, 100)) {
            publisher.publish(stays, payload, 1);
        }
        clients.forEach(client -> assertThat(client.receive(5)).hasSize(5));
        clients.subList(0, 10).forEach(RawClient::leave);
        for (String payload : numbers(1, 100)) {
            publisher.publish(stays, payload, 1);
        }
        clients.subList(10, 20).forEach(client -> assertThat(client.receive(10)).hasSize(10));
    }

    @Test
    @Tag("C05")
    void membersThatWereKilledEatNothing() {
        for (int round = 0; round < 10; round++) {
            RawClient survivor = member(1);
            List<RawClient> killed = new ArrayList<>();
            for (int i = 0; i < 9; i++) {
                RawClient victim = broker.open();
                victim.send(ConnectPacket.v5(Fresh.id()), SubscribePacket.id(1).filter(shared, 1));
                if (i % 3 > 0) {
                    victim.expect(Type.CONNACK);
                }
                if (i % 3 > 1) {
                    victim.expect(Type.SUBACK);
                }
                killed.add(victim);
            }
            for (int i = 0; i < 90; i++) {
                publisher.publish(topic, "under way " + i, 1);
                if (i % 10 == 0) {
                    killed.get(i / 10).reset();
                }
            }
            assertThat(texts(survivor.receive(90))).doesNotHaveDuplicates();
            assertThat(texts(publishAndReceive(survivor, 50))).isEqualTo(numbers(1, 50));
            survivor.close();
        }
    }

    private List<Received> publishAndReceive(RawClient member, int count) {
        publish(count, 1);
        return member.receive(count);
    }

    @Test
    @Tag("C06")
    void simultaneousFirstSubscriptionsOnANewBranchAllExist() throws Exception {
        int count = 16;
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(broker.v5());
        }
        CyclicBarrier barrier = new CyclicBarrier(count);
        try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
            for (int round = 0; round < 100; round++) {
                String branch = topic + "/" + round + "/x";
                List<Future<?>> subscribing = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    RawClient client = clients.get(i);
                    String filter = i % 2 == 0 ? branch : "$share/g/" + branch;
                    String sibling = topic + "/" + (round - 1) + "/x";
                    subscribing.add(
                            threads.submit(
                                    () -> {
                                        barrier.await();
                                        client.subscribe(filter, 0);
                                        client.unsubscribe(sibling, "$share/g/" + sibling);
                                        return null;
                                    }));
                }
                for (Future<?> each : subscribing) {
                    each.get();
                }
                publisher.publish(branch, "round " + round, 1);
                for (int i = 0; i < count; i += 2) {
                    assertThat(clients.get(i).receive().text()).isEqualTo("round " + round);
                }
            }
        }
        // Each shared message went to exactly one member; all deliveries are at QoS 0.
        int sharedDeliveries = 0;
        for (int i = 1; i < count; i += 2) {
            sharedDeliveries += clients.get(i).deliveriesUntilCanary(publisher).size();
        }
        assertThat(sharedDeliveries).isEqualTo(100);
    }

    @Test
    @Tag("C07")
    void servesASubscribeGluedToConnectHoweverTheBytesAreCut() {
        byte[] glued =
                new Bytes()
                        .raw(ConnectPacket.v5(Fresh.id()).encode())
                        .raw(SubscribePacket.id(1).filter(shared, 1).encode(5))
                        .toArray();
        for (int cut = 0; cut < glued.length; cut++) {
            RawClient client = broker.open();
            client.send(Arrays.copyOfRange(glued, 0, cut));
            client.send(Arrays.copyOfRange(glued, cut, glued.length));
            assertThat(client.expect(Type.CONNACK).code()).isZero();
            assertThat(client.expect(Type.SUBACK).codes()).containsExactly(1);
            publisher.publish(topic, "cut at " + cut, 1);
            assertThat(client.receive().text()).isEqualTo("cut at " + cut);
            client.leave();
        }
    }

    @Test
    @Tag("C07")
    void aResumedSessionGetsItsBacklogBehindASubscribeGluedToConnect() {
        String id = Fresh.id();
        member(lasting(id), 1).leave();
        publish(10, 1);
        RawClient back = broker.open();
        back.send(lasting(id), SubscribePacket.id(1).filter(shared, 1));
        assertThat(back.expect(Type.CONNACK).sessionPresent()).isTrue();
        back.await(Type.SUBACK, 1);
        assertThat(texts(back.receive(10))).isEqualTo(numbers(1, 10));
    }

    @Test
    @Tag("C09")
    void brokenShareFiltersInUnsubscribeAreHarmless() {
        RawClient client = broker.v5();
        UnsubscribePacket packet = UnsubscribePacket.id(9);
        List<String> broken =
                List.of(
                        "$share/g",
                        "$share/g/",
                        "$share//t",
                        "$share/",
                        "$share",
                        "$share/g+/t",
                        "$share/#/t");
        broken.forEach(packet::filter);
        client.send(packet);
        List<Integer> codes = client.expect(Type.UNSUBACK).codes();
        assertThat(codes).hasSize(7).allMatch(code -> code == 0x11 || code == 0x8F);
        assertThat(client.isOpen()).isTrue();
    }

    @Test
    @Tag("C12")
    void theBacklogOutlivesAMemberThatLeaves() {
        String idA = Fresh.id();
        String idB = Fresh.id();
        member(lasting(idA), 1).leave();
        member(lasting(idB), 1).leave();
        List<String> published = publish(100, 1);
        RawClient clean = broker.open();
        assertThat(clean.connect(ConnectPacket.v5(idA)).sessionPresent()).isFalse();
        nothingMoreAt(clean);
        RawClient b = broker.client(lasting(idB));
        assertThat(texts(b.receive(100))).isEqualTo(published);
    }

    @Test
    @Tag("C12")
    void theBacklogOutlivesAMemberThatUnsubscribes() {
        String idA = Fresh.id();
        String idB = Fresh.id();
        member(lasting(idA), 1).leave();
        member(lasting(idB), 1).leave();
        List<String> published = publish(100, 1);
        RawClient a = broker.open();
        a.send(lasting(idA), UnsubscribePacket.id(3).filter(shared));
        a.expect(Type.CONNACK);
        a.await(Type.UNSUBACK, 3);
        List<String> all = new ArrayList<>(texts(drain(a)));
        RawClient b = broker.client(lasting(idB));
        all.addAll(texts(b.receive(100 - all.size())));
        assertThat(all).containsExactlyInAnyOrderElementsOf(published);
        nothingMoreAt(a, b);
    }

    @Test
    @Tag("C13")
    void aMessagePublishedAfterTheSubackIsDelivered() {
        for (int i = 0; i < 500; i++) {
            String name = topic + "/" + i;
            try (RawClient plain = broker.v5();
                    RawClient sharing = broker.v4()) {
                plain.subscribe(name, 1);
                sharing.subscribe("$share/g/" + topic + "/+", 1);
                publisher.publish(name, "after SUBACK", 1);
                assertThat(plain.receive().text()).isEqualTo("after SUBACK");
                assertThat(sharing.receive().text()).isEqualTo("after SUBACK");
                sharing.leave();
            }
        }
    }

    @Test
    @Tag("C14")
    void unsubscribeNamesWhatItRemovedAndRemovesNothingElse() {
        String id = Fresh.id();
        RawClient client = broker.client(lasting(id));
        client.subscribe(topic, 1);
        client.subscribe(shared, 1);
        assertThat(client.unsubscribe(topic, "x", "$share/g2/" + topic).codes())
                .containsExactly(0x00, 0x11, 0x11);
        publisher.publish(topic, "live", 1);
        assertThat(client.receive().text()).isEqualTo("live");
        nothingMoreAt(client);
        client.leave();
        publisher.publish(topic, "queued", 1);
        RawClient back = broker.client(lasting(id));
        assertThat(back.receive().text()).isEqualTo("queued");
        nothingMoreAt(back);
    }
}
