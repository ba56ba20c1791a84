package io.rotamq.mqtt.codec;

import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.topic.TopicName;
import io.rotamq.mqtt.topic.TopicNames;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The topic aliases that a client has set on its connection [MQTT-3.3.2-7]. Lives and dies with the
 * connection, on its event loop; grows with the aliases used, not with those allowed.
 */
final class InboundAliases {
    private static final int FIRST_SIZE = 8;

    private final TopicNames names;
    private final int maximum;
    private @Nullable TopicName[] topics = new @Nullable TopicName[0];

    InboundAliases(TopicNames names, int maximum) {
        this.names = names;
        this.maximum = maximum;
    }

    /**
     * The topic of a PUBLISH with an alias; one that names its topic sets or replaces the alias.
     */
    TopicName resolve(int alias, @Nullable TopicName named) throws MqttException {
        if (alias == 0 || alias > maximum) {
            throw MqttException.invalidTopicAlias("topic alias is 0 or above the maximum");
        }
        if (named != null) {
            set(alias, named);
            return named;
        }
        TopicName known = alias < topics.length ? topics[alias] : null;
        if (known == null) {
            throw MqttException.protocolError("topic alias was never set");
        }
        return known;
    }

    /** The connection is gone. */
    void clear() {
        for (TopicName topic : topics) {
            if (topic != null) {
                names.forget(topic);
            }
        }
        topics = new @Nullable TopicName[0];
    }

    private void set(int alias, TopicName topic) throws MqttException {
        if (alias >= topics.length) {
            int grown = Math.max(FIRST_SIZE, Integer.highestOneBit(alias) << 1);
            topics = Arrays.copyOf(topics, Math.min(grown, maximum + 1));
        }
        TopicName before = topics[alias];
        if (topic.equals(before)) {
            return;
        }
        if (before != null) {
            names.forget(before);
            topics[alias] = null;
        }
        if (!names.keep(topic)) {
            throw new MqttException(
                    ReasonCode.QUOTA_EXCEEDED, "too many long topics are kept by aliases");
        }
        topics[alias] = topic;
    }
}
