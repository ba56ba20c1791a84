package io.rotamq.core;

import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.strategy.Publisher;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.topic.TopicName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The broker's own topics below {@code $SYS/broker}, retained, published at an interval. */
final class SysTopics {
    private static final byte[] NO_PROPERTIES = {};

    private final Node node;
    private final Publishing publishing;
    private final long interval;
    private long started = -1;
    private long next;

    SysTopics(Node node, Publishing publishing) {
        this.node = node;
        this.publishing = publishing;
        this.interval = node.settings().limits().sysInterval();
    }

    void tick(long now) {
        if (started < 0) {
            started = now;
        }
        if (interval <= 0 || now < next) {
            return;
        }
        next = now + interval;
        long connected = node.total(Counter.CONNECTIONS_OPENED);
        publish("uptime", (now - started) / 1_000);
        publish("clients/connected", connected - node.total(Counter.CONNECTIONS_CLOSED));
        publish("sessions/count", node.sessions());
        publish("groups/count", node.groups());
        publish("retained/count", node.retained());
        publish("messages/received", node.total(Counter.PUBLISHES_RECEIVED));
        publish("messages/sent", node.total(Counter.PUBLISHES_SENT));
        publish("messages/dropped", dropped());
        publish("bytes/waiting", node.memoryUsed());
    }

    private long dropped() {
        return Arrays.stream(DropReason.values()).mapToLong(node::dropped).sum();
    }

    private void publish(String name, long value) {
        byte[] payload = Long.toString(value).getBytes(StandardCharsets.US_ASCII);
        TopicName topic = TopicName.of("$SYS/broker/" + name);
        publishing.publish(
                new Publish(topic, payload, 0, true, false, 0, -1, NO_PROPERTIES),
                Publisher.BROKER);
    }
}
