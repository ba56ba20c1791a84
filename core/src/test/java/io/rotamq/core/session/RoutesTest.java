package io.rotamq.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.rotamq.core.port.CoreSettings;
import io.rotamq.core.port.MemoryBudget;
import io.rotamq.core.port.Meter;
import io.rotamq.core.port.SharingSettings;
import io.rotamq.core.share.Group;
import io.rotamq.core.share.Hold;
import io.rotamq.core.share.Member;
import io.rotamq.core.share.Pending;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.KeyFilter;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RoutesTest {
    private static final int CROWD = 100_000;
    private static final TopicName TOPIC = TopicName.of("t");

    private final Routes routes = new Routes(SharingSettings.DEFAULTS, 2, 3);
    private final PlainRoutes plain = new PlainRoutes(routes, 1, true, 3);
    private final MemoryBudget memory = new MemoryBudget(1 << 20);
    private final Session session =
            new Session(
                    "client",
                    new Quiet(),
                    routes,
                    plain,
                    Objects.requireNonNull(Footprint.of("client", memory)));

    @Test
    void aJoinToAGroupThatIsThereInvalidatesNothing() {
        join("$share/g/t");
        long epoch = routes.epoch();
        Member second = join("$share/g/t");
        assertThat(routes.epoch()).isEqualTo(epoch);
        assertThat(routes.leave(second)).isFalse();
        assertThat(routes.epoch()).isEqualTo(epoch);
        join("$share/h/t");
        assertThat(routes.epoch()).isGreaterThan(epoch);
    }

    @Test
    void findsGroupsByIdentity() {
        Member member = join("$share/g/t");
        join("$share/g/t/#");
        join("$queue/t");
        assertThat(routes.groups()).isEqualTo(3);
        assertThat(routes.group("g", filter("t"))).isSameAs(member.group());
        assertThat(routes.group("$queue", filter("t"))).isNotNull();
        assertThat(routes.group("h", filter("t"))).isNull();
        assertThat(routes.leave(member)).isTrue();
        assertThat(routes.group("g", filter("t"))).isNull();
        List<String> left = new ArrayList<>();
        routes.forEachGroup(group -> left.add(group.toString()));
        assertThat(left).containsExactlyInAnyOrder("$share/g/t/#", "$share/$queue/t");
        assertThat(routes.match(TOPIC).groups()).hasSize(2);
    }

    @Test
    void aNewGroupTakesThePlaceOfOneThatEnded() {
        Member first = join("$share/g/t");
        routes.leave(first);
        Member second = join("$share/g/t");
        assertThat(second.group()).isNotSameAs(first.group());
        assertThat(routes.match(TOPIC).groups()).containsExactly(second.group());
    }

    /** If each change cost as much as the filter has groups, this would take minutes. */
    @Test
    void aFilterCanHaveVeryManyGroups() {
        assertTimeout(
                Duration.ofSeconds(20),
                () -> {
                    List<Member> members = new ArrayList<>();
                    for (int i = 0; i < CROWD; i++) {
                        members.add(join("$share/g" + i + "/t"));
                    }
                    Group[] matched = routes.match(TOPIC).groups();
                    assertThat(matched).hasSize(CROWD);
                    assertThat(matched[77]).isSameAs(members.get(77).group());
                    for (Member member : members) {
                        assertThat(routes.leave(member)).isTrue();
                    }
                });
        assertThat(routes.groups()).isZero();
        assertThat(routes.match(TOPIC).isEmpty()).isTrue();
    }

    /** If each change cost as much as the filter has subscribers, this would take minutes. */
    @Test
    void aFilterCanHaveVeryManySubscribers() {
        assertTimeout(
                Duration.ofSeconds(20),
                () -> {
                    List<Subscription> subscriptions = new ArrayList<>();
                    for (int i = 0; i < CROWD; i++) {
                        Subscription subscription = subscription("t");
                        subscriptions.add(subscription);
                        plain.put(subscription, null);
                    }
                    assertThat(routes.match(TOPIC).shards()).isEqualTo(2);
                    for (int i = 0; i < CROWD; i++) {
                        Subscription again = subscription("t");
                        plain.put(again, subscriptions.get(i));
                        subscriptions.set(i, again);
                    }
                    for (Subscription subscription : subscriptions) {
                        plain.remove(subscription);
                    }
                });
        assertThat(routes.match(TOPIC).isEmpty()).isTrue();
    }

    @Test
    void subscribingAgainInvalidatesNothingOnOtherShards() {
        Subscription first = subscription("t");
        plain.put(first, null);
        long epoch = routes.epoch();
        Subscription again = subscription("t");
        plain.put(again, first);
        assertThat(routes.epoch()).isEqualTo(epoch);
        plain.remove(again);
        assertThat(routes.match(TOPIC).isEmpty()).isTrue();
    }

    private Member join(String filter) {
        SubscriptionFilter parsed = Objects.requireNonNull(SubscriptionFilter.parse(filter));
        return Objects.requireNonNull(routes.join(parsed, session, grant(), KeyFilter.EVERY_KEY));
    }

    private Subscription subscription(String filter) {
        SubscriptionFilter plain = new SubscriptionFilter(null, filter(filter));
        return new Subscription(session, plain, grant(), null, 0);
    }

    private Grant grant() {
        return Grant.of(1, false, false, 0, routes.nextGeneration());
    }

    private static TopicFilter filter(String text) {
        return Objects.requireNonNull(TopicFilter.parse(text));
    }

    /** A shard that has nothing to do. */
    private final class Quiet implements SessionPort {
        private final Meter meter = new Meter();

        @Override
        public int index() {
            return 1;
        }

        @Override
        public long now() {
            return 0;
        }

        @Override
        public CoreSettings settings() {
            return CoreSettings.defaults(2);
        }

        @Override
        public Meter meter() {
            return meter;
        }

        @Override
        public MemoryBudget memory() {
            return memory;
        }

        @Override
        public void giveBack(Group group, List<Pending> messages) {
            throw new AssertionError("nothing was delivered");
        }

        @Override
        public void wantsWork(Group group) {
            throw new AssertionError("nothing waits");
        }

        @Override
        public void wantsWork(Member member) {
            throw new AssertionError("nothing waits");
        }

        @Override
        public void over(Hold hold) {
            throw new AssertionError("nothing was delivered");
        }

        @Override
        public void returned(Group group) {}

        @Override
        public void ended(Group group) {
            throw new AssertionError("nothing waits");
        }
    }
}
