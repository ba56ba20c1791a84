package io.rotamq.scenarios;

import static io.rotamq.scenarios.Payloads.hold;
import static io.rotamq.scenarios.Payloads.nothingMoreAt;
import static io.rotamq.scenarios.Payloads.range;
import static io.rotamq.scenarios.Payloads.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.rotamq.clients.HiveMq5;
import io.rotamq.core.port.DropReason;
import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.Property;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A23, exclusive: one session, and a second one is refused; and other bounds of membership. */
class ExclusiveScenariosTest {
    private static final int QUOTA_EXCEEDED = 0x97;

    @AutoClose
    private static final TestBroker broker = TestBroker.start("sharing.default-strategy=exclusive");

    private final String topic = Fresh.topic();
    private final String filter = "$share/g/" + topic;
    private RawClient publisher;

    @BeforeEach
    void connectPublisher() {
        publisher = broker.v5();
    }

    private Received trySubscribe(RawClient client) {
        return client.trySubscribe(SubscribePacket.id(7).filter(filter, 1));
    }

    private void isServed(RawClient member, String name) {
        Payloads.publish(publisher, topic, range(name, 1, 5), 1);
        assertThat(texts(member.receive(5))).isEqualTo(range(name, 1, 5));
    }

    @Test
    @DisplayName("A23: a second member gets 0x97 (3.1.1: 0x80), the first is undisturbed")
    void aSecondMemberIsRefusedAndTheFirstUndisturbed() {
        RawClient first = broker.v5();
        first.subscribe(filter, 1);
        isServed(first, "alone");
        RawClient second = broker.v5();
        Received refusal = trySubscribe(second);
        assertThat(refusal.code()).isEqualTo(QUOTA_EXCEEDED);
        assertThat(refusal.properties().text(Property.REASON_STRING)).isNotBlank();
        RawClient older = broker.v4();
        assertThat(trySubscribe(older).code()).isEqualTo(0x80);
        // Only that filter is refused.
        SubscribePacket both = SubscribePacket.id(8).filter(filter, 1).filter(topic + "/else", 1);
        assertThat(second.trySubscribe(both).codes()).containsExactly(QUOTA_EXCEEDED, 1);
        isServed(first, "still");
        nothingMoreAt(second, older);
        // The first may subscribe again, and the place is free when it leaves.
        first.subscribe(filter, 1);
        isServed(first, "again");
        first.unsubscribe(filter);
        assertThat(trySubscribe(second).code()).isEqualTo(1);
        isServed(second, "second");
        nothingMoreAt(first, older);
    }

    @Test
    @DisplayName("A23: clients of others learn that they are refused")
    void aForeignClientLearnsThatItIsRefused() {
        RawClient first = broker.v5();
        first.subscribe(filter, 1);
        try (HiveMq5 second = HiveMq5.connect(broker)) {
            assertThatThrownBy(() -> second.subscribe(filter, 1)).hasStackTraceContaining("SUBACK");
            isServed(first, "still");
            assertThat(second.inbox().size()).isZero();
        }
    }

    @Test
    @DisplayName("A23: what the member held waits for it, and ends with its session")
    void whatTheMemberHeldWaitsForItAndEndsWithItsSession() {
        String id = Fresh.id();
        RawClient member = broker.client(ConnectPacket.v5(id).lasting(600));
        member.subscribe(filter, 1);
        Payloads.publish(publisher, topic, range("p", 1, 5), 1);
        hold(member, 5);
        member.reset();
        Payloads.publish(publisher, topic, range("p", 6, 8), 1);
        RawClient back = broker.client(ConnectPacket.v5(id).lasting(600));
        assertThat(texts(hold(back, 8))).isEqualTo(range("p", 1, 8));
        long dropped = broker.dropped(DropReason.GROUP_ENDED);
        assertThat(broker.kick(id)).isTrue();
        broker.awaitDropped(DropReason.GROUP_ENDED, dropped + 8);
        RawClient heir = broker.v5();
        heir.subscribe(filter, 1);
        isServed(heir, "heir");
        nothingMoreAt(heir);
    }

    @Test
    @DisplayName("A23: the place is kept while the session of its holder is away")
    void thePlaceBelongsToTheSessionAlsoWhileItIsAway() {
        String id = Fresh.id();
        RawClient first = broker.client(ConnectPacket.v5(id).lasting(600));
        first.subscribe(filter, 1);
        first.leave();
        RawClient second = broker.v5();
        assertThat(trySubscribe(second).code()).isEqualTo(QUOTA_EXCEEDED);
        Payloads.publish(publisher, topic, range("waits", 1, 5), 1);
        RawClient back = broker.client(ConnectPacket.v5(id).lasting(600));
        assertThat(texts(back.receive(5))).isEqualTo(range("waits", 1, 5));
        back.send(AckPacket.disconnect().with(Property.SESSION_EXPIRY, 0));
        back.expectClosed();
        await().until(() -> trySubscribe(second).code() == 1);
        isServed(second, "heir");
    }

    @Test
    @Tag("C144")
    void theSameClientReplacesItselfAndAnotherWaitsForTheKeepAlive() {
        String id = Fresh.id();
        RawClient silent = broker.client(ConnectPacket.v5(id).keepAlive(1));
        silent.subscribe(filter, 1);
        // The link is dead without a word: the same client comes back at once.
        RawClient again = broker.client(ConnectPacket.v5(id).keepAlive(1));
        assertThat(trySubscribe(again).code()).isEqualTo(1);
        isServed(again, "again");
        // And dies in silence: another one is in after 1.5 times the keep alive.
        RawClient other = broker.v5();
        assertThat(trySubscribe(other).code()).isEqualTo(QUOTA_EXCEEDED);
        await().atMost(Duration.ofSeconds(4)).until(() -> trySubscribe(other).code() == 1);
        isServed(other, "other");
    }

    @Test
    @Tag("C144")
    void attemptsThatEndAtOnceLeaveNothingBehind() {
        for (int i = 0; i < 500; i++) {
            RawClient hasty = broker.open();
            hasty.send(ConnectPacket.v5(Fresh.id()), SubscribePacket.id(1).filter(filter, 1));
            if (i % 2 == 0) {
                hasty.reset();
            } else {
                hasty.close();
            }
        }
        RawClient patient = broker.v5();
        await().until(() -> trySubscribe(patient).code() == 1);
        isServed(patient, "patient");
    }

    @Test
    @DisplayName("max-members: who is too many is refused like a second one of an exclusive group")
    void aBoundOfMembersRefusesWhoIsTooMany() {
        try (TestBroker bounded = TestBroker.start("sharing.max-members=2")) {
            RawClient a = bounded.v5();
            a.subscribe(filter, 1);
            RawClient b = bounded.v4();
            b.subscribe(filter, 1);
            RawClient c = bounded.v5();
            Received refusal = trySubscribe(c);
            assertThat(refusal.code()).isEqualTo(QUOTA_EXCEEDED);
            assertThat(refusal.properties().text(Property.REASON_STRING)).isNotBlank();
            assertThat(trySubscribe(bounded.v4()).code()).isEqualTo(0x80);
            b.subscribe(filter, 1);
            c.subscribe("$share/other/" + topic, 1);
            a.unsubscribe(filter);
            assertThat(trySubscribe(c).code()).isEqualTo(1);
        }
    }
}
