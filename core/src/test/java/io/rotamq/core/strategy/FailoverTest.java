package io.rotamq.core.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.GroupSettings.Choice;
import io.rotamq.core.port.GroupSettings.OfflineMembers;
import io.rotamq.core.port.GroupSettings.StrategyName;
import io.rotamq.mqtt.Publish;
import org.junit.jupiter.api.Test;

class FailoverTest {
    private final Choosing choosing = new Choosing(StrategyName.FAILOVER);

    @Test
    void givesEverythingToTheEldest() {
        choosing.join("a", "b", "c");
        assertThat(choosing.next("p", 3) + choosing.next("q", 3)).isEqualTo("aaaaaa");
    }

    @Test
    void failsOverToTheEldestOfTheOthersAndNotBack() {
        choosing.join("a", "b", "c");
        choosing.disconnect("a");
        assertThat(choosing.next("p", 2)).isEqualTo("bb");
        choosing.reconnect("a");
        assertThat(choosing.next("p", 2)).as("taking back would break the order").isEqualTo("bb");
        choosing.leave("b");
        assertThat(choosing.next("p", 2)).as("now it is the eldest").isEqualTo("aa");
    }

    @Test
    void failsOverBeforeTheRosterShowsTheLoss() {
        choosing.join("a", "b");
        choosing.recipient("a").disconnect();
        assertThat(choosing.next("p")).isEqualTo("b");
        choosing.refresh(choosing.member("a"));
        choosing.reconnect("a");
        assertThat(choosing.next("p")).isEqualTo("b");
    }

    @Test
    void letsTheFirstThatComesBackBeActive() {
        choosing.join("a", "b");
        choosing.disconnect("a");
        choosing.disconnect("b");
        assertThat(choosing.next("p")).isEqualTo("-");
        choosing.reconnect("b");
        choosing.reconnect("a");
        assertThat(choosing.next("p")).isEqualTo("b");
    }

    @Test
    void waitsForTheActiveMemberWhileItIsFull() {
        choosing.join("a", "b");
        choosing.fill("a");
        assertThat(choosing.next("p")).isEqualTo("-");
        assertThat(choosing.claim.awaited()).isSameAs(choosing.member("a"));
        choosing.relieve("a");
        assertThat(choosing.next("p")).isEqualTo("a");
    }

    @Test
    void sendsWhatIsTooLargeToAStandbyWithoutReplacingTheActiveOne() {
        choosing.join("a", "b");
        choosing.recipient("a").fits = false;
        assertThat(choosing.next("p")).isEqualTo("b");
        choosing.recipient("a").fits = true;
        assertThat(choosing.next("p")).isEqualTo("a");
    }

    @Test
    void keepsTheActiveMemberThatKeepsItsTurn() {
        Choosing keep = new Choosing(Choice.of(StrategyName.FAILOVER), OfflineMembers.KEEP);
        keep.join("a", "b");
        keep.recipient("a").persistent = true;
        keep.disconnect("a");
        assertThat(keep.next("p")).isEqualTo("a");
        assertThat(keep.next(keep.message(0, "p", "t", Publish.NO_PROPERTIES))).isEqualTo("b");
        assertThat(keep.next("p")).isEqualTo("a");
    }

    @Test
    void isWhatExclusiveIsToo() {
        Choosing exclusive = new Choosing(StrategyName.EXCLUSIVE).join("a");
        assertThat(exclusive.next("p", 2)).isEqualTo("aa");
        exclusive.disconnect("a");
        assertThat(exclusive.next("p")).isEqualTo("-");
        exclusive.reconnect("a");
        assertThat(exclusive.next("p")).isEqualTo("a");
    }

    @Test
    void hasOneLineForAll() {
        Message one = choosing.message(1, "p", "t", Publish.NO_PROPERTIES);
        Message other = choosing.message(1, "q", "u", Publish.NO_PROPERTIES);
        assertThat(choosing.strategy.line(one)).isEqualTo(choosing.strategy.line(other));
    }
}
