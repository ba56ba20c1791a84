package io.rotamq.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.scenarios.Pool.Taken;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.TestBroker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A6: owners by rendezvous hashing. All names are fixed, so the spread is always the same. */
class HashScenariosTest {
    private static final int KEYS = 1_000;
    private static final String FILTER = "$share/g/keys/#";

    /** What is hashed. */
    enum Hashed {
        CLIENT_ID {
            @Override
            void publish(TestBroker broker, RawClient publisher, int key, String payload) {
                try (RawClient own = broker.client(ConnectPacket.v5("publisher-" + key))) {
                    own.publish("keys/same", payload, 1);
                }
            }
        },
        TOPIC {
            @Override
            void publish(TestBroker broker, RawClient publisher, int key, String payload) {
                publisher.publish("keys/" + key, payload, 1);
            }
        };

        abstract void publish(TestBroker broker, RawClient publisher, int key, String payload);

        String strategy() {
            return this == TOPIC ? "hash_topic" : "hash_clientid";
        }
    }

    private static TestBroker broker(String strategy) {
        return TestBroker.start("sharing.default-strategy=" + strategy);
    }

    private static RawClient member(TestBroker broker, int number) {
        RawClient member = broker.client(ConnectPacket.v5("member-" + number));
        member.subscribe(FILTER, 1);
        return member;
    }

    /** Publishes each key twice; both messages must reach the same member. */
    private static Map<Integer, RawClient> owners(
            TestBroker broker, Hashed hashed, RawClient publisher, List<RawClient> members) {
        Pool pool = Pool.of(members);
        Map<Integer, RawClient> owners = new HashMap<>();
        for (int round = 0; round < 2; round++) {
            for (int batch = 0; batch < KEYS; batch += 50) {
                for (int key = batch; key < batch + 50; key++) {
                    hashed.publish(broker, publisher, key, String.valueOf(key));
                }
                for (Taken each : pool.take(50)) {
                    RawClient before = owners.put(Integer.valueOf(each.text()), each.member());
                    assertThat(before).isIn(null, each.member());
                }
            }
        }
        return owners;
    }

    private static long owned(Map<Integer, RawClient> owners, RawClient member) {
        return owners.values().stream().filter(member::equals).count();
    }

    private static List<Integer> moved(
            Map<Integer, RawClient> before, Map<Integer, RawClient> after) {
        return before.keySet().stream().filter(k -> before.get(k) != after.get(k)).toList();
    }

    @ParameterizedTest(name = "A6: {0}: one owner for each key, even shares, few keys move")
    @Tag("C11")
    @EnumSource
    void aJoinOrLeaveMovesOnlyTheKeysItMust(Hashed hashed) {
        try (TestBroker broker = broker(hashed.strategy())) {
            RawClient publisher = broker.v5();
            List<RawClient> members = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                members.add(member(broker, i));
            }
            Map<Integer, RawClient> four = owners(broker, hashed, publisher, members);
            for (RawClient member : members) {
                assertThat(owned(four, member)).isBetween(200L, 300L);
            }

            RawClient joined = member(broker, 4);
            members.add(joined);
            Map<Integer, RawClient> five = owners(broker, hashed, publisher, members);
            List<Integer> toJoined = moved(four, five);
            assertThat(toJoined).hasSizeBetween(150, 250).allMatch(k -> five.get(k) == joined);

            RawClient left = members.remove(1);
            left.unsubscribe(FILTER);
            Map<Integer, RawClient> again = owners(broker, hashed, publisher, members);
            List<Integer> fromLeft = moved(five, again);
            assertThat(fromLeft)
                    .hasSize((int) owned(five, left))
                    .allMatch(k -> five.get(k) == left);
            for (RawClient member : members) {
                assertThat(owned(again, member)).isBetween(200L, 300L);
            }
        }
    }

    @Test
    @Tag("C11")
    void keysAreStableAndInOrderWhileTheirOwnerLivesWhateverElseHappens() {
        try (TestBroker broker = broker("hash_topic")) {
            RawClient publisher = broker.v5();
            List<RawClient> members = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                members.add(member(broker, i));
            }
            Map<String, RawClient> owners = new HashMap<>();
            Map<String, Integer> last = new HashMap<>();
            int moved = 0;
            int affected = 0;
            for (int number = 0; number < 200; number++) {
                if (number == 70) {
                    RawClient killed = members.remove(0);
                    affected += (int) owners.values().stream().filter(killed::equals).count();
                    killed.reset();
                } else if (number == 140) {
                    members.add(member(broker, 4));
                }
                for (int key = 0; key < 50; key++) {
                    publisher.publish("keys/" + key, key + " " + number, 1);
                }
                for (Taken each : Pool.of(members).take(50)) {
                    int space = each.text().indexOf(' ');
                    String key = each.text().substring(0, space);
                    int got = Integer.parseInt(each.text().substring(space + 1));
                    assertThat(got).isEqualTo(last.merge(key, 1, Integer::sum) - 1);
                    RawClient before = owners.put(key, each.member());
                    if (before != null && before != each.member()) {
                        moved++;
                        assertThat(number).as("when %s moves", key).isIn(70, 140);
                        affected += number == 140 ? 1 : 0;
                        assertThat(number == 70 || each.member() == members.getLast()).isTrue();
                    }
                }
            }
            assertThat(moved).isPositive().isEqualTo(affected);
        }
    }
}
