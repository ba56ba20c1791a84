package io.rotamq.core.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.durable.Keep;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.MemoryBudget;
import io.rotamq.core.port.Meter;
import io.rotamq.core.share.GroupSnapshot.ConnectionSnapshot;
import io.rotamq.core.share.GroupSnapshot.MemberSnapshot;
import io.rotamq.core.strategy.Attachment;
import io.rotamq.core.strategy.FakeRecipient;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.Message;
import io.rotamq.core.strategy.Messages;
import io.rotamq.mqtt.topic.TopicFilter;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GroupSnapshotTest {
    private final Meter meter = new Meter();
    private final Dispatcher dispatcher =
            new Dispatcher(new NoPort(), meter, new MemoryBudget(1_000_000), 1);
    private final Group group =
            new Group(
                    "g",
                    Objects.requireNonNull(TopicFilter.parse("t/+")),
                    3,
                    GroupSettings.DEFAULTS);

    @Test
    void tellsWhoTheGroupIsAndWhatGaveItItsSettings() {
        GroupSnapshot snapshot = group.snapshot();

        assertThat(snapshot.shareName()).isEqualTo("g");
        assertThat(snapshot.filter()).isEqualTo("t/+");
        assertThat(snapshot.owner()).isEqualTo(3);
        assertThat(snapshot.settings()).isEqualTo(GroupSettings.DEFAULTS);
        assertThat(snapshot.members()).isEmpty();
        assertThat(snapshot.drops()).isEmpty();
    }

    @Test
    void tellsWhoseTurnIsNext() {
        join("a", 9);
        join("b", 9);
        dispatcher.publish(group, Messages.of(1, 1), null);

        assertThat(group.snapshot().cursor()).isEqualTo(1);
        assertThat(group.snapshot().next()).isEqualTo("b");
    }

    @Test
    void showsHowMuchOfAMembersWindowIsTaken() {
        FakeRecipient recipient = join("a", 9);
        recipient.attachment = new Attachment("192.0.2.1:1", 9);
        dispatcher.publish(group, Messages.of(1, 1), null);
        dispatcher.publish(group, Messages.of(1, 2), null);

        assertThat(member().connection())
                .isEqualTo(new ConnectionSnapshot("192.0.2.1:1", 9, 2, false));
        recipient.window.block(true);
        assertThat(member().connection())
                .isEqualTo(new ConnectionSnapshot("192.0.2.1:1", 9, 2, true));
    }

    @Test
    void showsAMemberThatIsAwayWithoutAConnection() {
        join("a", 9).disconnect();

        assertThat(member().connection()).isNull();
        assertThat(member().clientId()).isEqualTo("a");
        assertThat(member().qos()).isEqualTo(1);
        assertThat(group.snapshot().connected()).isZero();
    }

    @Test
    void addsUpWhatMembersDid() {
        join("a", 9);
        join("b", 9);
        Tally a = Member.of(group.roster().member(0)).tally();
        a.countDelivered();
        a.countDelivered();
        a.countAcknowledged();
        a.countRefused();
        Tally b = Member.of(group.roster().member(1)).tally();
        b.countDelivered();
        b.countRedispatched();

        assertThat(group.snapshot().members().get(0).counts())
                .isEqualTo(new Tally.Counts(2, 1, 1, 0));
        assertThat(group.snapshot().counts()).isEqualTo(new Tally.Counts(3, 1, 1, 1));
    }

    @Test
    void countsLossesOfTheGroupAndOfTheNodeAlike() {
        group.drop(DropReason.EXPIRED, meter);
        group.drop(DropReason.EXPIRED, meter);
        dispatcher.publish(group, Messages.of(0, 1), null);

        assertThat(group.snapshot().drops())
                .isEqualTo(Map.of(DropReason.EXPIRED, 2L, DropReason.NO_MEMBER, 1L));
        assertThat(meter.dropped(DropReason.EXPIRED)).isEqualTo(2);
        assertThat(meter.dropped(DropReason.NO_MEMBER)).isEqualTo(1);
    }

    @Test
    void showsWhatWaits() {
        Message message = Messages.of(1, 1);
        group.rises(message);

        assertThat(group.snapshot().waiting().messages()).isEqualTo(1);
        assertThat(group.snapshot().waiting().bytes()).isEqualTo(message.size());
        assertThat(group.snapshot().waiting().behind()).isFalse();
        group.brake().putOn();
        assertThat(group.snapshot().waiting().behind()).isTrue();
    }

    private MemberSnapshot member() {
        return group.snapshot().members().getFirst();
    }

    private FakeRecipient join(String clientId, int credit) {
        FakeRecipient recipient = new FakeRecipient(clientId, credit);
        group.join(new Member(group, recipient, Grant.of(1, false, false, 0, 1)));
        return recipient;
    }

    /** Whoever is chosen takes the message, and nothing else happens. */
    private static final class NoPort implements GroupPort {
        @Override
        public long now() {
            return 0;
        }

        @Override
        public void deliver(
                Member member,
                Grant grant,
                Message message,
                long epoch,
                @Nullable Hold hold,
                @Nullable Keep keep) {
            // The window shows that it is under way.
        }

        @Override
        public void unclaim(Member member, long epoch) {
            throw new AssertionError("nothing is claimed in vain");
        }

        @Override
        public void enqueue(Group to, Message message, @Nullable Keep keep) {
            throw new AssertionError("nothing has to wait");
        }

        @Override
        public void taken(Offer offer) {
            throw new AssertionError("nothing is offered");
        }

        @Override
        public void relieved(Brake relieved) {
            throw new AssertionError("nobody is slowed");
        }
    }
}
