package io.rotamq.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.Admin;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.TestBroker;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rules that change while messages flow, seen by the clients. */
@Timeout(60)
class ChangedRulesTest {
    private static final String STRATEGY = "\"strategy\":\"%s\"";

    private final List<RawClient> members = new ArrayList<>();
    private TestBroker broker;
    private Admin admin;
    private RawClient publisher;

    @BeforeEach
    void start() {
        broker = TestBroker.administered("sharing.default-strategy=failover");
        admin = broker.admin();
        publisher = broker.v5();
    }

    @AfterEach
    void stop() {
        members.forEach(RawClient::close);
        publisher.close();
        admin.close();
        broker.close();
    }

    @Test
    void theNextMessageObeysARuleThatIsSet() {
        join("$share/g/t", 3);
        assertThat(shares(6)).as("failover").containsExactly(6, 0, 0);

        admin.rule("g", "t", STRATEGY.formatted("round_robin_per_group"));
        assertThat(shares(6)).as("in turn").containsExactly(2, 2, 2);

        admin.rule("g", "t", STRATEGY.formatted("sticky"));
        assertThat(shares(6)).as("sticky").containsOnlyOnce(6).contains(0, 0);

        admin.rule("g", "t", STRATEGY.formatted("hash_topic"));
        assertThat(shares(6)).as("one topic").containsOnlyOnce(6).contains(0, 0);
    }

    @Test
    void theDefaultIsInForceAgainWhenARuleIsTakenBack() {
        join("$share/g/t", 3);
        admin.rule("g*", "*", STRATEGY.formatted("round_robin_per_group"));
        assertThat(shares(6)).containsExactly(2, 2, 2);

        admin.reset("g*", "*");

        assertThat(shares(6)).containsExactly(6, 0, 0);
    }

    @Test
    void aRuleOfAGroupWinsAgainstAnotherDefault() {
        join("$share/g/t", 2);
        admin.rule("g", "t", STRATEGY.formatted("round_robin_per_group"));

        admin.rule("*", "*", STRATEGY.formatted("exclusive"));

        assertThat(shares(6)).containsExactly(3, 3);
        assertThat(admin.group("g", "t")).contains("set while running (share g, filter t)");
    }

    @Test
    void theLatestRuleOfThoseThatMatchWins() {
        join("$share/g/t", 2);
        admin.rule("g", "t", STRATEGY.formatted("failover"));

        admin.rule("*", "t", STRATEGY.formatted("round_robin_per_group"));

        assertThat(shares(6)).containsExactly(3, 3);
    }

    @Test
    void aGroupThatIsMadeLaterObeysToo() {
        admin.rule("g", "t", STRATEGY.formatted("round_robin_per_group"));

        join("$share/g/t", 2);

        assertThat(shares(4)).containsExactly(2, 2);
    }

    private void join(String filter, int count) {
        for (int i = 1; i <= count; i++) {
            RawClient member = broker.client(ConnectPacket.v5("member-" + i));
            member.subscribe(filter, 1);
            members.add(member);
        }
    }

    /** How many of so many messages each member gets; none is lost and none comes twice. */
    private List<Integer> shares(int messages) {
        List<String> published = IntStream.range(0, messages).mapToObj(i -> "m" + i).toList();
        published.forEach(text -> publisher.publish("t", text, 1));
        List<String> received = new ArrayList<>();
        List<Integer> shares = new ArrayList<>();
        for (RawClient member : members) {
            List<String> own =
                    member.deliveriesUntilCanary(publisher).stream().map(Received::text).toList();
            received.addAll(own);
            shares.add(own.size());
        }
        assertThat(received).containsExactlyInAnyOrderElementsOf(published);
        return shares;
    }
}
