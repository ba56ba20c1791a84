package io.rotamq.scenarios;

import static io.rotamq.scenarios.Payloads.nothingMoreAt;
import static io.rotamq.scenarios.Payloads.range;
import static io.rotamq.scenarios.Payloads.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rotamq.core.port.DropReason;
import io.rotamq.scenarios.Pool.Taken;
import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.Await;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.KeyLedger;
import io.rotamq.testkit.KeyWorker;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import io.rotamq.testkit.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Order per key: what went wrong elsewhere. The key is the last topic level. */
class KeySharedCasesTest {
    @AutoClose
    private static final TestBroker broker =
            TestBroker.start("sharing.default-strategy=key_shared", "sharing.key=topic-level:2");

    private final String root = Fresh.topic();
    private final String filter = "$share/g/" + root + "/#";
    private final KeyLedger ledger = new KeyLedger();
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

    private RawClient member(int receiveMaximum) {
        return member(ConnectPacket.v5(Fresh.id()).with(Property.RECEIVE_MAXIMUM, receiveMaximum));
    }

    private void publish(String key, List<String> payloads) {
        Payloads.publish(publisher, root + "/" + key, payloads, 1);
    }

    private static List<String> keys(int count) {
        return IntStream.range(0, count).mapToObj(i -> "k" + i).toList();
    }

    /** Numbers {@code first} to {@code last} of each key, the keys in turn. */
    private void publish(List<String> keys, int first, int last) {
        for (int number = first; number <= last; number++) {
            for (String key : keys) {
                publish(key, List.of(KeyLedger.payload(key, number)));
            }
        }
    }

    private void awaitDone(List<String> keys, int number) {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> keys.stream().allMatch(key -> ledger.done(key) == number));
    }

    @Test
    @Tag("C129")
    void onlyTheKeyThatIsHeldWaitsWhenMembersJoin() {
        RawClient a = member();
        publish("k7", List.of(KeyLedger.payload("k7", 1)));
        Received held = a.delivery();
        ledger.received("a", held);
        KeyWorker b = KeyWorker.start(broker, ConnectPacket.v5(Fresh.id()), filter, ledger, 1);
        KeyWorker c = KeyWorker.start(broker, ConnectPacket.v5(Fresh.id()), filter, ledger, 1);
        // From here on A has no part in what is new.
        a.unsubscribe(filter);
        List<String> keys = keys(100);
        List<String> others = new ArrayList<>(keys);
        others.remove("k7");
        for (int number = 1; number <= 30; number++) {
            publish(others, number, number);
            publish("k7", List.of(KeyLedger.payload("k7", number + 1)));
        }
        awaitDone(others, 30);
        assertThat(ledger.done("k7")).isZero();
        ledger.done("a", held);
        a.acknowledge(held);
        awaitDone(List.of("k7"), 31);
        b.leave();
        c.leave();
        ledger.mustHaveFinished(others, 30);
    }

    @Test
    @Tag("C130")
    void theNextMemberStartsWithTheOldest() {
        Random random = new Random(3);
        for (int round = 0; round < 100; round++) {
            String key = "key" + round;
            RawClient first = member();
            publish(key, range("m", 0, 9));
            int finished = random.nextInt(5);
            first.receive(finished);
            first.delivery();
            RawClient second = member();
            switch (round % 3) {
                case 0 -> first.reset();
                case 1 -> first.send(AckPacket.disconnect());
                default -> first.finishSending();
            }
            publish(key, range("m", 10, 19));
            assertThat(texts(second.receive(20 - finished))).isEqualTo(range("m", finished, 19));
            second.leave();
        }
    }

    @ParameterizedTest
    @Tag("C131")
    @ValueSource(ints = {1, 2, 500})
    void aMemberThatJoinsWithAnyWindowKeepsTheOrderOfEachKey(int receiveMaximum) {
        List<String> keys = keys(10);
        // C1 does not read yet.
        RawClient idle = member(500);
        publish(keys, 1, 50);
        KeyWorker c2 =
                KeyWorker.start(
                        broker,
                        ConnectPacket.v5(Fresh.id()).with(Property.RECEIVE_MAXIMUM, receiveMaximum),
                        filter,
                        ledger,
                        2);
        publish(keys, 51, 100);
        // It starts to work, and leaves in the middle.
        for (int i = 0; i < 200; i++) {
            Received next = idle.poll(Duration.ofMillis(200));
            if (next == null) {
                break;
            }
            ledger.received("c1", next);
            ledger.done("c1", next);
            idle.acknowledge(next);
        }
        idle.leave();
        awaitDone(keys, 100);
        c2.leave();
        ledger.mustHaveFinished(keys, 100);
    }

    @Test
    @Tag("C132")
    void whatWaitsForAKeyGoesToNobodyUntilTheKeyIsFreeHoweverManyJoin() {
        RawClient c0 = member();
        publish("k", range("m", 0, 1));
        Received zero = c0.delivery();
        RawClient c1 = member();
        publish("k", range("m", 2, 2));
        RawClient c2 = member();
        publish("k", range("m", 3, 3));
        nothingMoreAt(c0, c1, c2);
        c0.acknowledge(zero);
        List<Taken> all = Pool.of(c0, c1, c2).take(3);
        assertThat(Pool.texts(all)).isEqualTo(range("m", 1, 3));
        assertThat(Pool.takersOf(all)).hasSize(1);
    }

    @Test
    @Tag("C132")
    void whatExpiresInALaneDoesNotStopIt() {
        RawClient member = member();
        publish("k", range("m", 0, 0));
        Received zero = member.delivery();
        long expired = broker.dropped(DropReason.EXPIRED);
        for (int i = 1; i <= 3; i++) {
            publisher.publish(
                    PublishPacket.of(root + "/k", "expires:" + i)
                            .qos(1, i)
                            .with(Property.MESSAGE_EXPIRY, 1));
        }
        publish("k", range("m", 1, 2));
        Await.elapsed(Duration.ofMillis(1_500));
        member.acknowledge(zero);
        assertThat(texts(member.receive(2))).isEqualTo(range("m", 1, 2));
        nothingMoreAt(member);
        broker.awaitDropped(DropReason.EXPIRED, expired + 3);
    }

    @Test
    @Tag("C135")
    void aMemberThatStandsStillStopsItsOwnKeysAlone() {
        RawClient still = member(20);
        RawClient busy = member(100);
        List<String> keys = keys(200);
        List<String> got = new ArrayList<>();
        for (String key : keys) {
            publish(key, List.of(key));
            for (Received next = busy.poll(Duration.ofMillis(3));
                    next != null;
                    next = busy.poll(Duration.ofMillis(3))) {
                busy.acknowledge(next);
                got.add(next.text());
            }
        }
        List<String> stuck = texts(Payloads.hold(still, 20));
        // The rest of its keys wait for it; every other key flows, however often.
        List<String> busyKeys = List.copyOf(got);
        assertThat(busyKeys).hasSizeBetween(50, 150);
        for (String key : busyKeys) {
            publish(key, List.of(key));
        }
        assertThat(texts(busy.receive(busyKeys.size()))).isEqualTo(busyKeys);
        nothingMoreAt(busy);
        // When it goes, the other gets all of them.
        still.reset();
        List<String> rest = new ArrayList<>(keys);
        rest.removeAll(busyKeys);
        assertThat(rest).containsAll(stuck);
        assertThat(texts(busy.receive(rest.size()))).containsExactlyInAnyOrderElementsOf(rest);
    }

    @Test
    @Tag("C136")
    void sharesStayEvenWhateverTheOrderInWhichMembersComeAndGo() {
        List<RawClient> members = new ArrayList<>();
        Random random = new Random(7);
        for (int i = 0; i < 2; i++) {
            members.add(member(ConnectPacket.v5("even-" + root + "-" + i)));
        }
        mustBeEven(members);
        for (int i = 2; i < 10; i++) {
            members.add(member(ConnectPacket.v5("even-" + root + "-" + i)));
        }
        mustBeEven(members);
        while (members.size() > 3) {
            members.remove(random.nextInt(members.size())).leave();
        }
        mustBeEven(members);
    }

    private void mustBeEven(List<RawClient> members) {
        int count = 3_000;
        Pool pool = Pool.of(members);
        List<Taken> all = new ArrayList<>();
        for (int batch = 0; batch < count; batch += 50) {
            for (int i = batch; i < batch + 50; i++) {
                publish("even" + i, List.of("m"));
            }
            all.addAll(pool.take(50));
        }
        Map<RawClient, Long> shares =
                all.stream().collect(Collectors.groupingBy(Taken::member, Collectors.counting()));
        double mean = count / (double) members.size();
        assertThat(shares).hasSize(members.size());
        assertThat(shares.values()).allMatch(share -> Math.abs(share - mean) <= 0.3 * mean);
    }

    @Test
    @Tag("C138")
    void aSecondConnectionOfOneNameTakesOverTheKeysOfTheFirst() {
        String id = Fresh.id();
        RawClient first = member(ConnectPacket.v5(id).lasting(600));
        RawClient bystander = member();
        List<String> keys = keys(60);
        publish(keys, 1, 1);
        List<Taken> held = Pool.of(first, bystander).hold(60);
        List<String> atFirst = Pool.textsAt(first, held);
        assertThat(atFirst).hasSizeBetween(10, 50);

        RawClient second = broker.client(ConnectPacket.v5(id).lasting(600));
        List<Received> again = Payloads.hold(second, atFirst.size());
        assertThat(texts(again)).isEqualTo(atFirst);
        assertThat(again).allMatch(Received::dup);
        publish(keys, 2, 2);
        nothingMoreAt(second, bystander);
        again.forEach(second::acknowledge);
        List<String> next = texts(second.receive(atFirst.size()));
        List<String> expected = atFirst.stream().map(text -> text.replace(" 1", " 2")).toList();
        assertThat(next).containsExactlyInAnyOrderElementsOf(expected);
        nothingMoreAt(bystander);
    }

    @Test
    @Tag("C145")
    void aRefusedMessageIsDiscardedAndTheNextOfItsKeyFollows() {
        RawClient a = member();
        RawClient b = member();
        List<String> keys = keys(5);
        publish(keys, 1, 10);
        Pool pool = Pool.of(a, b);
        Map<String, Integer> last = new HashMap<>();
        long refused = broker.dropped(DropReason.NEGATIVE_ACK);
        for (int i = 0; i < 50; i++) {
            Taken next = pool.hold(1).getFirst();
            String[] words = next.text().split(" ", 2);
            String key = words[0];
            int number = Integer.parseInt(words[1]);
            assertThat(number).isEqualTo(last.getOrDefault(key, 0) + 1);
            last.put(key, number);
            int code = i % 10 == 0 ? 0x87 : 0;
            next.member().send(AckPacket.puback(next.delivery().packetId()).code(code));
        }
        nothingMoreAt(a, b);
        broker.awaitDropped(DropReason.NEGATIVE_ACK, refused + 5);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aQos2ExchangeHoldsItsKeyUntilItIsCompleteOrItsSessionEnds(boolean returns) {
        String id = Fresh.id();
        RawClient a = broker.client(ConnectPacket.v5(id).lasting(600));
        a.subscribe(filter, 2);
        publisher.publish(root + "/k", "m:1", 2);
        Received one = a.delivery();
        a.send(AckPacket.pubrec(one.packetId()));
        a.await(Type.PUBREL, one.packetId());
        RawClient b = broker.v5();
        b.subscribe(filter, 2);
        publisher.publish(root + "/k", "m:2", 2);
        nothingMoreAt(a, b);
        a.reset();
        // Its session is away in the middle of the exchange: the key waits, others flow.
        publisher.publish(root + "/free", "free", 2);
        assertThat(b.receive().text()).isEqualTo("free");
        nothingMoreAt(b);
        if (returns) {
            RawClient back = broker.client(ConnectPacket.v5(id).lasting(600));
            back.expect(Type.PUBREL, one.packetId());
            back.send(AckPacket.pubcomp(one.packetId()));
            assertThat(Pool.texts(Pool.of(back, b).take(1))).containsExactly("m:2");
        } else {
            assertThat(broker.kick(id)).isTrue();
            assertThat(b.receive().text()).isEqualTo("m:2");
        }
    }

    @Test
    void aHotKeyDelaysNoOther() {
        RawClient member = member(50);
        publish("hot", Payloads.of("hot", 300));
        Received hot = member.delivery();
        for (int round = 0; round < 20; round++) {
            for (String key : keys(30)) {
                publish(key, List.of(key));
            }
            assertThat(texts(member.receive(30))).isEqualTo(keys(30));
        }
        member.acknowledge(hot);
        assertThat(texts(member.receive(299))).isEqualTo(range("hot", 2, 300));
    }
}
