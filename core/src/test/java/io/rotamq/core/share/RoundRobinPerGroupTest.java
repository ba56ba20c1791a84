package io.rotamq.core.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.durable.Keep;
import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.GroupSettings.BacklogLimits;
import io.rotamq.core.port.GroupSettings.Choice;
import io.rotamq.core.port.GroupSettings.OfflineMembers;
import io.rotamq.core.port.GroupSettings.Overflow;
import io.rotamq.core.port.MemoryBudget;
import io.rotamq.core.port.Meter;
import io.rotamq.core.strategy.Claim;
import io.rotamq.core.strategy.FakeRecipient;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.Message;
import io.rotamq.core.strategy.Messages;
import io.rotamq.core.strategy.PassOver;
import io.rotamq.core.strategy.Verdict;
import io.rotamq.mqtt.topic.TopicFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RoundRobinPerGroupTest {
    private static final int MANY = 1_000_000;

    private final Dispatcher dispatcher =
            new Dispatcher(new NoPort(), new Meter(), new MemoryBudget(MANY), 1);
    private Group group = group(OfflineMembers.SKIP);
    private final List<FakeRecipient> recipients = new ArrayList<>();
    private final List<Member> members = new ArrayList<>();

    @Test
    void givesEachMemberItsTurn() {
        join("a", "b", "c");
        assertThat(chosen(7)).isEqualTo("abcabca");
    }

    @Test
    void standsBehindTheChosenMemberAfterAPassOver() {
        join("a", "b", "c");
        recipients.get(0).window.open(0);
        assertThat(chosen(1)).isEqualTo("b");
        recipients.get(0).window.open(9);
        assertThat(chosen(3)).as("b had its turn").isEqualTo("cab");
    }

    @Test
    void countsNoTurnWhenNobodyTakesTheMessage() {
        join("a", "b", "c");
        assertThat(chosen(1)).isEqualTo("a");
        recipients.forEach(r -> r.window.open(0));
        assertThat(chosen(2)).isEqualTo("--");
        recipients.forEach(r -> r.window.open(9));
        assertThat(chosen(3)).isEqualTo("bca");
    }

    @Test
    void givesNobodyADoubleShareWhileAMemberIsOffline() {
        join("a", "b", "c");
        disconnect(1);
        assertThat(group.roster().turns()).isEqualTo(2);
        assertThat(chosen(6)).isEqualTo("acacac");
    }

    @Test
    void letsAMemberThatKeepsItsTurnHaveItWhileOffline() {
        group = group(OfflineMembers.KEEP);
        join("a", "b");
        recipients.get(0).persistent = true;
        disconnect(0);
        assertThat(chosen(4)).isEqualTo("abab");
        assertThat(dispatcher.claim().epoch()).isNotEqualTo(Claim.KEPT);
        assertThat(chosen(1)).isEqualTo("a");
        assertThat(dispatcher.claim().epoch()).isEqualTo(Claim.KEPT);
    }

    @Test
    void keepsNoTurnForAMemberWithoutPersistentSession() {
        group = group(OfflineMembers.KEEP);
        join("a", "b");
        disconnect(0);
        assertThat(chosen(3)).isEqualTo("bbb");
    }

    @Test
    void keepsTheTurnWhenAMemberJoins() {
        join("a", "b");
        assertThat(chosen(1)).isEqualTo("a");
        join("c");
        assertThat(chosen(4)).isEqualTo("bcab");
    }

    @Test
    void keepsTheTurnWhenAMemberInFrontLeaves() {
        join("a", "b", "c");
        assertThat(chosen(2)).isEqualTo("ab");
        assertThat(group.leave(members.get(0))).isFalse();
        assertThat(chosen(3)).isEqualTo("cbc");
    }

    @Test
    void passesTheTurnOnWhenItsMemberLeaves() {
        join("a", "b", "c");
        assertThat(chosen(1)).isEqualTo("a");
        group.leave(members.get(1));
        assertThat(chosen(3)).isEqualTo("cac");
    }

    @Test
    void namesWhomItPassedOverAndWhy() {
        join("a", "b", "c", "d");
        recipients.get(0).window.open(0);
        recipients.get(1).window.block(true);
        recipients.get(2).fits = false;
        assertThat(chosen(1)).isEqualTo("d");
        Verdict verdict = dispatcher.claim().verdict();
        assertThat(verdict).isInstanceOf(Verdict.Chosen.class);
        assertThat(verdict.passedOver())
                .extracting(Verdict.Passed::reason)
                .containsExactly(PassOver.WINDOW_FULL, PassOver.SOCKET_FULL, PassOver.TOO_LARGE);
    }

    @Test
    void passesAFullWindowOverWhateverTheQos() {
        join("a", "b");
        recipients.get(0).window.open(0);
        assertThat(name(dispatcher.choose(group, Messages.of(0, 1)))).isEqualTo("b");
    }

    @Test
    void endsWithItsLastMember() {
        join("a", "b");
        assertThat(group.leave(members.get(1))).isFalse();
        assertThat(group.hasEnded()).isFalse();
        assertThat(group.leave(members.get(0))).isTrue();
        assertThat(group.hasEnded()).isTrue();
        assertThat(chosen(1)).isEqualTo("-");
    }

    /** With credit for everybody each choice takes one turn, whoever chooses on which thread. */
    @Test
    void dividesEvenlyAmongMembersWhenSeveralShardsChoose() throws Exception {
        join("a", "b", "c");
        recipients.forEach(r -> r.window.open(MANY));
        int each = 30_000;
        AtomicInteger[] counts = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            List<Future<?>> shards = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                shards.add(threads.submit(() -> chooseMany(each, counts)));
            }
            for (Future<?> shard : shards) {
                shard.get();
            }
        }
        for (AtomicInteger count : counts) {
            assertThat(count.get()).isEqualTo(each);
        }
    }

    private void chooseMany(int each, AtomicInteger[] counts) {
        Dispatcher own = new Dispatcher(new NoPort(), new Meter(), new MemoryBudget(MANY), 1);
        for (int i = 0; i < each; i++) {
            Member member = Objects.requireNonNull(own.choose(group, Messages.of(1, i)));
            counts[members.indexOf(member)].incrementAndGet();
        }
    }

    private static Group group(OfflineMembers offline) {
        GroupSettings settings =
                new GroupSettings(
                        "test",
                        Choice.DEFAULT,
                        offline,
                        new BacklogLimits(Overflow.SLOW, 10, 1_000, 10, 5, 1_000),
                        1_000);
        return new Group("g", Objects.requireNonNull(TopicFilter.parse("t")), 0, settings);
    }

    private void join(String... names) {
        for (String name : names) {
            FakeRecipient recipient = new FakeRecipient(name, 100);
            Member member = new Member(group, recipient, Grant.of(1, false, false, 0, 1));
            recipients.add(recipient);
            members.add(member);
            group.join(member);
        }
    }

    private void disconnect(int index) {
        recipients.get(index).disconnect();
        group.refresh(members.get(index));
    }

    private String chosen(int times) {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < times; i++) {
            names.append(name(dispatcher.choose(group, Messages.of(1, i))));
        }
        return names.toString();
    }

    private static String name(Member member) {
        return member == null ? "-" : member.recipient().clientId();
    }

    /** Choosing needs nothing of the shard. */
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
            throw new AssertionError("not asked for");
        }

        @Override
        public void unclaim(Member member, long epoch) {
            throw new AssertionError("not asked for");
        }

        @Override
        public void enqueue(Group to, Message message, @Nullable Keep keep) {
            throw new AssertionError("not asked for");
        }

        @Override
        public void taken(Offer offer) {
            throw new AssertionError("not asked for");
        }

        @Override
        public void relieved(Brake relieved) {
            throw new AssertionError("not asked for");
        }
    }
}
