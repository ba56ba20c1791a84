package io.rotamq.server;

import io.rotamq.core.port.CoreSettings;
import io.rotamq.core.port.SharingSettings;
import io.rotamq.server.config.Configuration;
import io.rotamq.server.config.ProtocolSettings;
import io.rotamq.server.config.SessionSettings;
import io.rotamq.server.config.SubscriptionSettings.Overlap;

/** Translates what an operator configured into what the core asks for. */
final class CoreConfiguration {
    private CoreConfiguration() {}

    static CoreSettings of(Configuration configuration, int shards) {
        return new CoreSettings(
                shards,
                protocol(configuration),
                limits(configuration),
                sessions(configuration.sessions()),
                sharing(configuration.sharing()));
    }

    private static CoreSettings.Protocol protocol(Configuration configuration) {
        ProtocolSettings mqtt = configuration.mqtt();
        String response = mqtt.responseInformation();
        return new CoreSettings.Protocol(
                mqtt.receiveMaximum(),
                configuration.limits().maxPacketSize(),
                mqtt.topicAliasMaximum(),
                mqtt.topicAliasMaximumOutbound(),
                mqtt.maxQos(),
                mqtt.retainAvailable(),
                mqtt.wildcardSubscriptionAvailable(),
                mqtt.subscriptionIdentifiersAvailable(),
                mqtt.serverKeepAlive(),
                mqtt.maxKeepAlive(),
                response.isEmpty() ? null : response,
                mqtt.clientIdPattern(),
                configuration.subscriptions().overlap() == Overlap.MERGE);
    }

    private static CoreSettings.Limits limits(Configuration configuration) {
        return new CoreSettings.Limits(
                configuration.limits().memory(),
                configuration.limits().mailbox(),
                configuration.limits().connectTimeout().toMillis(),
                configuration.limits().maxSubscriptionsPerSession(),
                configuration.limits().maxClientIdLength(),
                configuration.retained().maxMessages(),
                configuration.retained().maxBytes(),
                configuration.sys().interval().toMillis());
    }

    private static CoreSettings.Sessions sessions(SessionSettings sessions) {
        return new CoreSettings.Sessions(
                sessions.maxExpiry().toSeconds(),
                sessions.maxInflight(),
                sessions.maxQueuedMessages(),
                sessions.maxQueuedBytes(),
                sessions.queueOverflow() == SessionSettings.QueueOverflow.DROP_OLDEST,
                sessions.memory());
    }

    private static SharingSettings sharing(io.rotamq.server.config.SharingSettings sharing) {
        return new SharingSettings(sharing.enabled(), sharing.rules()::settingsOf);
    }
}
