package io.rotamq.core.port;

import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;

/** Decides what a client may publish and subscribe to. Called on its loop: must not block. */
public interface Authorizer {
    /** Allows everything. */
    Authorizer ALLOW_ALL =
            new Authorizer() {
                @Override
                public Decision publish(Identity client, TopicName topic) {
                    return Decision.ALLOWED;
                }

                @Override
                public Decision subscribe(Identity client, TopicFilter filter) {
                    return Decision.ALLOWED;
                }
            };

    Decision publish(Identity client, TopicName topic);

    /** The filter is the real one, without a share prefix. */
    Decision subscribe(Identity client, TopicFilter filter);

    /** Allowed, or denied with a reason for humans. */
    sealed interface Decision {
        Decision ALLOWED = new Allowed();

        record Allowed() implements Decision {}

        record Denied(String reason) implements Decision {}
    }
}
