package io.rotamq.core.share;

import io.rotamq.core.durable.Keep;
import io.rotamq.core.port.GroupSettings;
import io.rotamq.core.port.MemoryBudget;
import io.rotamq.core.port.Meter;
import io.rotamq.core.strategy.FakeRecipient;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.Message;
import io.rotamq.core.strategy.Messages;
import io.rotamq.mqtt.topic.TopicFilter;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Nothing stays in a backlog while a member could take it: whoever puts a message there and whoever
 * gives a credit back, one of them sees the other. The owner's mailbox is a lock here.
 */
public class WakeUpLincheckTest {
    private static final GroupSettings SETTINGS = GroupSettings.DEFAULTS;

    private final FakeRecipient recipient = new FakeRecipient("member", 1);
    private final Group group =
            new Group("g", Objects.requireNonNull(TopicFilter.parse("t")), 0, SETTINGS);
    private final MemoryBudget memory = new MemoryBudget(1 << 20);
    private final AtomicInteger inflight = new AtomicInteger();
    private final GroupOwner owner;

    public WakeUpLincheckTest() {
        Inline port = new Inline();
        owner =
                new GroupOwner(
                        port, new Dispatcher(port, new Meter(), memory, 1), new Meter(), memory);
        group.join(new Member(group, recipient, Grant.of(1, false, false, 0, 1)));
    }

    @Operation
    public void publish() {
        new Dispatcher(new Inline(), new Meter(), memory, 2)
                .publish(group, Messages.of(1, 1), null);
    }

    @Operation(nonParallelGroup = "session")
    public void acknowledge() {
        if (inflight.get() > 0) {
            inflight.decrementAndGet();
            if (recipient.window.release() && group.pending() > 0) {
                wantWork();
            }
        }
    }

    private void wantWork() {
        if (group.requestsDrain()) {
            synchronized (owner) {
                group.drainBegins();
                owner.drain(group);
            }
        }
    }

    @Validate
    public void nothingWaitsInVain() {
        if (group.pending() > 0 && recipient.window.free() > 0) {
            throw new IllegalStateException("a message waits although there is credit");
        }
        if (inflight.get() + recipient.window.free() != 1) {
            throw new IllegalStateException("credit was lost or invented");
        }
    }

    @Test
    void whoeverIsSecondSeesTheFirst() {
        new ModelCheckingOptions()
                .iterations(6)
                .invocationsPerIteration(150)
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(1)
                .check(WakeUpLincheckTest.class);
    }

    /** What is for another shard happens at once. */
    private final class Inline implements GroupPort {
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
            inflight.incrementAndGet();
        }

        @Override
        public void unclaim(Member member, long epoch) {
            throw new IllegalStateException("nothing was offered");
        }

        @Override
        public void enqueue(Group to, Message message, @Nullable Keep keep) {
            synchronized (owner) {
                owner.enqueue(to, message, keep);
            }
        }

        @Override
        public void taken(Offer offer) {
            throw new IllegalStateException("nothing was offered");
        }

        @Override
        public void relieved(Brake relieved) {
            // Nobody is slowed.
        }
    }
}
