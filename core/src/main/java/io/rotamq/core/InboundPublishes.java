package io.rotamq.core;

import io.rotamq.core.port.Authorizer.Decision;
import io.rotamq.core.port.CoreSettings;
import io.rotamq.core.port.Counter;
import io.rotamq.core.port.DropReason;
import io.rotamq.core.port.Identity;
import io.rotamq.core.share.Brake;
import io.rotamq.mqtt.Details;
import io.rotamq.mqtt.Packet;
import io.rotamq.mqtt.Puback;
import io.rotamq.mqtt.Pubcomp;
import io.rotamq.mqtt.Publish;
import io.rotamq.mqtt.Pubrec;
import io.rotamq.mqtt.Pubrel;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.topic.TopicName;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one client publishes: checks, routing, and acknowledgements in order. Owned by the client's
 * shard.
 */
final class InboundPublishes {
    private static final List<String> RESERVED = List.of("$SYS", "$share", "$queue");

    private static final int LAST_IDENTIFIER = 65_535;

    private final Client client;
    private final Shard shard;
    private final AckGate gate;

    /** Groups that are behind and to which the client published at QoS 0. */
    private final Set<Brake> waitsFor = new HashSet<>(0);

    /** Identifiers of the QoS 2 exchanges that began, or were repeated, on this connection. */
    private final BitSet exchanges = new BitSet(0);

    /** Publishes of QoS 1 and 2 on this connection that are not finished: the client's quota. */
    private int unfinished;

    InboundPublishes(Client client, Shard shard) {
        this.client = client;
        this.shard = shard;
        this.gate = new AckGate(this::acknowledged);
    }

    void receive(Publish publish, Client.Connected peer) {
        if (!isPermittedByServer(publish)) {
            return;
        }
        if (publish.qos() > 0 && !begin(publish, peer)) {
            client.violation(
                    ReasonCode.RECEIVE_MAXIMUM_EXCEEDED,
                    "more unfinished publishes than the Receive Maximum of "
                            + shard.settings().protocol().receiveMaximum());
            return;
        }
        if (publish.qos() == 2 && peer.session().owns(publish.packetId())) {
            // A repeat of a message that is owned already [MQTT-4.3.3-10].
            Receipt receipt = peer.residence.unsettled.get(publish.packetId());
            acknowledge(publish, peer, ReasonCode.SUCCESS, List.of(), receipt);
            return;
        }
        shard.meter().count(Counter.PUBLISHES_RECEIVED);
        shard.meter().add(Counter.BYTES_RECEIVED, publish.payload().length);
        route(publish, peer);
    }

    /** PUBREL [MQTT-4.3.3-11]. */
    void release(Pubrel pubrel, Client.Connected peer) {
        int id = pubrel.packetId();
        long since = shard.written();
        peer.residence.unsettled.remove(id);
        boolean known = peer.session().release(id);
        finish(id);
        ReasonCode code = known ? ReasonCode.SUCCESS : ReasonCode.PACKET_IDENTIFIER_NOT_FOUND;
        client.send(new Pubcomp(id, code, Details.NONE), since);
    }

    /** True if nothing waits for any group any more. */
    boolean relieved(Brake brake) {
        waitsFor.remove(brake);
        waitsFor.removeIf(other -> !other.isOn());
        return gate.release() && waitsFor.isEmpty();
    }

    /** A publish has become safe, or has failed; true if nothing waits for any group any more. */
    boolean settled() {
        return gate.release() && waitsFor.isEmpty();
    }

    private boolean isPermittedByServer(Publish publish) {
        CoreSettings.Protocol protocol = shard.settings().protocol();
        if (publish.qos() > protocol.maximumQos()) {
            client.violation(
                    ReasonCode.QOS_NOT_SUPPORTED, "the highest QoS is " + protocol.maximumQos());
            return false;
        }
        if (publish.retain() && !protocol.retainAvailable()) {
            client.violation(
                    ReasonCode.RETAIN_NOT_SUPPORTED, "retained messages are not available");
            return false;
        }
        return true;
    }

    /** Counts an exchange; false if an MQTT 5 client has too many of them [MQTT-3.3.4-9]. */
    private boolean begin(Publish publish, Client.Connected peer) {
        if (publish.qos() == 2 && exchanges.get(publish.packetId())) {
            return true;
        }
        if (peer.isV5() && unfinished >= shard.settings().protocol().receiveMaximum()) {
            return false;
        }
        unfinished++;
        if (publish.qos() == 2) {
            exchanges.set(publish.packetId());
        }
        return true;
    }

    /** An acknowledgement leaves: of QoS 1, and of QoS 2 if it is an error, it is the last. */
    private void acknowledged(Packet packet, boolean inVain) {
        if (inVain) {
            acknowledgedInVain();
            return;
        }
        if (packet instanceof Puback) {
            unfinished--;
        } else if (packet instanceof Pubrec pubrec && pubrec.reasonCode().isError()) {
            finish(pubrec.packetId());
        }
        client.send(packet);
    }

    /** Nobody knows what became of the message: it is the publisher's again. */
    private void acknowledgedInVain() {
        shard.meter().drop(DropReason.STORAGE);
        client.shut(ReasonCode.UNSPECIFIED_ERROR, "the broker cannot store anything");
    }

    private void finish(int packetId) {
        if (exchanges.get(packetId)) {
            exchanges.clear(packetId);
            unfinished--;
        }
    }

    private void route(Publish publish, Client.Connected peer) {
        String denial = denial(shard, peer.identity, publish.topic());
        if (denial != null) {
            shard.meter().drop(DropReason.NOT_AUTHORIZED);
            negative(publish, peer, ReasonCode.NOT_AUTHORIZED, denial);
            return;
        }
        boolean owns = publish.qos() == 2 && peer.session().isDurable();
        switch (shard.publishing().publish(publish, peer.publisher, owns)) {
            case MATCHED -> positive(publish, peer, ReasonCode.SUCCESS);
            case UNMATCHED -> positive(publish, peer, ReasonCode.NO_MATCHING_SUBSCRIBERS);
            case REFUSED -> {
                String reason = "the backlog of a share group is full";
                refuse(publish, peer, DropReason.BACKLOG_REJECTED, reason);
            }
            case UNSTORABLE -> {
                String reason = "the disk is nearly full";
                if (publish.qos() > 0 && !peer.isV5()) {
                    // It must neither be acknowledged nor be silently left unanswered.
                    shard.meter().drop(DropReason.STORAGE);
                    client.shut(ReasonCode.QUOTA_EXCEEDED, reason);
                } else {
                    refuse(publish, peer, DropReason.STORAGE, reason);
                }
            }
            case EXHAUSTED -> {
                String reason = "the broker holds as many messages as it may";
                refuse(publish, peer, DropReason.MEMORY, reason);
            }
        }
    }

    private void refuse(Publish publish, Client.Connected peer, DropReason counted, String reason) {
        shard.meter().drop(counted);
        negative(publish, peer, ReasonCode.QUOTA_EXCEEDED, reason);
    }

    /** Why the client may not publish to the topic, be it now or by its will; null if it may. */
    static @Nullable String denial(Shard shard, Identity client, TopicName topic) {
        if (topic.startsWithDollar() && isReserved(topic.toString())) {
            return "topics of the broker cannot be published to";
        }
        Decision decision = shard.ports().authorizer().publish(client, topic);
        return decision instanceof Decision.Denied(var reason) ? reason : null;
    }

    private static boolean isReserved(String topic) {
        int slash = topic.indexOf('/');
        return RESERVED.contains(slash < 0 ? topic : topic.substring(0, slash));
    }

    private void positive(Publish publish, Client.Connected peer, ReasonCode code) {
        List<Brake> slowedBy = shard.publishing().slowed();
        if (publish.qos() == 0) {
            if (!slowedBy.isEmpty()) {
                slow(peer, slowedBy);
            }
            return;
        }
        Receipt receipt = shard.publishing().receipt();
        if (receipt != null) {
            receipt.follows(peer.residence);
        }
        if (publish.qos() == 2) {
            peer.session().own(publish.packetId());
            if (receipt != null && peer.session().isDurable()) {
                receipt.owes(publish.packetId());
            }
        }
        if (receipt != null) {
            receipt.waits(client);
            receipt.arrive();
        }
        acknowledge(publish, peer, peer.isV5() ? code : ReasonCode.SUCCESS, slowedBy, receipt);
    }

    /**
     * At QoS 0 there is no acknowledgement to withhold: a connection that does nothing but publish
     * is left unread.
     */
    private void slow(Client.Connected peer, List<Brake> slowedBy) {
        if (onlyPublishes(peer)) {
            waitsFor.addAll(slowedBy);
            shard.slow(client);
            client.pauseReading();
        }
    }

    private static boolean onlyPublishes(Client.Connected peer) {
        return peer.session().subscriptions().isEmpty()
                && peer.session().inflight() == 0
                && peer.session().queued() == 0;
    }

    /** With v3 there is no way to refuse a single publish: it is acknowledged, and counted. */
    private void negative(Publish publish, Client.Connected peer, ReasonCode code, String reason) {
        if (publish.qos() == 0) {
            return;
        }
        if (!peer.isV5()) {
            if (publish.qos() == 2) {
                peer.session().own(publish.packetId());
                peer.session().recordOwned(publish.packetId());
            }
            acknowledge(publish, peer, ReasonCode.SUCCESS, List.of(), null);
            return;
        }
        Details details = Details.reason(reason);
        int id = publish.packetId();
        Packet packet =
                publish.qos() == 1 ? new Puback(id, code, details) : new Pubrec(id, code, details);
        gate.acknowledge(packet, List.of(), null);
    }

    private void acknowledge(
            Publish publish,
            Client.Connected peer,
            ReasonCode code,
            List<Brake> slowedBy,
            @Nullable Receipt receipt) {
        int id = publish.packetId();
        Packet packet =
                publish.qos() == 1
                        ? new Puback(id, code, Details.NONE)
                        : new Pubrec(id, code, Details.NONE);
        if (gate.acknowledge(packet, slowedBy, receipt)) {
            if (!slowedBy.isEmpty() || receipt == null) {
                shard.meter().count(Counter.ACKS_WITHHELD);
                shard.slow(client);
            }
            boundWithheld(peer);
        }
    }

    /**
     * An MQTT 3 client knows no Receive Maximum: if all it does is publish it is left unread. Who
     * goes on beyond all identifiers, or repeats a QoS 2 publish as often, has lost its senses.
     */
    private void boundWithheld(Client.Connected peer) {
        boolean many = gate.size() >= shard.settings().protocol().receiveMaximum();
        if (many && !peer.isV5() && onlyPublishes(peer)) {
            client.pauseReading();
        } else if (gate.size() > LAST_IDENTIFIER) {
            client.violation(
                    ReasonCode.RECEIVE_MAXIMUM_EXCEEDED,
                    "more unacknowledged publishes than there are packet identifiers");
        }
    }
}
