package io.rotamq.core.session;

import io.rotamq.core.durable.DeliveryRecord;
import io.rotamq.core.durable.Keep;
import io.rotamq.core.durable.SessionRecord;
import io.rotamq.core.durable.SubscriptionRecord;
import io.rotamq.core.index.Replay;
import io.rotamq.core.port.Connection;
import io.rotamq.core.port.Counter;
import io.rotamq.core.session.SendQueue.Waiting;
import io.rotamq.core.share.Archive;
import io.rotamq.core.share.Group;
import io.rotamq.core.share.Hold;
import io.rotamq.core.share.Member;
import io.rotamq.core.share.Offer;
import io.rotamq.core.strategy.Attachment;
import io.rotamq.core.strategy.Grant;
import io.rotamq.core.strategy.KeyFilter;
import io.rotamq.core.strategy.Message;
import io.rotamq.core.strategy.Recipient;
import io.rotamq.core.strategy.Window;
import io.rotamq.mqtt.ReasonCode;
import io.rotamq.mqtt.SubscribeRequest;
import io.rotamq.mqtt.Will;
import io.rotamq.mqtt.topic.SubscriptionFilter;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state that belongs to a client identifier [MQTT-3.1.3-2]: subscriptions, deliveries in flight
 * and waiting, inbound QoS 2 identifiers. Created on the shard of the loop that accepted its client
 * and owned by it to the end; groups on other shards read only what {@link Recipient} shows.
 */
public final class Session implements Recipient {
    /** Session Expiry Interval of a session that never expires, in seconds. */
    public static final long NEVER = 0xFFFF_FFFFL;

    private static final long UNLIMITED = Long.MAX_VALUE;

    private final String clientId;
    private final SessionPort port;
    private final Routes routes;
    private final Footprint footprint;
    private final Outbox outbox;
    private final SubscriptionBook subscriptions;
    private final Memberships memberships;
    private final BitSet inboundQos2 = new BitSet();

    /** Read by every shard that chooses among the members of a group. */
    private volatile boolean online;

    private volatile boolean persistent;

    /** Read by whoever looks at the groups. */
    private volatile @Nullable Attachment attachment;

    /** The connection, if its client limits the size of packets. */
    private volatile @Nullable Connection limited;

    private long expiryInterval;

    /** Null for a session that leaves nothing behind. */
    private @Nullable Diary diary;

    private boolean ended;

    public Session(
            String clientId,
            SessionPort port,
            Routes routes,
            PlainRoutes plain,
            Footprint footprint) {
        this.clientId = clientId;
        this.port = port;
        this.routes = routes;
        this.footprint = footprint;
        this.subscriptions = new SubscriptionBook(this, port, routes, plain, footprint);
        this.outbox = new Outbox(this, port);
        this.memberships = new Memberships(subscriptions.values(), port);
    }

    @Override
    public String clientId() {
        return clientId;
    }

    @Override
    public int shard() {
        return port.index();
    }

    @Override
    public Window window() {
        return outbox.window();
    }

    @Override
    public boolean isOnline() {
        return online;
    }

    @Override
    public @Nullable Attachment attachment() {
        return attachment;
    }

    @Override
    public boolean isPersistent() {
        return persistent;
    }

    @Override
    public boolean fits(Message message, Grant grant) {
        Connection connection = limited;
        return connection == null
                || connection.fits(
                        message.publish(), message.publish().messageExpiry(), grant.identifiers());
    }

    public Footprint footprint() {
        return footprint;
    }

    public boolean hasEnded() {
        return ended;
    }

    /** Seconds that the session outlives its connection; {@link #NEVER} for ever. */
    public long expiryInterval() {
        return expiryInterval;
    }

    /**
     * Changes the Session Expiry Interval, in seconds. A session that is durable stays so to its
     * end, which may be near now.
     */
    public void expiryInterval(long seconds) {
        expiryInterval = seconds;
        persistent = seconds > 0;
        Archive archive = port.archive();
        if (seconds > 0 && diary == null && archive != null) {
            diary = new Diary(archive.numbers().next(), clientId, archive);
            port.durableBegins();
        }
    }

    /** Whether it survives the process. */
    @Override
    public boolean isDurable() {
        return diary != null;
    }

    /**
     * Writes down how a durable session is now.
     *
     * @param away since when its client is away, or {@link SessionRecord#CONNECTED}
     * @param will that is still to be published
     */
    public void record(long away, @Nullable Will will) {
        if (diary != null) {
            diary.session(expiryInterval, away, will);
        }
    }

    /** After its end: nothing is left of it in the store. */
    public void erase() {
        if (diary != null) {
            diary.erase();
        }
    }

    /** Whether an inbound QoS 2 message of that identifier waits for its PUBREL. */
    public boolean owns(int packetId) {
        return inboundQos2.get(packetId);
    }

    /** An inbound QoS 2 message is the broker's [MQTT-4.3.3-10]. */
    public void own(int packetId) {
        inboundQos2.set(packetId);
    }

    /** It is not: the message could not be stored. */
    public void disown(int packetId) {
        inboundQos2.clear(packetId);
    }

    /** Writes down that the message is the broker's, together with the message. */
    public void recordOwned(int packetId) {
        if (diary != null) {
            diary.owns(packetId);
        }
    }

    /** PUBREL [MQTT-4.3.3-11]; false if there is no such message. */
    public boolean release(int packetId) {
        boolean known = inboundQos2.get(packetId);
        inboundQos2.clear(packetId);
        if (known && diary != null) {
            diary.released(packetId);
        }
        return known;
    }

    public Collection<Subscription> subscriptions() {
        return subscriptions.values();
    }

    /** Deliveries in flight. */
    public int inflight() {
        return outbox.inflight();
    }

    /** Deliveries that wait. */
    public int queued() {
        return outbox.queued();
    }

    /** What the client of a connection allows. */
    public record Allowance(int receiveMaximum, long maximumPacketSize) {}

    /**
     * A connection begins, after its CONNACK: sends again what was not acknowledged, then what
     * waited, and only then takes new messages [MQTT-4.4.0-1].
     */
    public void attach(Connection connection, Allowance allowance) {
        limited = allowance.maximumPacketSize() == UNLIMITED ? null : connection;
        int inflight = port.settings().sessions().maximumInflight();
        int window = Math.min(inflight, allowance.receiveMaximum());
        attachment = new Attachment(connection.info().remoteAddress(), window);
        outbox.attach(connection, window);
        online = true;
        memberships.refresh();
        memberships.ask();
    }

    /** The connection is gone, the session stays: what a group can do better elsewhere, it gets. */
    public void detach() {
        if (!online) {
            return;
        }
        suspend();
        abandon();
    }

    /** A connection is replaced by another of the same client: nothing is redispatched. */
    public void suspend() {
        online = false;
        limited = null;
        attachment = null;
        outbox.suspend(memberships.successions());
    }

    /**
     * Nobody follows a connection that was suspended. Its groups get back what others may deliver
     * before they turn to others, so that nothing newer passes by it.
     */
    public void abandon() {
        Fence fence = outbox.announce(memberships.successions());
        outbox.offerToGroups();
        outbox.close();
        memberships.refresh();
        memberships.ask();
        fence.lift();
    }

    /** The rules of a group changed: what was kept for an absent member may go to others now. */
    public void reconsider(Member member) {
        if (!online && !member.hasLeft() && !member.keepsTurn()) {
            outbox.reconsider(member);
        }
    }

    /** The session is over: its groups get what others may deliver, the rest is counted. */
    public void end() {
        ended = true;
        online = false;
        // Nothing is kept for it any more, neither what it gives back now.
        persistent = false;
        attachment = null;
        List<Group> successions = memberships.successions();
        outbox.suspend(successions);
        Fence fence = outbox.announce(successions);
        outbox.end();
        outbox.close();
        subscriptions.end();
        if (diary != null) {
            port.durableEnds();
        }
        fence.lift();
        footprint.end();
        port.meter().count(Counter.SESSIONS_ENDED);
    }

    /** A message for its plain subscriptions. */
    void deliver(Message message, Grant grant) {
        outbox.plain(message, grant);
    }

    /** A message that a group chose this member for. */
    public void deliver(
            Member member,
            Grant grant,
            Message message,
            long epoch,
            @Nullable Hold hold,
            @Nullable Keep keep) {
        outbox.shared(member, epoch, new Waiting(message, grant, member, hold, keep));
    }

    /** A credit that was claimed under {@code epoch} is not needed. */
    public void unclaim(long epoch) {
        outbox.unclaim(epoch);
    }

    /** Another member has a delivery that this one did not acknowledge. */
    public void taken(Offer offer) {
        outbox.taken(offer);
    }

    public void puback(int packetId, ReasonCode reasonCode) {
        outbox.puback(packetId, reasonCode);
    }

    public void pubrec(int packetId, ReasonCode reasonCode) {
        outbox.pubrec(packetId, reasonCode);
    }

    public void pubcomp(int packetId) {
        outbox.pubcomp(packetId);
    }

    /** A message has become safe that something waits for. */
    public void proceed() {
        outbox.proceed();
    }

    /** Null for a session that leaves nothing behind. */
    @Nullable Diary diary() {
        return diary;
    }

    /** The socket has room again. */
    public void writable() {
        outbox.writable();
        wantWork();
    }

    /** Sends retained messages to a new subscription, as fast as the client takes them. */
    public void replay(Subscription subscription, Replay<Message> retained) {
        outbox.replay(subscription.filter(), retained, subscription.grant());
    }

    public @Nullable Subscription subscription(SubscriptionFilter filter) {
        return subscriptions.get(filter);
    }

    /** Whether there is memory for a subscription; it is charged until the subscription ends. */
    public boolean affords(SubscriptionFilter filter) {
        return subscriptions.get(filter) != null || footprint.add(filter);
    }

    /** A subscription that was afforded is not made after all. */
    public void forgo(SubscriptionFilter filter) {
        if (subscriptions.get(filter) == null) {
            footprint.remove(filter);
        }
    }

    /** What became of a request for a subscription. */
    public enum Subscribed {
        NEW,
        /** It takes the place of the one before. */
        REPLACED,
        /** The rules of the group allow no more members. */
        GROUP_FULL,
        /** There is no memory for its key filters. */
        EXHAUSTED
    }

    /**
     * Adds or replaces a subscription that the session {@linkplain #affords affords}.
     *
     * @param keys routing keys that the session takes as a member of a group
     */
    public Subscribed subscribe(
            SubscriptionFilter filter,
            SubscribeRequest options,
            int qos,
            int identifier,
            KeyFilter keys) {
        Grant grant =
                Grant.of(
                        qos,
                        options.noLocal(),
                        options.retainAsPublished(),
                        identifier,
                        routes.nextGeneration());
        Subscribed outcome = subscriptions.put(filter, grant, keys);
        Subscription subscription = subscriptions.get(filter);
        boolean made = outcome == Subscribed.NEW || outcome == Subscribed.REPLACED;
        if (made && diary != null && subscription != null) {
            diary.subscribed(subscription);
        }
        return outcome;
    }

    /** The session as it was stored. */
    public void restore(SessionRecord record) {
        expiryInterval = record.expiry();
        persistent = record.expiry() > 0;
        diary = new Diary(record.id(), clientId, Objects.requireNonNull(port.archive()));
        port.durableBegins();
    }

    /** A subscription as it was stored; in the order in which they were made. */
    public void restore(SubscriptionRecord record) {
        subscriptions.restore(record);
    }

    /** A delivery as it was stored; in their order, after the subscriptions. */
    public void restore(DeliveryRecord record, Message message) {
        outbox.restore(record, message);
    }

    /** After all is restored: groups get what they do not keep for an absent member. */
    public void redispatch() {
        subscriptions.forEachMember(this::reconsider);
    }

    /** An inbound QoS 2 message that waits for its PUBREL. */
    public void restoreInbound(int packetId) {
        inboundQos2.set(packetId);
    }

    /** Removes a subscription; false if there was none [MQTT-3.10.4-1]. */
    public boolean unsubscribe(SubscriptionFilter filter) {
        Subscription subscription = subscriptions.remove(filter);
        if (subscription == null) {
            return false;
        }
        if (diary != null) {
            diary.unsubscribed(filter);
        }
        Member member = subscription.member();
        if (member == null) {
            subscriptions.leave(subscription);
            outbox.stopReplay(filter);
        } else {
            Group group = member.group();
            Fence fence = outbox.announce(group.hasSuccession() ? List.of(group) : List.of());
            subscriptions.leave(subscription);
            outbox.leave(member);
            fence.lift();
        }
        return true;
    }

    /** Tells the groups which hold messages that this session can take some. */
    void wantWork() {
        memberships.wantWork();
    }
}
