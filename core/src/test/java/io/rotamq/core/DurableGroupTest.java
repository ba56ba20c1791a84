package io.rotamq.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.DurableBroker.Peer;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.Store.Kind;
import org.junit.jupiter.api.Test;

class DurableGroupTest {
    private static final String GROUP = "$share/g/t";

    private final DurableBroker broker = new DurableBroker(2);

    private Peer member(int shard, String id, long expiry, int qos) {
        Peer peer = broker.peer(shard, id).connect(false, expiry, null);
        peer.subscribe(GROUP, qos);
        broker.settle();
        assertThat(peer.news()).containsExactly("NEW", "SUBACK");
        return peer;
    }

    private Peer publisher(int shard) {
        Peer peer = broker.peer(shard, "p").connect(false, 0, null);
        broker.settle();
        peer.news();
        return peer;
    }

    private Peer again(String id) {
        Peer peer = broker.peer(0, id).connect();
        broker.settle();
        return peer;
    }

    private void nothingIsLeft() {
        broker.settle();
        assertThat(broker.entries(Kind.BACKLOG)).isZero();
        assertThat(broker.entries(Kind.DELIVERY)).isZero();
        assertThat(broker.entries(Kind.MESSAGE)).isZero();
    }

    @Test
    void aGroupOfMembersWithoutExpiryNeverTouchesTheStore() {
        Peer a = member(0, "a", 0, 2);
        Peer p = publisher(1);
        p.publish("t", 2, 1);
        broker.work();
        assertThat(broker.store().queued()).isZero();
        assertThat(a.news()).containsExactly("1/2/1");
    }

    @Test
    void whatWaitsForAGroupIsThereAfterACrashInOrder() {
        member(0, "a", 3_600, 1).drop();
        Peer p = publisher(1);
        for (int i = 1; i <= 4; i++) {
            p.publish("t", 1 + i % 2, i);
        }
        broker.work();
        assertThat(p.news()).isEmpty();
        broker.settle();
        assertThat(p.news()).hasSize(4);
        assertThat(broker.entries(Kind.BACKLOG)).isEqualTo(4);
        broker.crash();
        Peer again = again("a");
        assertThat(again.news()).containsExactly("RESUMED", "1/1/1", "2/1/2", "3/1/3", "4/1/4");
        for (int i = 1; i <= 4; i++) {
            again.puback(i);
        }
        nothingIsLeft();
    }

    @Test
    void whatAMemberWithoutExpiryHoldsGoesToAnotherAfterACrash() {
        member(1, "durable", 3_600, 1).drop();
        Peer a = member(0, "a", 0, 1);
        publisher(1).publish("t", 1, 1);
        broker.settle();
        assertThat(a.news()).containsExactly("1/1/1");
        assertThat(broker.entries(Kind.BACKLOG)).isEqualTo(1);
        broker.crash();
        Peer again = again("durable");
        assertThat(again.news()).containsExactly("RESUMED", "1/1/1");
        again.puback(1);
        nothingIsLeft();
    }

    @Test
    void aQos2MessageThatAMemberWithoutExpiryMayHaveIsGivenToNobodyElse() {
        member(1, "durable", 3_600, 2).drop();
        Peer a = member(0, "a", 0, 2);
        publisher(1).publish("t", 2, 1);
        broker.work();
        assertThat(a.news()).isEmpty();
        broker.settle();
        assertThat(a.news()).containsExactly("1/2/1");
        broker.crash();
        assertThat(again("durable").news()).containsExactly("RESUMED");
        assertThat(broker.node().dropped(DropReason.QOS2_SESSION_ENDED)).isEqualTo(1);
        nothingIsLeft();
    }

    @Test
    void aQos2ExchangeResumesWithItsMember() {
        Peer a = member(0, "a", 3_600, 2);
        publisher(1).publish("t", 2, 1);
        broker.settle();
        assertThat(a.news()).containsExactly("1/2/1");
        assertThat(broker.entries(Kind.BACKLOG)).isZero();
        broker.crash();
        member(1, "b", 3_600, 2);
        Peer again = again("a");
        assertThat(again.news()).containsExactly("RESUMED", "1/2/1!");
        again.pubrec(1);
        broker.settle();
        again.pubcomp(1);
        nothingIsLeft();
    }

    @Test
    void whatADurableMemberDidNotAcknowledgeGoesToAnother() {
        Peer a = member(0, "a", 3_600, 1);
        publisher(1).publish("t", 1, 1);
        broker.settle();
        a.drop();
        broker.settle();
        Peer b = broker.peer(1, "b").connect();
        b.subscribe(GROUP, 1);
        broker.settle();
        assertThat(b.news()).containsExactlyInAnyOrder("NEW", "SUBACK", "1/1/1");
        assertThat(broker.entries(Kind.DELIVERY)).isEqualTo(1);
        broker.crash();
        assertThat(again("b").news()).containsExactly("RESUMED", "1/1/1");
        assertThat(again("a").news()).containsExactly("RESUMED");
    }

    @Test
    void whatWasOfferedOutlivesTheSessionThatHeldIt() {
        Peer a = member(0, "a", 3_600, 1);
        member(1, "b", 3_600, 1).drop();
        publisher(1).publish("t", 1, 1);
        broker.settle();
        a.drop();
        broker.settle();
        broker.peer(0, "a").connect(true, 0, null);
        broker.settle();
        assertThat(broker.entries(Kind.BACKLOG)).isEqualTo(1);
        broker.crash();
        Peer b = again("b");
        assertThat(b.news()).containsExactly("RESUMED", "1/1/1");
        b.puback(1);
        nothingIsLeft();
    }

    @Test
    void aGroupThatEndedKeepsNothing() {
        member(0, "a", 3_600, 1).drop();
        publisher(1).publish("t", 1, 1);
        broker.settle();
        broker.peer(0, "a").connect(true, 0, null);
        nothingIsLeft();
    }

    @Test
    void membersAreThereBeforeTheyReturn() {
        member(0, "a", 3_600, 1);
        broker.crash();
        Peer p = publisher(1);
        p.publish("t", 1, 1);
        broker.settle();
        assertThat(p.news()).containsExactly("PUBACK 1");
        assertThat(again("a").news()).containsExactly("RESUMED", "1/1/1");
    }
}
