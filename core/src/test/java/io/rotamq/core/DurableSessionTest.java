package io.rotamq.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.DurableBroker.Peer;
import io.rotamq.core.port.Store.Kind;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.Will;
import io.rotamq.mqtt.topic.TopicName;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DurableSessionTest {
    private final DurableBroker broker = new DurableBroker(2);

    private static Will will(long delay) {
        byte[] payload = "will".getBytes(StandardCharsets.UTF_8);
        return new Will(TopicName.of("will"), payload, 1, false, delay, -1, Publish.NO_PROPERTIES);
    }

    @Test
    void connackWaitsForTheCommitAndWhatTheClientSendsMeanwhileWaitsForConnack() {
        Peer a = broker.peer(0, "a").connect();
        a.subscribe("t", 1);
        broker.work();
        assertThat(a.news()).isEmpty();
        broker.settle();
        assertThat(a.news()).containsExactly("NEW", "SUBACK");
    }

    @Test
    void aSessionWithoutExpiryNeverTouchesTheStore() {
        broker.settle();
        Peer a = broker.peer(0, "a").connect(false, 0, null);
        a.subscribe("t", 1);
        a.publish("t", 1, 1);
        broker.work();
        assertThat(a.news()).containsExactly("NEW", "SUBACK", "1/1/1", "PUBACK 1");
        assertThat(broker.store().queued()).isZero();
    }

    @Test
    void subscriptionsAreThereAfterACrash() {
        Peer a = broker.peer(0, "a").connect();
        a.subscribe("t/+", 1);
        a.subscribe("gone", 1);
        a.unsubscribe("gone");
        broker.settle();
        assertThat(a.news()).containsExactly("NEW", "SUBACK", "SUBACK", "UNSUBACK");
        broker.crash();
        Peer again = broker.peer(1, "a").connect();
        broker.settle();
        again.publish("t/1", 1, 1);
        again.publish("gone", 1, 2);
        broker.settle();
        assertThat(again.news()).containsExactly("RESUMED", "1/1/1", "PUBACK 1", "PUBACK 2");
    }

    @Test
    void aSessionThatWasNotAcknowledgedMayBeGone() {
        Peer a = broker.peer(0, "a").connect();
        broker.work();
        broker.crash();
        assertThat(a.news()).isEmpty();
        assertThat(broker.node().sessions()).isZero();
    }

    @Test
    void cleanStartLeavesNothingOfTheOldSession() {
        Peer a = broker.peer(0, "a").connect();
        a.subscribe("t", 1);
        broker.settle();
        a.drop();
        Peer again = broker.peer(0, "a").connect(true, 0, null);
        broker.work();
        assertThat(again.news()).isEmpty();
        broker.settle();
        assertThat(again.news()).containsExactly("NEW");
        assertThat(broker.entries(Kind.SESSION)).isZero();
        assertThat(broker.entries(Kind.SUBSCRIPTION)).isZero();
        broker.crash();
        assertThat(broker.node().sessions()).isZero();
    }

    @Test
    void timeSpentDownCountsForTheExpiry() {
        broker.peer(0, "a").connect(false, 3_600, null);
        broker.peer(0, "b").connect(false, 3_600, null).drop();
        broker.settle();
        broker.crash(DurableBroker.HOUR);
        // The client of the first was there until the crash.
        assertThat(broker.node().sessions()).isEqualTo(1);
        broker.settle();
        broker.crash(DurableBroker.HOUR / 2);
        assertThat(broker.node().sessions()).isEqualTo(1);
        broker.pass(DurableBroker.HOUR / 2);
        assertThat(broker.node().sessions()).isZero();
        broker.settle();
        assertThat(broker.entries(Kind.SESSION)).isZero();
    }

    @Test
    void anExpiryThatWasGivenUpEndsTheSessionWithTheProcess() {
        broker.peer(0, "a").connect().drop();
        broker.settle();
        broker.peer(0, "a").connect(false, 0, null);
        broker.settle();
        broker.crash();
        assertThat(broker.node().sessions()).isZero();
    }

    @Test
    void aWillIsPublishedAfterACrashWhenItsDelayIsOver() {
        Peer watcher = broker.peer(1, "watcher").connect();
        watcher.subscribe("will", 1);
        broker.peer(0, "a").connect(false, 3_600, will(60));
        broker.settle();
        broker.crash();
        Peer again = broker.peer(1, "watcher").connect();
        broker.settle();
        assertThat(again.news()).containsExactly("RESUMED");
        broker.pass(60_000);
        broker.settle();
        assertThat(again.news()).containsExactly("will/1/1");
        again.puback(1);
        broker.settle();
        broker.crash(DurableBroker.HOUR / 2);
        Peer third = broker.peer(1, "watcher").connect();
        broker.settle();
        assertThat(third.news()).containsExactly("RESUMED");
    }

    @Test
    void aWillWhoseDelayPassedWhileDownIsPublishedAtOnce() {
        Peer watcher = broker.peer(1, "watcher").connect();
        watcher.subscribe("will", 1);
        broker.peer(0, "a").connect(false, 3_600, will(60)).drop();
        broker.settle();
        broker.crash(60_000);
        broker.settle();
        Peer again = broker.peer(1, "watcher").connect();
        broker.settle();
        assertThat(again.news()).containsExactly("RESUMED", "will/1/1");
    }

    @Test
    void aNormalDisconnectForgetsTheWill() {
        Peer watcher = broker.peer(1, "watcher").connect();
        watcher.subscribe("will", 1);
        broker.peer(0, "a").connect(false, 3_600, will(0)).disconnect(-1);
        broker.settle();
        broker.crash();
        Peer again = broker.peer(1, "watcher").connect();
        broker.settle();
        assertThat(again.news()).containsExactly("RESUMED");
    }

    @Test
    void aQos2PublishIsOwnedAcrossACrash() {
        Peer a = broker.peer(0, "a").connect();
        a.subscribe("t", 1);
        broker.settle();
        a.publish("t", 2, 7);
        broker.settle();
        assertThat(a.news()).containsExactly("NEW", "SUBACK", "7/1/1", "PUBREC 7");
        a.puback(1);
        broker.settle();
        broker.crash();
        Peer again = broker.peer(0, "a").connect();
        again.publish("t", 2, 7);
        again.pubrel(7);
        broker.settle();
        assertThat(again.news()).containsExactly("RESUMED", "PUBREC 7", "PUBCOMP 7");
        assertThat(broker.entries(Kind.INBOUND)).isZero();
        broker.crash();
        again = broker.peer(0, "a").connect();
        again.publish("t", 2, 7);
        broker.settle();
        assertThat(again.news()).containsExactly("RESUMED", "7/1/1", "PUBREC 7");
    }

    @Test
    void aDiskThatIsNearlyFullRefusesWhatIsNewAndServesTheRest() {
        Peer old = broker.peer(0, "old").connect();
        old.subscribe("t", 1);
        broker.settle();
        broker.store().setFreeBytes(5);
        Peer fresh = broker.peer(0, "fresh").connect();
        Peer passing = broker.peer(1, "passing").connect(false, 0, null);
        old.subscribe("u", 1);
        passing.subscribe("v", 1);
        passing.publish("v", 1, 1);
        passing.publish("t", 1, 2);
        broker.settle();
        assertThat(fresh.news()).containsExactly("REFUSED");
        assertThat(old.news()).containsExactly("NEW", "SUBACK", "NO SUBACK");
        assertThat(passing.news())
                .containsExactly("NEW", "SUBACK", "1/1/1", "PUBACK 1", "NO PUBACK 2");
        broker.store().setFreeBytes(50);
        passing.publish("t", 1, 3);
        broker.settle();
        assertThat(old.news()).containsExactly("3/1/1");
        assertThat(passing.news()).contains("PUBACK 3");
    }

    @Test
    void aStoreThatFailedLeavesNothingUnanswered() {
        Peer a = broker.peer(0, "a").connect();
        a.subscribe("t", 1);
        broker.settle();
        a.publish("t", 1, 1);
        broker.store().fail("broken");
        broker.settle();
        assertThat(a.news()).doesNotContain("PUBACK 1").endsWith("DISCONNECT");
        assertThat(a.isClosed()).isTrue();
        Peer b = broker.peer(0, "b").connect();
        broker.settle();
        assertThat(b.news()).containsExactly("REFUSED");
    }
}
