package io.rotamq.durability;

import static org.assertj.core.api.Assertions.assertThat;

import io.rotamq.testkit.AckPacket;
import io.rotamq.testkit.ConnectPacket;
import io.rotamq.testkit.Fresh;
import io.rotamq.testkit.PublishPacket;
import io.rotamq.testkit.RawClient;
import io.rotamq.testkit.Received;
import io.rotamq.testkit.Type;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A publisher that sets one retained message, and removes it with each third publish. After a crash
 * there is what was acknowledged last, or what was sent afterwards.
 */
final class Notes {
    private static final String TOPIC = "retained/note";

    private int acknowledged;
    private int sent;

    void publish(int port) {
        try (RawClient client = RawClient.connect(port)) {
            client.tryConnect(ConnectPacket.v5("notes"));
            while (true) {
                sent++;
                client.send(PublishPacket.of(TOPIC, text(sent)).qos(1, 1).retain());
                client.await(Type.PUBACK, 1);
                acknowledged = sent;
            }
        } catch (AssertionError | RuntimeException e) {
            Crash.mustBeTheEndOfTheConnection(e);
        }
    }

    /** What is retained now is neither older than what was acknowledged nor made up. */
    void check(int port) {
        try (RawClient client = RawClient.connect(port)) {
            client.connect(ConnectPacket.v5(Fresh.id()));
            client.subscribe(TOPIC, 0);
            Received retained = client.poll(Duration.ofMillis(300));
            String found = retained == null ? "" : text(retained);
            assertThat(found)
                    .as("retained; acknowledged %s, sent %s", acknowledged, sent)
                    .isIn(text(acknowledged), text(sent));
            client.send(AckPacket.disconnect());
        }
    }

    private static String text(Received packet) {
        return new String(packet.payload(), StandardCharsets.UTF_8);
    }

    private static String text(int number) {
        return number % 3 == 0 ? "" : Integer.toString(number);
    }
}
