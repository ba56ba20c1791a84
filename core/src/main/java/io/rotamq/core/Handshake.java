package io.rotamq.core;

import io.rotamq.core.port.Authenticator;
import io.rotamq.core.port.Connection;
import io.rotamq.core.port.CoreSettings;
import io.rotamq.core.port.Identity;
import io.rotamq.core.session.Session;
import io.rotamq.mqtt.BadConnectException;
import io.rotamq.mqtt.Connack;
import io.rotamq.mqtt.ConnackProperties;
import io.rotamq.mqtt.Connect;
import io.rotamq.mqtt.ConnectProperties;
import io.rotamq.mqtt.MqttException;
import io.rotamq.mqtt.ProtocolVersion;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.UnsupportedVersionException;
import io.rotamq.mqtt.Will;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** CONNECT: what is checked before a client gets its session, and what it is told. */
final class Handshake {
    private static final long NO_LIMIT = Long.MAX_VALUE;

    private final Shard shard;
    private final Node node;
    private final Connection connection;

    Handshake(Shard shard, Node node, Connection connection) {
        this.shard = shard;
        this.node = node;
        this.connection = connection;
    }

    /** What became of a CONNECT. */
    sealed interface Outcome {}

    record Refusal(ReasonCode reasonCode, String reason) implements Outcome {}

    /** The session belongs to another shard, which is to take the connection. */
    record Moved(int home, Connect connect) implements Outcome {}

    record Entered(Client.Connected connected, Connack connack) implements Outcome {}

    Outcome perform(Connect connect, Client client) {
        Refusal refusal = check(connect);
        if (refusal != null) {
            return refusal;
        }
        Authenticator.Result result =
                shard.ports().authenticator().authenticate(connect, connection.info());
        if (result instanceof Authenticator.Result.Refused(var code, var reason)) {
            return new Refusal(code, reason);
        }
        boolean assigned = connect.clientId().isEmpty();
        String clientId = assigned ? node.newClientId() : connect.clientId();
        Identity identity = new Identity(clientId, connect.username(), connection.info());
        Will will = connect.will();
        String denial =
                will == null ? null : InboundPublishes.denial(shard, identity, will.topic());
        if (denial != null) {
            return new Refusal(ReasonCode.NOT_AUTHORIZED, "the will: " + denial);
        }
        int home = node.claim(clientId, shard.index());
        if (home != shard.index()) {
            return new Moved(home, connect);
        }
        return enter(connect, identity, client);
    }

    /** How to answer a CONNECT that could not be decoded; null: not at all. */
    static @Nullable ProtocolVersion answerVersion(MqttException e) {
        return switch (e) {
            case UnsupportedVersionException unsupported -> unsupported.answerVersion();
            case BadConnectException bad -> bad.version();
            default -> null;
        };
    }

    /** Encodes for a peer of which nothing but the version is known. */
    void establish(ProtocolVersion version) {
        connection.established(version, NO_LIMIT, 0, true);
    }

    /** Encodes for a peer that is to be refused, within the packet size it asked for. */
    void establish(Connect connect) {
        connection.established(
                connect.version(), connect.properties().maximumPacketSize(), 0, true);
    }

    static Session.Allowance allowance(Connect connect) {
        ConnectProperties properties = connect.properties();
        return new Session.Allowance(properties.receiveMaximum(), properties.maximumPacketSize());
    }

    private @Nullable Refusal check(Connect connect) {
        CoreSettings.Protocol protocol = shard.settings().protocol();
        if (connect.properties().authenticationMethod() != null) {
            return new Refusal(
                    ReasonCode.BAD_AUTHENTICATION_METHOD,
                    "enhanced authentication is not supported: connect without a method");
        }
        if (connect.clientId().isEmpty() && !connect.version().isV5() && !connect.cleanStart()) {
            return new Refusal(
                    ReasonCode.CLIENT_IDENTIFIER_NOT_VALID,
                    "an empty client identifier needs a clean session");
        }
        Refusal ofName = checkName(connect.clientId(), protocol);
        if (ofName != null) {
            return ofName;
        }
        Will will = connect.will();
        return will == null ? null : check(will, protocol);
    }

    private @Nullable Refusal checkName(String clientId, CoreSettings.Protocol protocol) {
        int longest = shard.settings().limits().maximumClientIdLength();
        if (clientId.length() > longest
                || clientId.getBytes(StandardCharsets.UTF_8).length > longest) {
            return new Refusal(
                    ReasonCode.CLIENT_IDENTIFIER_NOT_VALID,
                    "client identifiers may have up to " + longest + " bytes");
        }
        Pattern allowed = protocol.clientIdPattern();
        return allowed == null || clientId.isEmpty() || allowed.matcher(clientId).matches()
                ? null
                : new Refusal(
                        ReasonCode.CLIENT_IDENTIFIER_NOT_VALID,
                        "client identifiers have to match " + allowed.pattern());
    }

    private static @Nullable Refusal check(Will will, CoreSettings.Protocol protocol) {
        if (will.qos() > protocol.maximumQos()) {
            return new Refusal(
                    ReasonCode.QOS_NOT_SUPPORTED,
                    "the highest QoS of a will is " + protocol.maximumQos());
        }
        if (will.retain() && !protocol.retainAvailable()) {
            return new Refusal(
                    ReasonCode.RETAIN_NOT_SUPPORTED, "retained messages are not available");
        }
        return null;
    }

    private Outcome enter(Connect connect, Identity identity, Client client) {
        ConnectProperties asked = connect.properties();
        CoreSettings.Protocol protocol = shard.settings().protocol();
        if (isNewToStore(connect, identity) && !shard.canStore()) {
            if (shard.residences().find(identity.clientId()) == null) {
                node.release(identity.clientId());
            }
            return new Refusal(outOfResources(connect), "the disk is nearly full");
        }
        Residences.Entry entry =
                shard.residences()
                        .enter(identity.clientId(), connect.cleanStart(), connect.will(), client);
        if (entry == null) {
            return new Refusal(
                    outOfResources(connect), "the sessions take as much memory as they may");
        }
        connection.established(
                connect.version(),
                asked.maximumPacketSize(),
                Math.min(asked.topicAliasMaximum(), protocol.outboundTopicAliasMaximum()),
                asked.requestProblemInformation());
        Residence residence = entry.residence();
        long cap = shard.settings().sessions().maximumExpiry();
        residence.session.expiryInterval(Math.min(asked.sessionExpiry(), cap));
        shard.residences().entered(residence, connect.will());
        int keepAlive = keepAlive(connect);
        Client.Connected connected =
                new Client.Connected(
                        connect, residence, identity, keepAlive * 1_500L, connect.will());
        return new Entered(connected, connack(connect, entry, keepAlive));
    }

    /** Whether there will be a session to be stored that is not there yet. */
    private boolean isNewToStore(Connect connect, Identity identity) {
        long cap = shard.settings().sessions().maximumExpiry();
        boolean outlives = Math.min(connect.properties().sessionExpiry(), cap) > 0;
        return outlives
                && (connect.cleanStart() || shard.residences().find(identity.clientId()) == null);
    }

    private static ReasonCode outOfResources(Connect connect) {
        return connect.version().isV5() ? ReasonCode.QUOTA_EXCEEDED : ReasonCode.SERVER_UNAVAILABLE;
    }

    /** Seconds; the server's word goes. */
    private int keepAlive(Connect connect) {
        CoreSettings.Protocol protocol = shard.settings().protocol();
        if (!connect.version().isV5()) {
            return connect.keepAlive();
        }
        if (protocol.serverKeepAlive() > 0) {
            return protocol.serverKeepAlive();
        }
        int longest = protocol.maximumKeepAlive();
        boolean tooLong =
                longest > 0 && (connect.keepAlive() == 0 || connect.keepAlive() > longest);
        return tooLong ? longest : connect.keepAlive();
    }

    private Connack connack(Connect connect, Residences.Entry entry, int keepAlive) {
        if (!connect.version().isV5()) {
            return new Connack(entry.present(), ReasonCode.SUCCESS, ConnackProperties.NONE);
        }
        CoreSettings.Protocol protocol = shard.settings().protocol();
        ConnackProperties.Builder properties =
                ConnackProperties.builder()
                        .receiveMaximum(protocol.receiveMaximum())
                        .maximumPacketSize(protocol.maximumPacketSize())
                        .topicAliasMaximum(protocol.topicAliasMaximum());
        Session session = entry.residence().session;
        if (connect.clientId().isEmpty()) {
            properties.assignedClientId(session.clientId());
        }
        if (session.expiryInterval() != connect.properties().sessionExpiry()) {
            properties.sessionExpiry(session.expiryInterval());
        }
        if (keepAlive != connect.keepAlive()) {
            properties.serverKeepAlive(keepAlive);
        }
        announceLimits(properties, protocol);
        String response = protocol.responseInformation();
        if (response != null && connect.properties().requestResponseInformation()) {
            properties.responseInformation(response.replace("%c", session.clientId()));
        }
        return new Connack(entry.present(), ReasonCode.SUCCESS, properties.build());
    }

    private void announceLimits(
            ConnackProperties.Builder properties, CoreSettings.Protocol protocol) {
        if (protocol.maximumQos() < 2) {
            properties.maximumQos(protocol.maximumQos());
        }
        if (!protocol.retainAvailable()) {
            properties.retainAvailable(false);
        }
        if (!protocol.wildcardsAvailable()) {
            properties.wildcardSubscriptionAvailable(false);
        }
        if (!protocol.identifiersAvailable()) {
            properties.subscriptionIdsAvailable(false);
        }
        if (!shard.settings().sharing().enabled()) {
            properties.sharedSubscriptionAvailable(false);
        }
    }
}
