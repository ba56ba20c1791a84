package io.rotamq.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.clients.ForeignClient;
import io.rotamq.clients.HiveMq5;
import io.rotamq.clients.Inbox;
import io.rotamq.clients.Kind;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Members that do not acknowledge, or are away, while others work. */
class SlowMemberScenariosTest {
    private static final int WINDOW = 100;

    /** The full scenario takes 30 seconds; the normal run looks at five. */
    private static final int SECONDS = Integer.getInteger("scenarios.seconds", 5);

    @Test
    @Tag("C10")
    @DisplayName("A8: a member that never acknowledges holds its window and no more")
    void aMemberThatNeverAcknowledgesHoldsItsWindowAndNoMore() {
        String topic = Fresh.topic();
        try (TestBroker broker = TestBroker.start();
                ForeignClient first = HiveMq5.connect(broker);
                ForeignClient second = Kind.PAHO_3.connect(broker);
                ForeignClient third = Kind.PAHO_5.connect(broker);
                RawClient stuck = broker.v5();
                HiveMq5 publisher = HiveMq5.connect(broker)) {
            List.of(first, second, third).forEach(m -> m.subscribe("$share/g/" + topic, 1));
            stuck.subscribe("$share/g/" + topic, 1);

            Load load = new Load(publisher, topic);
            load.run(Duration.ofSeconds(SECONDS));
            assertThat(load.slowest()).isLessThan(Duration.ofSeconds(1));

            List<String> published = load.published();
            List<Inbox> inboxes = List.of(first.inbox(), second.inbox(), third.inbox());
            Inbox.awaitTotal(published.size() - WINDOW, inboxes);
            List<Received> held = Payloads.hold(stuck, WINDOW);
            Payloads.nothingMoreAt(stuck);
            assertThat(held).noneMatch(Received::dup);

            // Its session ends with its connection: the others get what it held.
            stuck.close();
            Payloads.eachOnceAt(published, first, second, third);
        }
    }

    @Test
    @DisplayName("A9: skip: who is away or full gets nothing, and nothing is lost")
    void skipsMembersThatAreAwayOrFull() {
        Setup setup = new Setup("sharing.offline-members=skip");
        try (TestBroker broker = setup.broker;
                HiveMq5 a = HiveMq5.connect(broker);
                RawClient c = setup.stuck()) {
            setup.away.leave();
            a.subscribe(setup.filter, 1);
            List<String> qos0 = Payloads.of("zero", 3_000);
            Payloads.publish(setup.publisher, setup.topic, qos0, 0);
            List<String> atC = Payloads.texts(Payloads.hold(c, 1_500));
            a.inbox().await(1_500);

            List<String> qos1 = Payloads.of("one", 3_000);
            Payloads.publish(setup.publisher, setup.topic, qos1, 1);
            atC = new ArrayList<>(atC);
            atC.add(c.delivery().text());
            a.inbox().await(4_499);
            Payloads.nothingMoreAt(c);
            List<String> all = new ArrayList<>(a.inbox().payloads());
            all.addAll(atC);
            List<String> published = new ArrayList<>(qos0);
            published.addAll(qos1);
            assertThat(all).containsExactlyInAnyOrderElementsOf(published);

            RawClient b = broker.open();
            assertThat(b.connect(setup.awayAgain()).sessionPresent()).isTrue();
            Payloads.nothingMoreAt(b);
        }
    }

    @Test
    @DisplayName("A9: keep: the share of who is away waits, and moves when its session ends")
    void keepsTheShareOfAMemberThatIsAway() {
        Setup setup =
                new Setup("sharing.offline-members=keep", "session.max-queued-messages=10000");
        try (TestBroker broker = setup.broker;
                HiveMq5 a = HiveMq5.connect(broker);
                RawClient c = setup.stuck()) {
            setup.away.leave();
            a.subscribe(setup.filter, 1);
            List<String> qos0 = Payloads.of("zero", 3_000);
            Payloads.publish(setup.publisher, setup.topic, qos0, 0);
            List<String> atC = new ArrayList<>();
            a.inbox().await(1_500);
            atC.addAll(Payloads.texts(Payloads.hold(c, 3_000 - a.inbox().size())));

            List<String> qos1 = Payloads.of("one", 3_000);
            Payloads.publish(setup.publisher, setup.topic, qos1, 1);
            atC.add(c.delivery().text());
            a.inbox().await(a.inbox().size());
            Payloads.nothingMoreAt(c);
            int waiting = 6_000 - a.inbox().size() - atC.size();
            assertThat(waiting).isBetween(1_000, 2_000);

            assertThat(broker.kick(setup.awayId)).isTrue();
            List<String> published = new ArrayList<>(qos0);
            published.addAll(qos1);
            published.removeAll(atC);
            Payloads.eachOnceAt(published, a);
        }
    }

    /** B away with a session of an hour; C with a Receive Maximum of 1. */
    private static final class Setup {
        final TestBroker broker;
        final RawClient publisher;
        final RawClient away;
        final String awayId = Fresh.id();
        final String topic = Fresh.topic();
        final String filter = "$share/g/" + topic;

        Setup(String... settings) {
            broker = TestBroker.start(settings);
            publisher = broker.v5();
            away = broker.client(awayAgain());
            away.subscribe(filter, 1);
        }

        ConnectPacket awayAgain() {
            return ConnectPacket.v5(awayId).lasting(3_600);
        }

        RawClient stuck() {
            RawClient client =
                    broker.client(ConnectPacket.v5(Fresh.id()).with(Property.RECEIVE_MAXIMUM, 1));
            client.subscribe(filter, 1);
            return client;
        }
    }
}
