package io.rotamq.core.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.GroupSettings.Choice;
import io.rotamq.core.port.GroupSettings.InitialPick;
import io.rotamq.core.port.GroupSettings.OfflineMembers;
import io.rotamq.core.port.GroupSettings.StrategyName;
import io.rotamq.core.port.RoutingKey;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What key_shared asks of a member besides owning the key. */
class KeySharedTest {
    private final Choosing choosing =
            new Choosing(
                    new Choice(
                            StrategyName.KEY_SHARED,
                            InitialPick.RANDOM,
                            new RoutingKey.TopicLevel(1)),
                    OfflineMembers.SKIP);

    @Test
    void givesAKeyOnlyToMembersWhoseFilterMatches() {
        join("pay", "payment", "refund-?");
        join("ship", "ship*");
        join("all");
        Set<String> owners = new HashSet<>();
        for (int i = 0; i < 60; i++) {
            owners.add(choosing.next("p", "shipping-" + i));
        }
        assertThat(owners).containsExactlyInAnyOrder("ship", "all");
        assertThat(choosing.next("p", "payment")).isIn("pay", "all");
        assertThat(choosing.next("p", "other")).isEqualTo("all");
    }

    @Test
    void givesAKeyThatIsTooLongOnlyToMembersThatTakeEveryKey() {
        String longest = "a".repeat(Key.LONGEST);
        join("some", "a*");
        assertThat(choosing.next("p", longest)).isEqualTo("some");
        assertThat(choosing.next("p", longest + "a")).isEqualTo("-");
        assertThat(choosing.claim.isKeyFiltered()).isTrue();
        join("all", "*");
        assertThat(choosing.next("p", longest + "a")).isEqualTo("all");
    }

    @Test
    void skipsAKeyThatNobodyTakes() {
        join("pay", "payment");
        join("ship", "ship*");
        for (int i = 0; i < 2; i++) {
            assertThat(choosing.next("p", "other")).isEqualTo("-");
            assertThat(choosing.claim.isKeyFiltered()).isTrue();
            assertThat(choosing.claim.verdict()).isEqualTo(new Verdict.KeyFiltered());
        }
        assertThat(choosing.next("p", "ship")).isEqualTo("ship");
        assertThat(choosing.claim.isKeyFiltered()).isFalse();
    }

    @Test
    void doesNotSkipWhatOnlyWaits() {
        join("pay", "payment");
        choosing.fill("pay");
        assertThat(choosing.next("p", "payment")).isEqualTo("-");
        assertThat(choosing.claim.isKeyFiltered()).isFalse();
        choosing.disconnect("pay");
        assertThat(choosing.next("p", "other")).isEqualTo("-");
        assertThat(choosing.claim.isKeyFiltered()).as("nobody is there to say no").isFalse();
    }

    @Test
    void obeysANewFilterAtOnce() {
        join("a", "x");
        assertThat(choosing.next("p", "y")).isEqualTo("-");
        Candidate member = choosing.member("a");
        choosing.renew(member, member.grant(), KeyFilter.of(List.of("y")));
        assertThat(choosing.next("p", "y")).isEqualTo("a");
        assertThat(choosing.next("p", "x")).isEqualTo("-");
    }

    @Test
    void passesOverMembersThatDoNotAcknowledge() {
        choosing.join("zero", 0);
        assertThat(choosing.next("p", "k")).isEqualTo("-");
        assertThat(choosing.claim.isKeyFiltered()).isFalse();
        assertThat(choosing.claim.isTooLargeForAll()).isFalse();
        assertThat(choosing.claim.verdict())
                .isEqualTo(
                        new Verdict.Nobody(
                                List.of(
                                        new Verdict.Passed(
                                                choosing.member("zero"), PassOver.QOS_TOO_LOW))));
        choosing.join("one", 1);
        for (int i = 0; i < 20; i++) {
            assertThat(choosing.next("p", "k" + i)).isEqualTo("one");
        }
        Candidate zero = choosing.member("zero");
        choosing.renew(zero, Grant.of(2, false, false, 0, 2), zero.keys());
        Set<String> owners = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            owners.add(choosing.next("p", "k" + i));
        }
        assertThat(owners)
                .as("it subscribed again with QoS 2")
                .containsExactlyInAnyOrder("zero", "one");
    }

    private void join(String name, String... globs) {
        Candidate member = choosing.join(name, 1);
        choosing.renew(member, member.grant(), KeyFilter.of(List.of(globs)));
    }
}
