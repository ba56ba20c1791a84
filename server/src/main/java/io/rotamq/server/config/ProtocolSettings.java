package io.rotamq.server.config;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the broker tells clients about itself in CONNACK, and holds them to.
 *
 * @param maxQos 0 to 2
 * @param receiveMaximum how many QoS 1 and 2 publishes a client may have unacknowledged
 * @param topicAliasMaximum how many aliases a client may define
 * @param topicAliasMaximumOutbound how many aliases the broker defines for a client that allows it
 * @param serverKeepAlive in seconds; 0: the client's own
 * @param maxKeepAlive in seconds; 0: no limit
 * @param responseInformation empty: none is given; {@code %c} stands for the client identifier
 * @param clientIdPattern what a client identifier must match as a whole; null: anything
 */
public record ProtocolSettings(
        int maxQos,
        boolean retainAvailable,
        boolean wildcardSubscriptionAvailable,
        boolean subscriptionIdentifiersAvailable,
        int receiveMaximum,
        int topicAliasMaximum,
        int topicAliasMaximumOutbound,
        int serverKeepAlive,
        int maxKeepAlive,
        String responseInformation,
        @Nullable Pattern clientIdPattern) {
    private static final int MOST = 65_535;

    static final Setting<Integer> MAX_QOS =
            Setting.of(
                    "mqtt.max-qos",
                    Quantities.whole(0, 2),
                    "2",
                    "The highest QoS of publishes that are accepted. Subscriptions are granted no"
                            + " more.");
    static final Setting<Boolean> RETAIN_AVAILABLE =
            Setting.of(
                    "mqtt.retain-available",
                    Kinds.flag(),
                    "true",
                    "Whether publishes and wills may be retained.");
    static final Setting<Boolean> WILDCARD_SUBSCRIPTION_AVAILABLE =
            Setting.of(
                    "mqtt.wildcard-subscription-available",
                    Kinds.flag(),
                    "true",
                    "Whether filters may have wildcards.");
    static final Setting<Boolean> SUBSCRIPTION_IDENTIFIERS_AVAILABLE =
            Setting.of(
                    "mqtt.subscription-identifiers-available",
                    Kinds.flag(),
                    "true",
                    "Whether subscriptions may have identifiers.");
    static final Setting<Integer> RECEIVE_MAXIMUM =
            Setting.of(
                    "mqtt.receive-maximum",
                    Quantities.whole(1, MOST),
                    "100",
                    "How many QoS 1 and 2 publishes of one client may be unacknowledged. A client"
                        + " that sends more is disconnected (0x93); MQTT 3 clients, which cannot be"
                        + " told, are left unread.");
    static final Setting<Integer> TOPIC_ALIAS_MAXIMUM =
            Setting.of(
                    "mqtt.topic-alias-maximum",
                    Quantities.whole(0, MOST),
                    "32",
                    "How many topic aliases a client may define.");
    static final Setting<Integer> TOPIC_ALIAS_MAXIMUM_OUTBOUND =
            Setting.of(
                    "mqtt.topic-alias-maximum-outbound",
                    Quantities.whole(0, MOST),
                    "16",
                    "How many topic aliases the broker defines for a client that allows them.");
    static final Setting<Integer> SERVER_KEEP_ALIVE =
            Setting.of(
                    "mqtt.server-keep-alive",
                    Quantities.whole(0, MOST),
                    "0",
                    "In seconds: the keep alive of every MQTT 5 client, whatever it asks for. 0:"
                            + " the client's own.");
    static final Setting<Integer> MAX_KEEP_ALIVE =
            Setting.of(
                    "mqtt.max-keep-alive",
                    Quantities.whole(0, MOST),
                    "0",
                    "In seconds: MQTT 5 clients that ask for more, or for none, get this. 0: no"
                            + " limit.");
    static final Setting<String> RESPONSE_INFORMATION =
            Setting.of(
                    "mqtt.response-information",
                    Kinds.text(),
                    "",
                    "What clients that ask for Response Information are told, usually the beginning"
                        + " of their response topics. `%c` stands for the client identifier. Empty:"
                        + " nothing.");
    static final Setting<Optional<Pattern>> CLIENT_ID_PATTERN =
            Setting.of(
                    "mqtt.client-id-pattern",
                    Kinds.regex(),
                    "",
                    "What the client identifier must match as a whole; others are refused (0x85)."
                            + " Empty: anything.");

    static final Section SECTION =
            new Section(
                    "Protocol",
                    "",
                    List.of(
                            MAX_QOS,
                            RETAIN_AVAILABLE,
                            WILDCARD_SUBSCRIPTION_AVAILABLE,
                            SUBSCRIPTION_IDENTIFIERS_AVAILABLE,
                            RECEIVE_MAXIMUM,
                            TOPIC_ALIAS_MAXIMUM,
                            TOPIC_ALIAS_MAXIMUM_OUTBOUND,
                            SERVER_KEEP_ALIVE,
                            MAX_KEEP_ALIVE,
                            RESPONSE_INFORMATION,
                            CLIENT_ID_PATTERN));

    static ProtocolSettings of(Values values) {
        return new ProtocolSettings(
                values.get(MAX_QOS),
                values.get(RETAIN_AVAILABLE),
                values.get(WILDCARD_SUBSCRIPTION_AVAILABLE),
                values.get(SUBSCRIPTION_IDENTIFIERS_AVAILABLE),
                values.get(RECEIVE_MAXIMUM),
                values.get(TOPIC_ALIAS_MAXIMUM),
                values.get(TOPIC_ALIAS_MAXIMUM_OUTBOUND),
                values.get(SERVER_KEEP_ALIVE),
                values.get(MAX_KEEP_ALIVE),
                values.get(RESPONSE_INFORMATION),
                values.get(CLIENT_ID_PATTERN).orElse(null));
    }
}
