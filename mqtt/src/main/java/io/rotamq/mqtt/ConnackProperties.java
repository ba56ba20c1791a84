package io.rotamq.mqtt;

import org.jspecify.annotations.Nullable;

/**
 * What the server tells an MQTT 5 client in CONNACK; null: absent, so that the standard's default
 * holds. Intervals are seconds, sizes bytes.
 */
public record ConnackProperties(
        @Nullable Long sessionExpiry,
        @Nullable Integer receiveMaximum,
        @Nullable Integer maximumQos,
        @Nullable Boolean retainAvailable,
        @Nullable Long maximumPacketSize,
        @Nullable String assignedClientId,
        @Nullable Integer topicAliasMaximum,
        @Nullable Boolean wildcardSubscriptionAvailable,
        @Nullable Boolean subscriptionIdsAvailable,
        @Nullable Boolean sharedSubscriptionAvailable,
        @Nullable Integer serverKeepAlive,
        @Nullable String responseInformation,
        @Nullable String serverReference,
        @Nullable String authenticationMethod,
        byte @Nullable [] authenticationData,
        Details details) {
    /** No property at all. */
    public static final ConnackProperties NONE = builder().build();

    /** Only a reason for humans, as a refusal has it. */
    public static ConnackProperties reason(String reasonString) {
        return builder().details(Details.reason(reasonString)).build();
    }

    /** A builder with every property absent. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects properties; used once, on one thread. */
    public static final class Builder {
        private @Nullable Long sessionExpiry;
        private @Nullable Integer receiveMaximum;
        private @Nullable Integer maximumQos;
        private @Nullable Boolean retainAvailable;
        private @Nullable Long maximumPacketSize;
        private @Nullable String assignedClientId;
        private @Nullable Integer topicAliasMaximum;
        private @Nullable Boolean wildcardSubscriptionAvailable;
        private @Nullable Boolean subscriptionIdsAvailable;
        private @Nullable Boolean sharedSubscriptionAvailable;
        private @Nullable Integer serverKeepAlive;
        private @Nullable String responseInformation;
        private @Nullable String serverReference;
        private @Nullable String authenticationMethod;
        private byte @Nullable [] authenticationData;
        private Details details = Details.NONE;

        private Builder() {}

        /** Session Expiry Interval in seconds, if it is not what the client asked for. */
        public Builder sessionExpiry(long seconds) {
            sessionExpiry = seconds;
            return this;
        }

        /** Receive Maximum, 1 to 65,535. */
        public Builder receiveMaximum(int publishes) {
            receiveMaximum = publishes;
            return this;
        }

        /** Maximum QoS, 0 or 1; 2 is the default and is not sent [MQTT-3.2.2-9]. */
        public Builder maximumQos(int qos) {
            maximumQos = qos;
            return this;
        }

        /** Whether retained messages are supported. */
        public Builder retainAvailable(boolean available) {
            retainAvailable = available;
            return this;
        }

        /** Maximum Packet Size in bytes, the fixed header included. */
        public Builder maximumPacketSize(long bytes) {
            maximumPacketSize = bytes;
            return this;
        }

        /** The identifier given to a client that sent none [MQTT-3.2.2-16]. */
        public Builder assignedClientId(String clientId) {
            assignedClientId = clientId;
            return this;
        }

        /** Topic Alias Maximum, 0 to 65,535. */
        public Builder topicAliasMaximum(int aliases) {
            topicAliasMaximum = aliases;
            return this;
        }

        /** Whether filters may have wildcards. */
        public Builder wildcardSubscriptionAvailable(boolean available) {
            wildcardSubscriptionAvailable = available;
            return this;
        }

        /** Whether SUBSCRIBE may have an identifier. */
        public Builder subscriptionIdsAvailable(boolean available) {
            subscriptionIdsAvailable = available;
            return this;
        }

        /** Whether subscriptions can be shared. */
        public Builder sharedSubscriptionAvailable(boolean available) {
            sharedSubscriptionAvailable = available;
            return this;
        }

        /** The keep alive in seconds that the client has to use instead of its own. */
        public Builder serverKeepAlive(int seconds) {
            serverKeepAlive = seconds;
            return this;
        }

        /** Response Information, if the client requested it [MQTT-3.1.2-28]. */
        public Builder responseInformation(String text) {
            responseInformation = text;
            return this;
        }

        /** Another server to use. */
        public Builder serverReference(String reference) {
            serverReference = reference;
            return this;
        }

        /** The method of the CONNECT and the last data of the exchange, if there is any. */
        public Builder authentication(String method, byte @Nullable [] data) {
            authenticationMethod = method;
            authenticationData = data;
            return this;
        }

        /** Reason string and user properties. */
        public Builder details(Details accompanying) {
            details = accompanying;
            return this;
        }

        /** The properties collected so far. */
        public ConnackProperties build() {
            return new ConnackProperties(
                    sessionExpiry,
                    receiveMaximum,
                    maximumQos,
                    retainAvailable,
                    maximumPacketSize,
                    assignedClientId,
                    topicAliasMaximum,
                    wildcardSubscriptionAvailable,
                    subscriptionIdsAvailable,
                    sharedSubscriptionAvailable,
                    serverKeepAlive,
                    responseInformation,
                    serverReference,
                    authenticationMethod,
                    authenticationData,
                    details);
        }
    }
}
