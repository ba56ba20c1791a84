package io.rotamq.bench;

import io.rotamq.core.durable.Keep;
import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.GroupSettings.Choice;
import io.rotamq.core.port.GroupSettings.StrategyName;
import io.rotamq.core.port.MemoryBudget;
import io.rotamq.core.port.Meter;
import io.rotamq.core.share.Brake;
import io.rotamq.core.share.Dispatcher;
import io.rotamq.core.share.Group;
import io.rotamq.core.share.GroupOwner;
import io.rotamq.core.share.GroupPort;
import io.rotamq.core.share.Hold;
import io.rotamq.core.share.Member;
import io.rotamq.core.share.Offer;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.Message;
import io.rotamq.core.strategy.Publisher;
import io.rotamq.core.strategy.Recipient;
import io.rotamq.core.strategy.Window;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A group's choice of a member for a message of QoS 1: the strategy, the claim of a credit, and its
 * return. The messages come from many publishers, on as many topics.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class GroupBenchmark {
    private static final int PUBLISHERS = 1_024;

    @Param({"8", "1000"})
    private int members;

    @Param({
        "ROUND_ROBIN_PER_GROUP",
        "ROUND_ROBIN",
        "RANDOM",
        "STICKY",
        "HASH_CLIENTID",
        "HASH_TOPIC",
        "LEAST_INFLIGHT",
        "FAILOVER",
        "KEY_SHARED"
    })
    private StrategyName strategy = StrategyName.ROUND_ROBIN_PER_GROUP;

    private Dispatcher dispatcher;
    private GroupOwner owner;
    private Group group;
    private final Message[] messages = new Message[PUBLISHERS];
    private int next;

    @Setup
    public void fill() {
        TopicFilter filter = Objects.requireNonNull(TopicFilter.parse("t/#"));
        GroupSettings usual = GroupSettings.DEFAULTS;
        GroupSettings settings =
                new GroupSettings(
                        "bench",
                        Choice.of(strategy),
                        usual.offlineMembers(),
                        usual.backlog(),
                        usual.maximumMembers());
        group = new Group("g", filter, 0, settings);
        for (int i = 0; i < members; i++) {
            Worker worker = new Worker("worker-" + i);
            worker.window.open(100);
            group.join(new Member(group, worker, Grant.of(1, false, false, 0, i)));
        }
        MemoryBudget memory = new MemoryBudget(Long.MAX_VALUE);
        GivesBack port = new GivesBack();
        dispatcher = new Dispatcher(port, new Meter(), memory, 1);
        owner = new GroupOwner(port, dispatcher, new Meter(), memory);
        for (int i = 0; i < PUBLISHERS; i++) {
            TopicName topic = TopicName.of("t/" + i);
            Publish publish =
                    new Publish(topic, new byte[128], 1, false, false, 1, -1, new byte[0]);
            messages[i] = new Message(publish, new Publisher("publisher-" + i), i, 0);
        }
    }

    @Benchmark
    public @Nullable Brake choose() {
        next = next + 1 & PUBLISHERS - 1;
        return dispatcher.publish(group, messages[next], null);
    }

    private static final class Worker implements Recipient {
        private final Window window = new Window();
        private final String clientId;

        Worker(String clientId) {
            this.clientId = clientId;
        }

        @Override
        public String clientId() {
            return clientId;
        }

        @Override
        public int shard() {
            return 0;
        }

        @Override
        public Window window() {
            return window;
        }

        @Override
        public boolean isOnline() {
            return true;
        }

        @Override
        public boolean isPersistent() {
            return false;
        }

        @Override
        public boolean fits(Message message, Grant grant) {
            return true;
        }
    }

    /** Acknowledges each delivery at once. */
    private final class GivesBack implements GroupPort {
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
            member.recipient().window().release();
            if (hold != null && !owner.releases(hold)) {
                throw new IllegalStateException("nothing waits here");
            }
        }

        @Override
        public void unclaim(Member member, long epoch) {
            throw new IllegalStateException("nothing is claimed in vain here");
        }

        @Override
        public void enqueue(Group to, Message message, @Nullable Keep keep) {
            owner.enqueue(to, message, keep);
        }

        @Override
        public void taken(Offer offer) {
            throw new IllegalStateException("nothing is offered here");
        }

        @Override
        public void relieved(Brake group) {
            throw new IllegalStateException("the group is never behind");
        }
    }
}
