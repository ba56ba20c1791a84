package io.rotamq.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.DurableBroker.Peer;
import io.rotamq.core.port.Store.Kind;
import org.junit.jupiter.api.Test;

class DurableDeliveryTest {
    private final DurableBroker broker = new DurableBroker(2);

    /** A durable session with a subscription, whose client is there. */
    private Peer subscriber(int shard, String id, String filter, int qos) {
        Peer peer = broker.peer(shard, id).connect();
        peer.subscribe(filter, qos);
        broker.settle();
        assertThat(peer.news()).containsExactly("NEW", "SUBACK");
        return peer;
    }

    private Peer publisher(int shard) {
        Peer peer = broker.peer(shard, "p").connect(false, 0, null);
        broker.settle();
        assertThat(peer.news()).containsExactly("NEW");
        return peer;
    }

    private Peer again(String id) {
        Peer peer = broker.peer(0, id).connect();
        broker.settle();
        return peer;
    }

    private void nothingIsLeft() {
        broker.settle();
        assertThat(broker.entries(Kind.DELIVERY)).isZero();
        assertThat(broker.entries(Kind.MESSAGE)).isZero();
    }

    @Test
    void pubackWaitsUntilTheMessageIsSafeOnEveryShard() {
        subscriber(0, "a", "t", 1);
        subscriber(1, "b", "t", 1);
        Peer p = publisher(0);
        p.publish("t", 1, 1);
        broker.work();
        assertThat(p.news()).isEmpty();
        while (p.received.isEmpty() && broker.commit()) {
            // Until it is told.
        }
        assertThat(p.news()).containsExactly("PUBACK 1");
        broker.crash();
        assertThat(again("a").news()).containsExactly("RESUMED", "1/1/1");
        assertThat(again("b").news()).containsExactly("RESUMED", "1/1/1");
    }

    @Test
    void queuedMessagesKeepTheirOrderAndTheirNumber() {
        subscriber(1, "a", "t", 1).drop();
        Peer p = publisher(0);
        for (int i = 1; i <= 5; i++) {
            p.publish("t", 1, i);
        }
        broker.settle();
        assertThat(p.news()).hasSize(5);
        broker.crash();
        broker.crash();
        assertThat(again("a").news())
                .containsExactly("RESUMED", "1/1/1", "2/1/2", "3/1/3", "4/1/4", "5/1/5");
    }

    @Test
    void aMessageIsStoredOnceAndGoesWithTheLastWhoNeedsIt() {
        Peer a = subscriber(0, "a", "t", 1);
        Peer b = subscriber(1, "b", "t", 1);
        publisher(1).publish("t", 1, 1);
        broker.settle();
        assertThat(broker.entries(Kind.MESSAGE)).isEqualTo(1);
        assertThat(broker.entries(Kind.DELIVERY)).isEqualTo(2);
        a.puback(1);
        broker.settle();
        assertThat(broker.entries(Kind.MESSAGE)).isEqualTo(1);
        b.puback(1);
        nothingIsLeft();
    }

    @Test
    void qos0IsNeverStored() {
        Peer a = subscriber(0, "a", "t", 2);
        publisher(1).publish("t", 0, 1);
        broker.work();
        assertThat(a.news()).containsExactly("1/0/0");
        assertThat(broker.store().queued()).isZero();
    }

    @Test
    void aQos2PublishLeavesOnceItsIdentifierIsSafe() {
        Peer a = subscriber(0, "a", "t", 2);
        publisher(0).publish("t", 2, 9);
        broker.work();
        assertThat(a.news()).isEmpty();
        broker.settle();
        assertThat(a.news()).containsExactly("9/2/1");
        broker.crash();
        Peer again = again("a");
        assertThat(again.news()).containsExactly("RESUMED", "9/2/1!");
        again.pubrec(1);
        broker.work();
        assertThat(again.news()).isEmpty();
        broker.settle();
        assertThat(again.news()).containsExactly("PUBREL 1");
        broker.crash();
        again = again("a");
        assertThat(again.news()).containsExactly("RESUMED", "PUBREL 1");
        again.pubcomp(1);
        nothingIsLeft();
        broker.crash();
        assertThat(again("a").news()).containsExactly("RESUMED");
    }

    @Test
    void aQos2PublishFromAnotherShardWaitsUntilTheMessageAsAWholeIsSafe() {
        Peer a = subscriber(1, "a", "t", 2);
        Peer p = broker.peer(0, "p").connect();
        broker.settle();
        p.publish("t", 2, 9);
        broker.work();
        while (a.received.isEmpty() && broker.commit()) {
            // Until it is sent.
        }
        broker.crash();
        Peer publisher = broker.peer(0, "p").connect();
        publisher.publish("t", 2, 9);
        broker.settle();
        assertThat(publisher.news()).containsExactly("RESUMED", "PUBREC 9");
        assertThat(again("a").news()).containsExactly("RESUMED", "9/2/1!");
        assertThat(broker.entries(Kind.DELIVERY)).isEqualTo(1);
    }

    @Test
    void endingASessionTakesItsMessagesWithIt() {
        Peer a = subscriber(0, "a", "t", 1);
        publisher(1).publish("t", 1, 1);
        broker.settle();
        a.drop();
        publisher(1).publish("t", 1, 2);
        broker.settle();
        assertThat(broker.entries(Kind.MESSAGE)).isEqualTo(2);
        broker.peer(1, "a").connect(true, 0, null);
        nothingIsLeft();
    }

    @Test
    void whatIsDroppedAtTheBoundOfAQueueIsDroppedFromTheStore() {
        subscriber(0, "a", "t", 1).drop();
        Peer p = publisher(0);
        for (int i = 1; i <= 1_100; i++) {
            p.publish("t", 1, i);
            broker.settle();
        }
        assertThat(broker.entries(Kind.DELIVERY)).isEqualTo(1_000);
        assertThat(broker.entries(Kind.MESSAGE)).isEqualTo(1_000);
        broker.crash();
        Peer again = again("a");
        assertThat(again.received.get(1)).isEqualTo("101/1/1");
    }

    @Test
    void retainedMessagesAreThereAfterACrashAndRemovedOnesAreNot() {
        Peer p = publisher(0);
        p.publish("kept", 1, 1, true, "old");
        p.publish("kept", 0, 0, true, "new");
        p.publish("gone", 1, 2, true, "x");
        p.publish("gone", 1, 3, true, "");
        broker.work();
        assertThat(p.news()).isEmpty();
        broker.settle();
        assertThat(p.news()).containsExactly("PUBACK 1", "PUBACK 2", "PUBACK 3");
        broker.crash();
        assertThat(broker.node().retained()).isEqualTo(1);
        Peer b = publisher(1);
        b.subscribe("#", 1);
        broker.settle();
        assertThat(b.news()).containsExactly("SUBACK", "new/0/0");
    }

    @Test
    void aRetainedMessageThatASessionWasSentIsOwedToIt() {
        Peer p = publisher(0);
        p.publish("t", 1, 1, true, "r");
        broker.settle();
        Peer a = broker.peer(1, "a").connect();
        a.subscribe("t", 1);
        broker.settle();
        assertThat(a.news()).containsExactlyInAnyOrder("NEW", "SUBACK", "r/1/1");
        broker.crash();
        Peer again = again("a");
        assertThat(again.news()).containsExactly("RESUMED", "r/1/1");
        again.puback(1);
        nothingIsLeft();
        assertThat(broker.node().retained()).isEqualTo(1);
    }
}
