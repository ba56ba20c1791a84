package io.rotamq.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.TestBroker;
import java.util.ArrayList;
import java.util.List;

/**
 * Healthy clients that must not notice what others send: members of a group, on every event loop,
 * and a publisher. Alive means that each member gets its turn and a new client is accepted.
 */
final class Canary implements AutoCloseable {
    private static final int MEMBERS = 4;

    private final TestBroker broker;
    private final String topic = "canary/" + Fresh.topic();
    private final RawClient publisher;
    private final List<RawClient> members = new ArrayList<>();
    private int round;

    Canary(TestBroker broker) {
        this.broker = broker;
        publisher = broker.v5();
        for (int i = 0; i < MEMBERS; i++) {
            RawClient member = i % 2 == 0 ? broker.v5() : broker.v4();
            member.subscribe("$share/canary/" + topic, 1);
            members.add(member);
        }
        mustLive();
    }

    void mustLive() {
        round++;
        for (int i = 0; i < MEMBERS; i++) {
            publisher.publish(topic, "round " + round, 1 + i % 2);
        }
        for (RawClient member : members) {
            assertThat(member.receive().text()).isEqualTo("round " + round);
        }
        try (RawClient fresh = broker.v4()) {
            assertThat(fresh.isOpen()).isTrue();
        }
    }

    @Override
    public void close() {
        members.forEach(RawClient::close);
        publisher.close();
    }
}
