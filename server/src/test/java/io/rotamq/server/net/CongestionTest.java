package io.rotamq.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Outgoing;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A shard that is behind slows those who give it more, and nobody stays slowed. */
class CongestionTest {
    private static final int MAILBOX = 20;
    private static final int BURST = 100;
    private static final int BURSTS = 5;

    @Test
    void readsNoFurtherWhileAnotherShardIsBehindAndLosesNothing() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        try (Rig rig = Rig.withMailbox(MAILBOX)) {
            String topic = Fresh.topic();
            RawClient receiver = rig.client();
            receiver.subscribe(topic, 0);
            int home = home(rig);
            RawClient publisher = rig.client(); // the next loop's
            assertThat(rig.node.shard(home).connections()).isEqualTo(1);
            rig.node.shard(home).execute(() -> awaitUninterruptibly(busy));

            int sent = 0;
            while (rig.counters().congestionPauses() == 0) {
                long arrived = rig.counters().bytesReceived();
                publisher.send(burst(topic, sent));
                sent += BURST;
                await().until(() -> rig.counters().bytesReceived() > arrived);
                assertThat(sent).isLessThan(BURSTS * BURST);
            }
            for (; sent < BURSTS * BURST; sent += BURST) {
                publisher.send(burst(topic, sent));
            }
            assertThat(rig.counters().congestionPauses()).isEqualTo(1);
            busy.countDown();

            for (int i = 0; i < sent; i++) {
                assertThat(receiver.delivery().text()).isEqualTo("message " + i);
            }
            publisher.ping();
        } finally {
            busy.countDown();
        }
    }

    private static int home(Rig rig) {
        return IntStream.range(0, Rig.LOOPS)
                .filter(shard -> rig.node.shard(shard).connections() == 1)
                .findFirst()
                .orElseThrow();
    }

    private static Outgoing[] burst(String topic, int from) {
        return IntStream.range(from, from + BURST)
                .mapToObj(i -> PublishPacket.of(topic, "message " + i))
                .toArray(Outgoing[]::new);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
