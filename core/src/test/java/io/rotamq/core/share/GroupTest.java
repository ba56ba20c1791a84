package io.rotamq.core.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.GroupSettings.Choice;
import io.rotamq.core.port.GroupSettings.StrategyName;
import io.rotamq.core.strategy.FakeRecipient;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.KeyFilter;
import io.rotamq.core.strategy.Roster;
import io.rotamq.core.strategy.Strategy;
import io.rotamq.mqtt.topic.TopicFilter;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class GroupTest {
    private final Group group =
            new Group(
                    "g",
                    Objects.requireNonNull(TopicFilter.parse("t")),
                    0,
                    with(StrategyName.STICKY));
    private final FakeRecipient recipient = new FakeRecipient("a", 1);
    private final Member member = new Member(group, recipient, Grant.of(1, false, false, 0, 1));

    @Test
    void retiresItsStrategyWithItsLastMember() {
        group.join(member);
        Strategy strategy = group.strategy();
        assertThat(strategy.hasRetired()).isFalse();
        group.leave(member);
        assertThat(strategy.hasRetired()).isTrue();
    }

    @Test
    void retiresAStrategyThatAnotherTakesThePlaceOf() {
        group.join(member);
        Strategy strategy = group.strategy();
        group.regroup(with(StrategyName.ROUND_ROBIN));
        assertThat(strategy.hasRetired()).isTrue();
        assertThat(group.strategy().hasRetired()).isFalse();
    }

    @Test
    void tellsRostersApartWhenAMemberSubscribesAgain() {
        group.join(member);
        Roster before = group.roster();
        group.renew(member, member.grant(), KeyFilter.of(List.of("k")));
        assertThat(group.roster()).isNotSameAs(before);
        assertThat(member.keys().globs()).containsExactly("k");
    }

    @Test
    void refreshesTheMemberThatItIsToldOf() {
        group.join(member);
        recipient.disconnect();
        group.refresh(member);
        assertThat(group.roster().turns()).isZero();
        assertThat(group.roster().size()).isEqualTo(1);
        recipient.reconnect(1);
        group.refresh(member);
        assertThat(group.roster().turns()).isEqualTo(1);
    }

    private static GroupSettings with(StrategyName strategy) {
        GroupSettings usual = GroupSettings.DEFAULTS;
        return new GroupSettings(
                "test",
                Choice.of(strategy),
                usual.offlineMembers(),
                usual.backlog(),
                usual.maximumMembers());
    }
}
