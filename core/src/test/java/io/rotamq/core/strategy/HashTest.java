package io.rotamq.core.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.GroupSettings.Choice;
import io.rotamq.core.port.GroupSettings.OfflineMembers;
import io.rotamq.core.port.GroupSettings.StrategyName;
import io.rotamq.core.port.RoutingKey;
import io.rotamq.mqtt.Publish;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What all strategies promise that hash something to a member. */
class HashTest {
    private static final int KEYS = 20_000;

    enum By {
        CLIENT_ID(StrategyName.HASH_CLIENTID, RoutingKey.BY_TOPIC),
        TOPIC(StrategyName.HASH_TOPIC, RoutingKey.BY_CLIENT_ID),
        KEY(StrategyName.KEY_SHARED, new RoutingKey.TopicLevel(2)),
        KEY_CLIENT_ID(StrategyName.KEY_SHARED, RoutingKey.BY_CLIENT_ID);

        private final StrategyName strategy;

        @SuppressWarnings("ImmutableEnumChecker") // a sealed interface of records
        private final RoutingKey key;

        By(StrategyName strategy, RoutingKey key) {
            this.strategy = strategy;
            this.key = key;
        }

        Choosing group(OfflineMembers offline) {
            Choice usual = Choice.of(strategy);
            return new Choosing(new Choice(strategy, usual.initialPick(), key), offline);
        }

        Choosing group() {
            return group(OfflineMembers.SKIP);
        }

        Message message(Choosing choosing, int qos, int i) {
            boolean byClient = this == CLIENT_ID || this == KEY_CLIENT_ID;
            String publisher = byClient ? "device-" + i : "p";
            String topic = byClient ? "t" : "t/" + i;
            return choosing.message(qos, publisher, topic, Publish.NO_PROPERTIES);
        }

        String next(Choosing choosing, int i) {
            return choosing.next(message(choosing, 1, i));
        }
    }

    @ParameterizedTest
    @EnumSource
    void spreadsWithinAFifth(By by) {
        Choosing choosing = by.group().crowd(8);
        Map<String, Integer> counts = new TreeMap<>();
        for (String owner : owners(by, choosing)) {
            counts.merge(owner, 1, Integer::sum);
        }
        assertThat(counts).hasSize(8);
        assertThat(counts.values())
                .allSatisfy(n -> assertThat(n).isBetween(KEYS / 10, KEYS * 15 / 100));
    }

    @ParameterizedTest
    @EnumSource
    void movesOnlyWhatAJoinerOwns(By by) {
        Choosing choosing = by.group().crowd(9);
        List<String> before = owners(by, choosing);
        choosing.join("joiner");
        List<String> after = owners(by, choosing);
        int moved = 0;
        for (int i = 0; i < KEYS; i++) {
            if (!after.get(i).equals(before.get(i))) {
                moved++;
                assertThat(after.get(i)).isEqualTo("joiner");
            }
        }
        assertThat(moved).isBetween(KEYS * 8 / 100, KEYS * 12 / 100);
    }

    @ParameterizedTest
    @EnumSource
    void movesOnlyWhatALeaverOwned(By by) {
        Choosing choosing = by.group().crowd(10);
        List<String> before = owners(by, choosing);
        choosing.leave("m3");
        isMovedFrom("m3", before, owners(by, choosing));
    }

    @ParameterizedTest
    @EnumSource
    void movesOnlyWhatALostMemberOwnedAndBack(By by) {
        Choosing choosing = by.group().crowd(10);
        List<String> before = owners(by, choosing);
        choosing.disconnect("m0");
        isMovedFrom("m0", before, owners(by, choosing));
        choosing.reconnect("m0");
        assertThat(owners(by, choosing)).isEqualTo(before);
    }

    private static void isMovedFrom(String leaver, List<String> before, List<String> after) {
        for (int i = 0; i < KEYS; i++) {
            if (before.get(i).equals(leaver)) {
                assertThat(after.get(i)).isNotEqualTo(leaver);
            } else {
                assertThat(after.get(i)).isEqualTo(before.get(i));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void doesNotDependOnTheOrderOfJoining(By by) {
        Choosing one = by.group().join("a", "b", "c", "d");
        Choosing other = by.group().join("d", "b", "a", "x", "c");
        other.leave("x");
        assertThat(owners(by, one)).isEqualTo(owners(by, other));
    }

    @ParameterizedTest
    @EnumSource
    void waitsForAnOwnerThatIsFull(By by) {
        Choosing choosing = by.group().crowd(4);
        String owner = by.next(choosing, 5);
        choosing.fill(owner);
        assertThat(by.next(choosing, 5)).isEqualTo("-");
        assertThat(choosing.claim.awaited()).isSameAs(choosing.member(owner));
        choosing.recipient(owner).window.open(1);
        choosing.recipient(owner).window.block(true);
        assertThat(by.next(choosing, 5)).isEqualTo("-");
        assertThat(choosing.claim.awaited()).isSameAs(choosing.member(owner));
    }

    @ParameterizedTest
    @EnumSource
    void asksTheOneThatWouldOwnItNextWhileTheOwnerCannot(By by) {
        Choosing choosing = by.group().crowd(6);
        for (int key = 0; key < 50; key++) {
            String owner = by.next(choosing, key);
            choosing.recipient(owner).fits = false;
            String substitute = by.next(choosing, key);
            assertThat(choosing.claim.verdict().passedOver())
                    .containsExactly(
                            new Verdict.Passed(choosing.member(owner), PassOver.TOO_LARGE));
            choosing.recipient(owner).fits = true;
            choosing.disconnect(owner);
            assertThat(by.next(choosing, key)).isEqualTo(substitute);
            choosing.reconnect(owner);
        }
    }

    @ParameterizedTest
    @EnumSource
    void saysWhenAMessageIsTooLargeForAll(By by) {
        Choosing choosing = by.group().crowd(5);
        choosing.names().forEach(name -> choosing.recipient(name).fits = false);
        assertThat(by.next(choosing, 1)).isEqualTo("-");
        assertThat(choosing.claim.isTooLargeForAll()).isTrue();
        assertThat(choosing.claim.passedOver()).isEqualTo(5);
    }

    @ParameterizedTest
    @EnumSource
    void keepsForAnOwnerThatKeepsItsTurn(By by) {
        Choosing choosing = by.group(OfflineMembers.KEEP).crowd(4);
        String owner = by.next(choosing, 9);
        choosing.recipient(owner).persistent = true;
        choosing.disconnect(owner);
        assertThat(by.next(choosing, 9)).isEqualTo(owner);
        assertThat(choosing.claim.epoch()).isEqualTo(Claim.KEPT);
        assertThat(choosing.next(by.message(choosing, 0, 9)))
                .as("QoS 0 is not kept")
                .isNotEqualTo(owner)
                .isNotEqualTo("-");
    }

    @ParameterizedTest
    @EnumSource
    void linesUpByWhatItHashes(By by) {
        Choosing choosing = by.group();
        Object line = choosing.strategy.line(by.message(choosing, 1, 1));
        assertThat(choosing.strategy.line(by.message(choosing, 1, 1))).isEqualTo(line);
        assertThat(choosing.strategy.line(by.message(choosing, 1, 2))).isNotEqualTo(line);
        assertThat(choosing.strategy.hasAffinity()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void hasNobodyInAnEmptyRotation(By by) {
        Choosing choosing = by.group().join("a");
        choosing.disconnect("a");
        assertThat(by.next(choosing, 1)).isEqualTo("-");
        assertThat(choosing.claim.awaited()).isNull();
        assertThat(choosing.claim.isKeyFiltered()).isFalse();
    }

    /** While the rules change, shards choose by both among the same members. */
    @Test
    void isNotMisledByWhatKeySharedFound() {
        Choosing choosing = By.KEY.group().join("a");
        Candidate zero = choosing.member("a");
        choosing.renew(zero, Grant.of(0, false, false, 0, 2), zero.keys());
        Message message = By.KEY.message(choosing, 1, 1);
        Roster roster = choosing.roster();
        long hash = choosing.publisher("p").hash();
        Claim claim = choosing.claim.reset(message);
        Rendezvous.Suitable acknowledges = Key.of(RoutingKey.BY_CLIENT_ID, "p", hash);
        assertThat(Rendezvous.choose(roster, hash, acknowledges, claim)).isNull();
        assertThat(Rendezvous.choose(roster, hash, Rendezvous.Suitable.EVERYBODY, claim))
                .isSameAs(zero);
        assertThat(Rendezvous.choose(roster, hash, acknowledges, claim)).isNull();
    }

    private static List<String> owners(By by, Choosing choosing) {
        return IntStream.range(0, KEYS).mapToObj(i -> by.next(choosing, i)).toList();
    }
}
