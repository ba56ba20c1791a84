package io.rotamq.server.security;

import io.rotamq.core.port.Authorizer;
import io.rotamq.core.port.Identity;
import io.rotamq.mqtt.topic.TopicFilter;
import io.rotamq.mqtt.topic.TopicName;
import io.rotamq.server.config.SecuritySettings.AclRule;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The rules of {@code security.acl}: the first that applies decides; what none allows is denied.
 * What they mean for one client is worked out once and kept while there is room.
 *
 * <p>Any loop. Two loops that work out the same thing at once waste a little time, no more.
 */
final class AccessRules implements Authorizer {
    private static final Decision DENIED = new Decision.Denied("no rule allows it");
    private static final int KEPT = 4096;

    private final List<AclRule> rules;
    private final AtomicReferenceArray<@Nullable ClientRules> kept =
            new AtomicReferenceArray<>(KEPT);

    private AccessRules(List<AclRule> rules) {
        this.rules = rules;
    }

    /** Everything is allowed if there are no rules. */
    static Authorizer of(List<AclRule> rules) {
        return rules.isEmpty() ? Authorizer.ALLOW_ALL : new AccessRules(rules);
    }

    @Override
    public Decision publish(Identity client, TopicName topic) {
        return rulesFor(client).mayPublish(topic) ? Decision.ALLOWED : DENIED;
    }

    @Override
    public Decision subscribe(Identity client, TopicFilter filter) {
        return rulesFor(client).maySubscribe(filter) ? Decision.ALLOWED : DENIED;
    }

    private ClientRules rulesFor(Identity client) {
        int hash = client.hashCode();
        int slot = (hash ^ hash >>> 16) & KEPT - 1;
        ClientRules known = kept.get(slot);
        if (known == null || !known.client().equals(client)) {
            known = ClientRules.of(rules, client);
            kept.set(slot, known);
        }
        return known;
    }
}
