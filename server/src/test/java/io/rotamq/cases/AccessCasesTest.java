package io.rotamq.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.core.port.Authenticator;
import io.rotamq.core.port.Authorizer;
import io.rotamq.core.port.Identity;
import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.SubscribePacket;
import io.rotamq.testkit.TestBroker;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Refused subscriptions stay refused. */
class AccessCasesTest {
    /** Clients whose identifier begins with "denied" may not subscribe to "secret" or below. */
    private static final class Rules implements Authorizer {
        @Override
        public Decision publish(Identity client, TopicName topic) {
            return Decision.ALLOWED;
        }

        @Override
        public Decision subscribe(Identity client, TopicFilter filter) {
            boolean denied =
                    client.clientId().startsWith("denied")
                            && filter.toString().startsWith("secret");
            return denied ? new Decision.Denied("secret") : Decision.ALLOWED;
        }
    }

    @AutoClose
    private static final TestBroker broker =
            TestBroker.start(Authenticator.ACCEPT_ALL, new Rules());

    private static RawClient denied() {
        return broker.client(ConnectPacket.v5("denied" + Fresh.id()));
    }

    @Test
    @Tag("C99")
    @Tag("C100")
    void aRefusedMemberIsNoMember() {
        String topic = "secret/" + Fresh.topic();
        RawClient refused = denied();
        SubscribePacket both =
                SubscribePacket.id(1).filter("$share/g/" + topic, 1).filter("open/" + topic, 1);
        assertThat(refused.trySubscribe(both).codes()).containsExactly(0x87, 1);
        RawClient permitted = broker.v5();
        permitted.subscribe("$share/g/" + topic, 1);
        RawClient publisher = broker.v5();
        List<String> published = IntStream.range(0, 100).mapToObj(String::valueOf).toList();
        for (String payload : published) {
            publisher.publish(topic, payload, 1);
            assertThat(permitted.receive().text()).isEqualTo(payload);
        }
        publisher.publish("open/" + topic, "granted", 1);
        assertThat(refused.receive().text()).isEqualTo("granted");
        refused.expectNothingFrom(publisher);
    }

    @Test
    @Tag("C102")
    void aRefusedSubscriptionGetsNoRetainedMessage() {
        String topic = "secret/" + Fresh.topic();
        RawClient publisher = broker.v5();
        publisher.publish(PublishPacket.of(topic, "kept").retain().qos(1, 1));
        RawClient refused = denied();
        for (String filter : List.of(topic, "secret/+", "secret/#", "secret/+/#")) {
            assertThat(refused.trySubscribe(SubscribePacket.id(1).filter(filter, 1)).codes())
                    .containsExactly(0x87);
        }
        refused.expectNothingFrom(publisher);
    }
}
