package io.rotamq.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.CoreSettings;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.GroupSettings.BacklogLimits;
import io.rotamq.core.port.GroupSettings.Choice;
import io.rotamq.core.port.GroupSettings.OfflineMembers;
import io.rotamq.core.port.GroupSettings.Overflow;
import io.rotamq.core.port.SharingSettings;
import io.rotamq.core.session.Session;
import org.junit.jupiter.api.Test;

/** What happens to credit and order in moments that a simulation meets only now and then. */
class CreditTest {
    private final long[] now = {1};
    private final Node node = TestPeer.node(settings(), now);
    private final Shard first = node.shard(0);
    private final Shard second = node.shard(1);
    private final TestPeer publisher = TestPeer.connect(second, "publisher", 100);

    @Test
    void anAcknowledgementBeforeItsResendReturnsNoCredit() {
        TestPeer before = TestPeer.connect(first, "s", 10);
        before.subscribe("t", 1);
        publish(1, 1);
        publish(1, 2);
        assertThat(before.news()).containsExactly("1/1/1", "2/1/2");
        before.drop();
        TestPeer after = TestPeer.connect(first, "s", 1);
        assertThat(after.news()).containsExactly("1/1/1!");
        after.puback(2);
        publish(1, 3);
        assertThat(after.news()).as("the window is 1").isEmpty();
        after.puback(1);
        assertThat(after.news()).containsExactly("3/1/3");
        after.puback(3);
        assertThat(session("s").window().free()).isEqualTo(1);
    }

    @Test
    void nothingIsPublishedAgainAfterAPubrecThatCameBeforeItsResend() {
        TestPeer before = TestPeer.connect(first, "s", 10);
        before.subscribe("t", 2);
        publish(2, 1);
        publish(2, 2);
        before.drop();
        TestPeer after = TestPeer.connect(first, "s", 1);
        assertThat(after.news()).containsExactly("1/2/1!");
        after.pubrec(2);
        assertThat(after.news()).containsExactly("PUBREL 2");
        after.pubrec(1);
        after.pubcomp(1);
        assertThat(after.news()).containsExactly("PUBREL 1");
        after.pubcomp(2);
        assertThat(session("s").inflight()).isZero();
        assertThat(session("s").window().free()).isEqualTo(1);
    }

    @Test
    void aCreditThatAnExpiredMessageDoesNotNeedServesTheQueue() {
        TestPeer member = TestPeer.connect(first, "s", 1);
        member.subscribe("$share/skip/t", 1);
        member.subscribe("p", 1);
        publisher.publish("t", 1, 1, 1);
        TestPeer other = TestPeer.connect(first, "other", 100);
        other.publish("p", 1, 2, -1);
        assertThat(member.news()).as("the group has the credit").isEmpty();
        now[0] += 1_000;
        first.run();
        assertThat(node.dropped(DropReason.EXPIRED)).isEqualTo(1);
        assertThat(member.news()).containsExactly("2/1/1");
        member.puback(1);
        assertThat(session("s").window().free()).isEqualTo(1);
    }

    @Test
    void whatWasKeptForAMemberComesBeforeWhatIsClaimedAfterItsReturn() {
        TestPeer before = TestPeer.connect(first, "s", 1);
        before.subscribe("$share/keep/t", 1);
        before.drop();
        publisher.publish("t", 1, 1, -1);
        TestPeer after = TestPeer.connect(first, "s", 1);
        publisher.publish("t", 1, 2, -1);
        first.run();
        assertThat(after.news()).containsExactly("1/1/1");
        after.puback(1);
        assertThat(after.news()).containsExactly("2/1/2");
        after.puback(2);
        assertThat(session("s").window().free()).isEqualTo(1);
    }

    @Test
    void whatWasKeptComesFirstAlsoWhenTheMemberReturnsWithoutPersistence() {
        TestPeer before = TestPeer.connect(first, "s", 10);
        before.subscribe("$share/keep/t", 1);
        before.drop();
        publisher.publish("t", 1, 1, -1);
        TestPeer after = TestPeer.connectForNow(first, "s");
        publisher.publish("t", 1, 2, -1);
        runAll();
        assertThat(after.news()).containsExactly("1/1/1", "2/1/2");
    }

    @Test
    void aClaimOfTheConnectionBeforeIsGivenBackAndNotSent() {
        TestPeer before = TestPeer.connect(first, "s", 2);
        before.subscribe("$share/skip/t", 1);
        publisher.publish("t", 1, 1, -1);
        before.drop();
        TestPeer after = TestPeer.connect(first, "s", 1);
        runAll();
        assertThat(after.news()).containsExactly("1/1/1");
        assertThat(session("s").window().free()).isZero();
        after.puback(1);
        assertThat(session("s").window().free()).isEqualTo(1);
        assertThat(node.memoryUsed()).isZero();
    }

    @Test
    void aMemberThatSubscribesAgainWithQos0GetsWhatWasClaimedForQos1() {
        TestPeer member = TestPeer.connect(first, "s", 1);
        member.subscribe("$share/skip/t", 1);
        publisher.publish("t", 1, 1, -1);
        member.subscribe("$share/skip/t", 0);
        first.run();
        assertThat(member.news()).containsExactly("1/1/1");
        member.puback(1);
        assertThat(session("s").window().free()).isEqualTo(1);
    }

    @Test
    void anExchangeThatWaitsForPubcompTakesCreditOnResume() {
        TestPeer before = TestPeer.connect(first, "s", 1);
        before.subscribe("t", 2);
        publish(2, 1);
        before.pubrec(1);
        before.drop();
        TestPeer after = TestPeer.connect(first, "s", 1);
        publish(2, 2);
        assertThat(after.news()).containsExactly("PUBREL 1");
        after.pubcomp(1);
        assertThat(after.news()).containsExactly("2/2/2");
    }

    @Test
    void aSocketThatTheResendsFilledTakesNothingFromGroups() {
        TestPeer before = TestPeer.connect(first, "s", 10);
        before.subscribe("$share/keep/t", 1);
        publish(1, 1);
        before.drop();
        TestPeer after = TestPeer.connect(first, "s", 10, false);
        assertThat(after.news()).containsExactly("1/1/1!");
        publish(0, 2);
        publish(1, 3);
        runAll();
        assertThat(after.news()).isEmpty();
        after.writable();
        runAll();
        assertThat(after.news()).containsExactlyInAnyOrder("2/0/0", "3/1/2");
    }

    @Test
    void whatWaitedForTheSocketOfAMemberThatLeavesIsCounted() {
        TestPeer full = TestPeer.connect(first, "full", 1);
        TestPeer blocked = TestPeer.connect(first, "blocked", 10);
        full.subscribe("$share/skip/t", 1);
        publish(1, 1);
        blocked.blocked();
        blocked.subscribe("$share/skip/t", 1);
        publish(1, 2);
        publish(0, 3);
        runAll();
        assertThat(node.memoryUsed()).as("waits for the socket").isPositive();
        blocked.unsubscribe("$share/skip/t");
        runAll();
        assertThat(node.memoryUsed()).isZero();
        assertThat(node.dropped(DropReason.NO_MEMBER)).isEqualTo(1);
    }

    private void runAll() {
        for (int i = 0; i < 5; i++) {
            first.run();
            second.run();
        }
    }

    /** From the other shard, whose message arrives at once. */
    private void publish(int qos, int number) {
        publisher.publish("t", qos, number, -1);
        first.run();
    }

    private Session session(String clientId) {
        return first.residences().find(clientId).session;
    }

    private static CoreSettings settings() {
        CoreSettings defaults = CoreSettings.defaults(2);
        return new CoreSettings(
                2,
                defaults.protocol(),
                defaults.limits(),
                defaults.sessions(),
                new SharingSettings(
                        true,
                        (name, filter) ->
                                new GroupSettings(
                                        "test",
                                        Choice.DEFAULT,
                                        name.equals("keep")
                                                ? OfflineMembers.KEEP
                                                : OfflineMembers.SKIP,
                                        new BacklogLimits(
                                                Overflow.SLOW, 1_000, 1 << 20, 1_000, 500, 30_000),
                                        1_000)));
    }
}
