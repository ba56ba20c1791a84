package io.rotamq.scenarios;

import static io.rotamq.scenarios.Payloads.nothingMoreAt;
import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.clients.HiveMq5;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.TestBroker;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A5: each publisher keeps its member. */
class StickyScenariosTest {
    private static final int MEMBERS = 4;

    private final String root = Fresh.topic();
    private final String filter = "$share/g/" + root + "/#";
    private final String first = root + "/1";
    private final String second = root + "/2";

    private static TestBroker broker(String initialPick) {
        return TestBroker.start(
                "sharing.default-strategy=sticky", "sharing.initial-pick=" + initialPick);
    }

    private List<RawClient> members(TestBroker broker) {
        List<RawClient> members = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            members.add(broker.client(ConnectPacket.v5("member-" + i).lasting(600)));
            members.get(i).subscribe(filter, 1);
        }
        return members;
    }

    /** Publishes to both topics in turn; all of it must reach one member. */
    private RawClient owner(Pool pool, RawClient publisher, int messages) {
        Set<RawClient> owners = new HashSet<>();
        for (int i = 0; i < messages; i += 2) {
            publisher.publish(first, "m" + i, 1);
            publisher.publish(second, "m" + (i + 1), 1);
            owners.add(pool.onlyTaker(2));
        }
        assertThat(owners).as("members of one publisher").hasSize(1);
        return owners.iterator().next();
    }

    @Test
    @DisplayName(
            "A5: a publisher keeps its member while that stays, then gets another and keeps it")
    void aPublisherKeepsItsMemberWhileThatStays() {
        try (TestBroker broker = broker("random")) {
            List<RawClient> members = members(broker);
            String id = Fresh.id();
            RawClient x = broker.client(ConnectPacket.v5(id));
            Pool all = Pool.of(members);
            RawClient one = owner(all, x, 100);

            // Its member disconnects: another one, which stays when the first comes back.
            int index = members.indexOf(one);
            one.leave();
            List<RawClient> others = new ArrayList<>(members);
            others.remove(one);
            RawClient two = owner(Pool.of(others), x, 20);
            RawClient back = broker.client(ConnectPacket.v5("member-" + index).lasting(600));
            others.add(back);
            assertThat(owner(Pool.of(others), x, 20)).isSameAs(two);
            nothingMoreAt(others.toArray(RawClient[]::new));

            // Its member unsubscribes: another one again.
            two.unsubscribe(filter);
            RawClient three = owner(Pool.of(others), x, 20);
            assertThat(three).isNotSameAs(two);

            // The publisher's choice ends with its connection; the new one is as steadfast.
            x.leave();
            owner(Pool.of(others), broker.client(ConnectPacket.v5(id)), 20);
        }
    }

    @ParameterizedTest(
            name = "A5: first pick {0}: publishers are spread, and each keeps its member")
    @ValueSource(strings = {"random", "local", "hash_clientid", "hash_topic"})
    void everyFirstPickSpreadsPublishersAndKeepsThem(String pick) {
        try (TestBroker broker = broker(pick)) {
            Pool pool = Pool.of(members(broker));
            Set<RawClient> owners = new HashSet<>();
            for (int i = 0; i < 40; i++) {
                try (RawClient publisher = broker.v5()) {
                    // hash_topic looks at the topic of the first message alone.
                    publisher.publish(root + "/first/" + i, "first", 1);
                    RawClient owner = pool.onlyTaker(1);
                    assertThat(owner(pool, publisher, 4)).isSameAs(owner);
                    owners.add(owner);
                }
            }
            assertThat(owners).hasSize(MEMBERS);
        }
    }

    @Test
    @DisplayName("A5: first pick hash_clientid: the same client gets the same member again")
    void aClientIdIsHashedToTheSameMemberAgain() {
        try (TestBroker broker = broker("hash_clientid")) {
            Pool pool = Pool.of(members(broker));
            for (int i = 0; i < 10; i++) {
                Set<RawClient> owners = new HashSet<>();
                for (int connection = 0; connection < 3; connection++) {
                    RawClient publisher = broker.client(ConnectPacket.v5("publisher-" + i));
                    publisher.publish(root + "/" + connection, "m", 1);
                    owners.add(pool.onlyTaker(1));
                    publisher.leave();
                }
                assertThat(owners).hasSize(1);
            }
        }
    }

    @Test
    @DisplayName(
            "A5: first pick hash_topic: whoever begins with a topic gets the member of that topic")
    void aFirstTopicIsHashedToTheSameMemberAgain() {
        try (TestBroker broker = broker("hash_topic")) {
            Pool pool = Pool.of(members(broker));
            for (int i = 0; i < 10; i++) {
                Set<RawClient> owners = new HashSet<>();
                for (int other = 0; other < 3; other++) {
                    try (RawClient publisher = broker.v5()) {
                        publisher.publish(root + "/" + i, "m", 1);
                        owners.add(pool.onlyTaker(1));
                    }
                }
                assertThat(owners).hasSize(1);
            }
        }
    }

    @Test
    @DisplayName("A5: many publishers at once, each in order at one member")
    void manyPublishersAtOnceKeepTheirOrderAtOneMember() {
        try (TestBroker broker = broker("random")) {
            List<HiveMq5> members = new ArrayList<>();
            for (int i = 0; i < MEMBERS; i++) {
                members.add(HiveMq5.connect(broker));
                members.get(i).subscribe(filter, 1);
            }
            List<HiveMq5> publishers = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                publishers.add(HiveMq5.connect(broker));
            }
            List<Integer> numbers = List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
            numbers.parallelStream()
                    .forEach(
                            i -> publishers.get(i).publishAll(first, Payloads.of("p" + i, 500), 1));
            List<String> published = new ArrayList<>();
            numbers.forEach(i -> published.addAll(Payloads.of("p" + i, 500)));
            Payloads.eachOnceAt(published, members.toArray(HiveMq5[]::new));
            for (int i : numbers) {
                String own = "p" + i + ":";
                List<List<String>> parts =
                        members.stream()
                                .map(m -> m.inbox().payloads())
                                .map(all -> all.stream().filter(p -> p.startsWith(own)).toList())
                                .filter(part -> !part.isEmpty())
                                .toList();
                assertThat(parts).containsExactly(Payloads.of("p" + i, 500));
            }
            publishers.forEach(HiveMq5::close);
            members.forEach(HiveMq5::close);
        }
    }
}
