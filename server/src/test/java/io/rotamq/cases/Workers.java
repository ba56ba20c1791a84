package io.rotamq.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Members of one group, each on a thread, with persistent sessions and small windows. Each stops
 * now and then in the middle of a delivery, breaks its connection and comes back.
 */
final class Workers {
    private final TestBroker broker;
    private final String filter;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> running = new ArrayList<>();
    private final Set<String> done = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;

    Workers(TestBroker broker, String filter, List<String> ids) {
        this.broker = broker;
        this.filter = filter;
        for (String id : ids) {
            RawClient first = connect(id);
            first.subscribe(filter, 1);
            running.add(threads.submit(() -> work(id, first)));
        }
    }

    /** Waits until each payload was acknowledged by somebody. */
    void awaitAll(Collection<String> payloads) {
        await(filter)
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(done).containsAll(payloads));
    }

    void stop() throws InterruptedException, ExecutionException {
        stopped = true;
        for (Future<?> each : running) {
            each.get();
        }
        threads.close();
    }

    private RawClient connect(String id) {
        return broker.client(ConnectPacket.v5(id).lasting(300).with(Property.RECEIVE_MAXIMUM, 5));
    }

    private void work(String id, RawClient first) {
        Random random = new Random(id.hashCode());
        RawClient client = first;
        while (!stopped) {
            @Nullable Received delivery = client.poll(Duration.ofMillis(50));
            if (delivery == null) {
                continue;
            }
            if (random.nextInt(100) == 0) {
                client.reset();
                client = connect(id);
            } else {
                client.acknowledge(delivery);
                done.add(delivery.text());
            }
        }
        client.close();
    }
}
