package io.rotamq.core.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.GroupSettings.Choice;
import io.rotamq.core.port.GroupSettings.InitialPick;
import io.rotamq.core.port.GroupSettings.OfflineMembers;
import io.rotamq.core.port.GroupSettings.StrategyName;
import io.rotamq.core.port.RoutingKey;
import io.rotamq.mqtt.Publish;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StickyTest {
    private Choosing choosing = sticky(InitialPick.RANDOM, OfflineMembers.SKIP);

    @ParameterizedTest
    @EnumSource
    void keepsTheMemberThatAPublisherFirstGot(InitialPick pick) {
        choosing = sticky(pick, OfflineMembers.SKIP).crowd(4);
        String own = choosing.next("p");
        choosing.join("e", "f");
        for (int i = 0; i < 20; i++) {
            assertThat(choosing.next("p", "another/topic/" + i)).isEqualTo(own);
        }
    }

    @ParameterizedTest
    @EnumSource
    void givesPublishersDifferentMembers(InitialPick pick) {
        choosing = sticky(pick, OfflineMembers.SKIP).crowd(4);
        Set<String> members = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            members.add(choosing.next("p" + i, "t/" + i));
        }
        assertThat(members).hasSize(4);
    }

    @Test
    void picksByHashLikeTheStrategiesOfThatName() {
        Choosing byClient = sticky(InitialPick.HASH_CLIENTID, OfflineMembers.SKIP).crowd(50);
        Choosing byTopic = sticky(InitialPick.HASH_TOPIC, OfflineMembers.SKIP).crowd(50);
        Choosing hashClient = new Choosing(StrategyName.HASH_CLIENTID).crowd(50);
        Choosing hashTopic = new Choosing(StrategyName.HASH_TOPIC).crowd(50);
        for (int i = 0; i < 20; i++) {
            assertThat(byClient.next("p" + i, "t")).isEqualTo(hashClient.next("p" + i, "t"));
            assertThat(byTopic.next("p" + i, "t" + i)).isEqualTo(hashTopic.next("q", "t" + i));
        }
    }

    @Test
    void waitsForAMemberThatIsFullAndSaysForWhom() {
        choosing.join("a", "b");
        String own = choosing.next("p");
        choosing.fill(own);
        assertThat(choosing.next("p", 3)).isEqualTo("---");
        assertThat(choosing.claim.awaited()).isSameAs(choosing.member(own));
        assertThat(choosing.claim.verdict())
                .isEqualTo(new Verdict.Awaits(choosing.member(own), List.of()));
        choosing.relieve(own);
        assertThat(choosing.next("p")).isEqualTo(own);
    }

    @Test
    void takesAnotherForGoodWhenItsMemberIsLost() {
        choosing.join("a", "b", "c");
        String own = choosing.next("p");
        choosing.disconnect(own);
        String other = choosing.next("p");
        assertThat(other).isNotEqualTo(own).isNotEqualTo("-");
        choosing.reconnect(own);
        assertThat(choosing.next("p")).as("order needs no second move").isEqualTo(other);
    }

    @Test
    void movesAlsoWhenTheConnectionIsGoneBeforeTheRosterShowsIt() {
        choosing.join("a", "b");
        String own = choosing.next("p");
        choosing.recipient(own).disconnect();
        String other = choosing.next("p");
        assertThat(other).isNotEqualTo(own).isNotEqualTo("-");
        choosing.reconnect(own);
        assertThat(choosing.next("p")).isEqualTo(other);
    }

    @Test
    void takesWhoHasRoomFirst() {
        choosing.join("a", "b", "c");
        choosing.fill("a");
        choosing.fill("c");
        for (int i = 0; i < 10; i++) {
            assertThat(choosing.next("p" + i)).isEqualTo("b");
        }
    }

    @Test
    void sendsWhatIsTooLargeElsewhereAndStays() {
        choosing.join("a", "b");
        String own = choosing.next("p");
        String other = own.equals("a") ? "b" : "a";
        choosing.recipient(own).fits = false;
        assertThat(choosing.next("p")).isEqualTo(other);
        choosing.recipient(own).fits = true;
        assertThat(choosing.next("p")).isEqualTo(own);
    }

    @Test
    void staysWithAMemberThatKeepsItsTurnWhileAway() {
        choosing = sticky(InitialPick.RANDOM, OfflineMembers.KEEP).join("a", "b");
        String own = choosing.next("p");
        choosing.recipient(own).persistent = true;
        choosing.disconnect(own);
        assertThat(choosing.next("p")).isEqualTo(own);
        assertThat(choosing.claim.epoch()).isEqualTo(Claim.KEPT);
        Message qos0 = choosing.message(0, "p", "t", Publish.NO_PROPERTIES);
        assertThat(choosing.next(qos0)).as("cannot be kept").isNotEqualTo(own);
        assertThat(choosing.next("p")).isEqualTo(own);
    }

    @Test
    void linesUpByClient() {
        Message one = choosing.message(1, "p", "t/1", Publish.NO_PROPERTIES);
        Message two = choosing.message(1, "p", "t/2", Publish.NO_PROPERTIES);
        Message other = choosing.message(1, "q", "t/1", Publish.NO_PROPERTIES);
        Message later = Messages.from(new Publisher("p"), 1);
        assertThat(choosing.strategy.line(one)).isEqualTo(choosing.strategy.line(two));
        assertThat(choosing.strategy.line(one)).isNotEqualTo(choosing.strategy.line(other));
        assertThat(choosing.strategy.line(later))
                .as("the client's next connection stands behind what waits of this one")
                .isEqualTo(choosing.strategy.line(one));
        assertThat(choosing.strategy.hasAffinity()).isTrue();
    }

    private static Choosing sticky(InitialPick pick, OfflineMembers offline) {
        Choice choice = new Choice(StrategyName.STICKY, pick, RoutingKey.BY_CLIENT_ID);
        return new Choosing(choice, offline);
    }
}
