package io.rotamq.bench;

import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.share.Group;
import io.rotamq.core.share.Member;
import io.rotamq.core.strategy.Attachment;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.Message;
import io.rotamq.core.strategy.Recipient;
import io.rotamq.core.strategy.Window;
import io.rotamq.mqtt.topic.TopicFilter;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** What it takes to look at one of ten thousand groups, as a dashboard does each second. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SnapshotBenchmark {
    private static final int GROUPS = 10_000;

    @Param({"4", "100"})
    private int members;

    private Group[] groups;

    @Setup
    public void fill() {
        groups = new Group[GROUPS];
        for (int i = 0; i < GROUPS; i++) {
            TopicFilter filter = Objects.requireNonNull(TopicFilter.parse("t/" + i + "/#"));
            groups[i] = new Group("g", filter, 0, GroupSettings.DEFAULTS);
            for (int j = 0; j < members; j++) {
                Worker worker = new Worker("worker-" + i + "-" + j);
                groups[i].join(new Member(groups[i], worker, Grant.of(1, false, false, 0, i)));
            }
        }
    }

    @Benchmark
    @OperationsPerInvocation(GROUPS)
    public void look(Blackhole sink) {
        for (Group group : groups) {
            sink.consume(group.snapshot());
        }
    }

    private static final class Worker implements Recipient {
        private final String clientId;
        private final Window window = new Window();
        private final Attachment attachment = new Attachment("192.0.2.1:40000", 100);

        private Worker(String clientId) {
            this.clientId = clientId;
            window.open(100);
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
        public Attachment attachment() {
            return attachment;
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
}
